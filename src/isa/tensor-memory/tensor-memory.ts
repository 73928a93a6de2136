import { type Section, section } from "../form/define.ts";
import { allocation } from "./allocation.ts";
import { copies } from "./copy.ts";
import { loadStore } from "./load-store.ts";
import { multiplications } from "./multiply.ts";
import { synchronization } from "./synchronization.ts";

/** The fifth generation's tensor cores and their memory. */
export const tensorMemory: Section = section("tensor-memory", [
  ...allocation,
  ...loadStore,
  ...copies,
  ...multiplications,
  ...synchronization,
]);
