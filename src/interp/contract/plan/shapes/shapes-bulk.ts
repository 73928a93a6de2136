import type { BulkPlan, Inspection } from "../plan-bulk.ts";
import type { ShapeFacts } from "./shape-facts.ts";
import { collective, step } from "./shape-kinds.ts";

const told = (inspects: Inspection | undefined): string => (inspects ? ", and for a report of data that match" : "");
const asking = { ...step, writes: 0, completesAsync: true } as const;

/** Shapes of bulk and tensor copies. Observers are notified of their accesses when a thread has waited for them. */
export const bulkShapes = {
  "bulk copy": {
    ...asking,
    reach: "beyond",
    proxy: "async",
    says: ({ from, to: space, multimem, update, inspects }) => {
      const to = multimem === true ? "all replicas of multimem" : space;
      return update === undefined
        ? `asks for a copy of n bytes from ${from} to ${to} memory${told(inspects)}`
        : `asks for n bytes of ${to} memory to be updated with those of ${from} memory`;
    },
  },
  "tensor copy": {
    ...asking,
    reach: "beyond",
    proxy: "async",
    says: ({ direction, updates, inspects }) =>
      direction === "load"
        ? `asks for a copy of a box of a tensor to shared memory${told(inspects)}`
        : `asks for a box of a tensor to be ${updates === undefined ? "written" : "updated"} from shared memory`,
  },
  // The place of an operand and a number of bytes do not describe what these write.
  "map field": {
    ...step,
    reach: "beyond",
    writes: 0,
    alone: false,
    completesAsync: true,
    says: ({ field }) => `changes ${field} of a tensor map`,
  },
  "map copy": {
    ...collective,
    reach: "beyond",
    writes: 0,
    completesAsync: true,
    says: "copies a tensor map to global memory and releases it",
  },
  "map fence": {
    ...step,
    reach: "beyond",
    writes: 0,
    alone: false,
    completesAsync: true,
    fencedProxy: "tensormap",
    says: ({ act }) =>
      act === "release"
        ? "releases the tensor maps that the thread has changed"
        : "acquires a tensor map that was changed",
  },
  "cancel cluster": {
    ...asking,
    reach: "beyond",
    alone: false,
    says: "takes away a cluster of the grid that has not begun, and says which",
  },
  "cancel answer": {
    ...step,
    reach: "beyond",
    writes: 1,
    says: ({ what }) =>
      what === "is_canceled"
        ? "asks whether a cluster was taken away"
        : "gives the ctaid of the first block of the cluster that was taken away",
  },
  multimem: {
    ...step,
    reach: "beyond",
    writes: ({ act }) => (act === "load" ? 1 : 0),
    alone: false,
    completesAsync: true,
    says: ({ act }) =>
      act === "load"
        ? "reduces what all replicas of a multimem address hold"
        : act === "store"
          ? "writes to all replicas of a multimem address"
          : "updates all replicas of a multimem address",
  },
  "zero fill": {
    ...step,
    reach: "beyond",
    writes: 0,
    alone: false,
    completesAsync: true,
    says: "writes n bytes of zeros to shared memory",
  },
} as const satisfies { readonly [S in BulkPlan["shape"]]: ShapeFacts<Extract<BulkPlan, { readonly shape: S }>> };
