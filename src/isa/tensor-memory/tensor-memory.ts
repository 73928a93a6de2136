import { type Section, section } from "../form/define.ts";
import { allocation } from "./allocation.ts";
import { copies } from "./copy.ts";
import { loadStore } from "./load-store.ts";
import { multiplications } from "./multiply.ts";
import { synchronization } from "./synchronization.ts";

/** The fifth generation's tensor cores and their memory. */
export const tensorMemory: Section = section(
  "tensor-memory",
  [...allocation, ...loadStore, ...copies, ...multiplications, ...synchronization],
  {
    "": "tcgen05.alloc=tcgen05.alloc.dealloc.relinquish_alloc_permit tcgen05.dealloc=tcgen05.alloc.dealloc.relinquish_alloc_permit tcgen05.relinquish_alloc_permit=tcgen05.alloc.dealloc.relinquish_alloc_permit tcgen05.ld tcgen05.st tcgen05.wait tcgen05.cp tcgen05.shift",
    "tcgen05-mma-instructions":
      "tcgen05.mma=mma tcgen05.mma.sp=mma.sp tcgen05.mma.ws=mma.ws tcgen05.mma.ws.sp=mma.ws.sp",
    "tcgen05-special-sync-operations": "tcgen05.fence=fence",
    "tcgen-async-sync-operations": "tcgen05.commit=commit",
  },
);
