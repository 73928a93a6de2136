import type { TensorMemoryPlan } from "../plan-tensor-memory.ts";
import type { ShapeFacts } from "./shape-facts.ts";
import { collective, step } from "./shape-kinds.ts";

const acts = {
  alloc: "takes columns of tensor memory, and waits while there are too few; [a] gets their address",
  dealloc: "gives columns of tensor memory back",
  relinquish: "gives up the right of the block to allocate tensor memory",
} as const;

/** Instructions of a whole warp, and those of each single thread. */
const all = { ...collective, tensor: true } as const;
const one = { ...step, alone: false, tensor: true } as const;

/** Shapes of tcgen05. */
export const tensorMemoryShapes = {
  "tcgen05 alloc": {
    ...all,
    reach: "beyond",
    writes: 0,
    says: ({ act, exclusive }) => `${acts[act]}${exclusive ? "; nothing else is allocated meanwhile" : ""}`,
  },
  "tcgen05 load": {
    ...all,
    reach: "beyond",
    writes: ({ red, compress }) => 1 + (red === undefined ? 0 : 1) + (compress === undefined ? 0 : 1),
    says: ({ form, num, packed, red, compress }) =>
      `d = ${compress === undefined ? "" : `two of each four columns, m their indices, of `}${form} of tensor memory at [t], ${num} times side by side${packed ? ", two 16-bit columns in a register" : ""}${red === undefined ? "" : `; x = the ${red.op} of a lane's columns`}; asynchronous until wait::ld`,
  },
  "tcgen05 store": {
    ...all,
    reach: "beyond",
    writes: 0,
    says: ({ form, num, packed }) =>
      `${form} of tensor memory at [t], ${num} times side by side, = b${packed ? ", a register in two columns" : ""}; asynchronous until wait::st`,
  },
  "tcgen05 wait": {
    ...all,
    reach: "beyond",
    writes: 0,
    says: (plan) => `waits until all tcgen05.${plan.for} of the warp have completed`,
  },
  "tcgen05 copy": {
    ...one,
    reach: "beyond",
    proxy: "async",
    writes: 0,
    says: ({ form: { rows, columns } }) =>
      `copies ${rows} rows of ${32 * columns} bits from shared to tensor memory; asynchronous until a commit`,
  },
  "tcgen05 shift": {
    ...one,
    reach: "beyond",
    writes: 0,
    says: "moves each of 32 lanes of 32 bytes to the lane before it, the first dropped; asynchronous until a commit",
  },
  "tcgen05 multiply": {
    ...one,
    reach: "beyond",
    proxy: "async",
    writes: 0,
    says: ({ kind, sparse, scale }) =>
      `D = ${scale === undefined ? "A * B" : "(A * scale_A) * (B * scale_B)"} + D of kind ${kind}${sparse ? ", A half empty" : ""}; asynchronous until a commit`,
  },
  "tcgen05 commit": {
    ...one,
    reach: "beyond",
    writes: 0,
    says: ({ readsOfA }) =>
      `arrives at the mbarrier when all ${readsOfA ? "mma that the thread has issued have read A in shared memory" : "mma, cp and shift that the thread has issued are complete"}`,
  },
  "tcgen05 fence": {
    ...one,
    reach: "beyond",
    writes: 0,
    says: ({ when }) =>
      when === "before"
        ? "orders what was issued before what follows a synchronization"
        : "orders what is issued from here on behind the synchronization before it",
  },
} as const satisfies {
  readonly [S in TensorMemoryPlan["shape"]]: ShapeFacts<Extract<TensorMemoryPlan, { readonly shape: S }>>;
};
