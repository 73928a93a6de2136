import { matrixText } from "../../../numeric/operation/matrix.ts";
import { textOf } from "../../../numeric/operation/text.ts";
import { warpOperands, warpText } from "../../../numeric/operation/warp.ts";
import { lowest } from "../launch/lane-mask.ts";
import type { Plan, PlanShape } from "./plan.ts";
import { type LinesPlan, linesOf, type MatrixLines } from "./plan-lines.ts";
import type { MatrixPlan } from "./plan-matrix.ts";
import type { TexturePlan } from "./plan-texture.ts";
import type { PlannedAccess, ShapeFacts, ShapeTable } from "./shapes/shape-facts.ts";
import { collective, control, step } from "./shapes/shape-kinds.ts";
import { asyncShapes } from "./shapes/shapes-async.ts";
import { bulkShapes } from "./shapes/shapes-bulk.ts";
import { tensorMemoryShapes } from "./shapes/shapes-tensor-memory.ts";
import { warpgroupShapes } from "./shapes/shapes-warpgroup.ts";

type Facts<S extends TexturePlan["shape"]> = ShapeFacts<Extract<TexturePlan, { readonly shape: S }>>;

/**
 * The entries of textures and surfaces. Their accesses depend on the image behind a handle, so their binders
 * notify observers themselves.
 */
const typedSays = {
  sample: "samples an image",
  fetch: "reads a texel",
  store: "writes a texel",
  size: "asks for the size of an image",
} as const;

const textureShapes = {
  texture: {
    ...step,
    reach: "beyond",
    writes: 2,
    images: "reads",
    says: ({ geometry, whole, gather, lod }) =>
      gather !== undefined
        ? `channel ${"rgba"[gather]} of the four texels that linear filtering would weigh`
        : `looks up a ${geometry} texture ${whole ? "at whole texels" : "as its sampler says"}${lod === "base" ? "" : lod === "level" ? ", at a level of detail" : ", at the level of detail of its derivatives"}`,
  },
  surface: {
    ...step,
    reach: "beyond",
    writes: ({ how }) => (how === "load" ? 1 : 0),
    images: ({ how }) => (how === "load" ? "reads" : "writes"),
    says: ({ how, cell, by, outside, op }) =>
      `${how === "reduce" && op !== undefined ? textOf(op, "[a]", (name) => (name === "held" ? "[a]" : name)) : how === "load" ? `reads ${cell.bits} bits` : `writes ${cell.bits} bits`} of a surface, at a ${by} of a row; outside of it ${outsides[outside]}`,
  },
  typed: {
    ...step,
    reach: "beyond",
    writes: ({ how }) => (how === "store" ? 0 : 1),
    says: ({ how }) => typedSays[how],
  },
  "image query": { ...step, reach: "beyond", writes: 1, says: ({ query }) => `asks for ${query}` },
  "image type": { ...step, reach: "beyond", writes: 1, says: ({ type }) => `asks whether the handle is of a .${type}` },
} as const satisfies { readonly [S in TexturePlan["shape"]]: Facts<S> };

const outsides = { trap: "a fault", clamp: "at the nearest place", zero: "zeros, or nothing" } as const;

/** Shapes of matrix instructions. */
const matrixShapes = {
  transpose: {
    ...collective,
    reach: "registers",
    writes: 1,
    says: "d = the 8x8 matrix a of 16-bit elements, transposed",
  },
  multiply: { ...collective, reach: "registers", writes: 1, says: ({ op }) => matrixText(op) },
} as const satisfies { readonly [S in MatrixPlan["shape"]]: ShapeFacts<Extract<MatrixPlan, { readonly shape: S }>> };

const touched = (how: "load" | "store", address: number, { space, lines }: LinesPlan): readonly PlannedAccess[] => [
  { how, space, address, bytes: lines.bytes, sem: "weak", scope: "gpu", lines, lanes: lowest(linesOf(lines)) },
];

const matricesText = ({ fragment: { rows, columns }, matrices, line }: MatrixLines): string => {
  const size = `${rows}x${columns}`;
  return `${matrices === 1 ? `a ${size} matrix` : `${matrices} matrices of ${size}`}, a ${line} after the other`;
};

/** Shapes that move matrices between memory and registers. */
const linesShapes = {
  "load lines": {
    ...collective,
    reach: "block",
    writes: 1,
    touches: (plan) => touched("load", 1, plan),
    says: ({ lines, space }) => `reads ${matricesText(lines)}, of ${space} memory`,
  },
  "store lines": {
    ...collective,
    reach: "block",
    writes: 0,
    touches: (plan) => touched("store", 0, plan),
    says: ({ lines, space }) => `writes ${matricesText(lines)}, to ${space} memory`,
  },
} as const satisfies { readonly [S in LinesPlan["shape"]]: ShapeFacts<Extract<LinesPlan, { readonly shape: S }>> };

const stackActs = {
  alloca: "takes stack of the thread",
  save: "reads the thread's stack pointer",
  restore: "sets the thread's stack pointer",
} as const;

/**
 * What plans of each shape do to the machine, said once. Code that binds, links, analyses, traces, observes or
 * explains an instruction asks here (by `effects.ts`); a shape without an entry does not compile. Two things follow
 * by type: a `step` needs an entry in `javascript/bind.ts`, a `collective` one in `javascript/bind-collective.ts` and
 * a `control` one in `warp/control.ts`, and a `computed` shape needs a derivation in `src/present/working/plan.ts`.
 */
export const shapes = {
  compute: { ...step, reach: "registers", writes: 1, operation: ({ op }) => op, says: "computed" },
  carry: {
    ...step,
    reach: "registers",
    writes: 1,
    carry: ({ carryIn, carryOut }) => ({ reads: carryIn, writes: carryOut }),
    operation: ({ op }) => op,
    says: "computed",
  },
  test: { ...step, reach: "registers", writes: 2, says: "computed" },
  compare: {
    ...step,
    reach: "registers",
    writes: 2,
    operation: ({ op, combine }) => (combine === undefined ? op : undefined),
    says: "computed",
  },
  select: { ...step, reach: "registers", writes: 1, says: "computed" },
  move: { ...step, reach: "registers", writes: 1, says: "computed" },
  pack: { ...step, reach: "registers", writes: 1, says: "computed" },
  unpack: { ...step, reach: "registers", writes: 1, says: "computed" },
  logic: { ...step, reach: "registers", writes: 1, says: "computed" },
  compress: {
    ...step,
    reach: "registers",
    writes: 2,
    says: ({ elementBits }) =>
      `cdata = two of each four elements of data, of ${elementBits} bits, as spdesc says; mdata = their indices`,
  },
  decompress: {
    ...step,
    reach: "registers",
    writes: 1,
    says: ({ stored, of }) => `data = ${stored} elements of cdata among ${of}, at the indices in mdata; the others 0`,
  },

  load: {
    ...step,
    reach: "block",
    writes: 1,
    touches: ({ space, cell, sem = "weak", scope = "gpu", proxy }) => [
      { how: "load", space, address: 1, bytes: cell.bits / 8, data: 0, sem, scope, ...(proxy && { proxy }) },
    ],
    says: ({ space, cell }) =>
      `reads ${cell.bits} bits of ${space} memory${cell.signed ? ", extended by their sign" : ""}`,
  },
  store: {
    ...step,
    reach: "block",
    writes: 0,
    touches: ({ space, cell, sem = "weak", scope = "gpu" }) => [
      { how: "store", space, address: 0, bytes: cell.bits / 8, data: 1, sem, scope },
    ],
    says: ({ space, cell }) => `writes ${cell.bits} bits to ${space} memory`,
  },
  atomic: {
    ...step,
    reach: "block",
    writes: ({ gives }) => (gives ? 1 : 0),
    touches: ({ space, bits, gives, sem, scope }) => [
      { how: "atomic", space, address: gives ? 1 : 0, bytes: bits / 8, data: gives ? 2 : 1, sem, scope },
    ],
    says: ({ space, op, bits, gives }) =>
      `${textOf(op, "[a]", (name) => (name === "held" ? "[a]" : name))}, ${bits} bits of ${space} memory${gives ? "; d gets what was there before" : ""}`,
  },
  discard: {
    ...step,
    reach: "beyond",
    writes: 0,
    touches: ({ space, bytes }) => [{ how: "discard", space, address: 0, bytes, sem: "weak", scope: "gpu" }],
    says: ({ space, bytes }) => `drops ${bytes} bytes of ${space} memory`,
  },

  address: {
    ...step,
    reach: "registers",
    writes: 1,
    names: 1,
    says: ({ space, to }) =>
      `an address of ${space} memory ${to === "generic" ? "becomes generic" : "from a generic one"}`,
  },
  within: {
    ...step,
    reach: "registers",
    writes: 1,
    says: ({ space }) => `asks whether the address lies in ${space} memory`,
  },
  rank: { ...step, reach: "beyond", writes: 1, says: "asks which block of the cluster the address belongs to" },
  stack: {
    ...step,
    reach: "block",
    writes: ({ act }) => (act === "restore" ? 0 : 1),
    // The stack is that of the thread's program.
    alone: false,
    says: ({ act }) => stackActs[act],
  },
  special: { ...step, reach: "registers", writes: 1, says: ({ name }) => `reads %${name}` },
  nothing: {
    ...step,
    reach: "block",
    writes: 0,
    fence: ({ fence }) => fence,
    fencedProxy: ({ fencedProxy }) => fencedProxy,
    says: ({ why }) => `nothing: ${why}`,
  },
  trap: { ...step, reach: "block", writes: 0, next: "fault", says: "ends the run with a fault" },
  gap: { ...step, reach: "block", writes: 0, next: "fault", says: "nothing: ptxrun does not implement it" },
  // It has no operands, and concerns all lanes at once: its plan says what it reads, writes and touches.
  channels: {
    ...step,
    reach: "beyond",
    writes: 0,
    // Operations that depend on %cr0 only compute, and touch no memory.
    within: ({ inner }) => (typeof inner === "function" ? [] : inner.map(({ plan }) => plan)),
    says: "computes on the channels that are enabled",
  },

  branch: {
    ...control,
    reach: "block",
    next: "targets",
    writes: 0,
    selects: ({ channels }) => channels !== undefined,
    says: "goes on at its label",
  },
  switch: {
    ...control,
    reach: "block",
    next: "targets",
    writes: 0,
    says: "goes on at the label that the index chooses",
  },
  call: {
    ...control,
    reach: "block",
    next: "callee",
    writes: 1,
    selects: ({ channels }) => channels !== undefined,
    says: "calls the function",
  },
  return: {
    ...control,
    reach: "block",
    next: "caller",
    writes: 0,
    selects: ({ channels }) => channels !== undefined,
    says: "goes back to the caller, or ends the thread",
  },
  exit: {
    ...control,
    reach: "block",
    next: "exit",
    writes: 0,
    selects: ({ channels }) => channels !== undefined,
    says: "ends the thread",
  },
  warp: {
    ...control,
    reach: "registers",
    next: "on",
    writes: ({ op }) => warpOperands(op).gives.length,
    meets: "lanes",
    says: ({ op }) => warpText(op),
  },
  ...matrixShapes,
  ...asyncShapes,
  ...linesShapes,
  ...textureShapes,
  ...bulkShapes,
  ...tensorMemoryShapes,
  ...warpgroupShapes,
  barrier: {
    ...control,
    reach: "block",
    next: "on",
    writes: ({ act }) => (act === "sync" || act === "arrive" ? 0 : 1),
    meets: "block",
    says: ({ act }) => `${act} at the barrier`,
  },
  "split barrier": {
    ...control,
    reach: "beyond",
    next: "on",
    writes: 0,
    meets: "block",
    says: ({ act }) => (act === "signal" ? "says that it has come to the barrier" : "waits at the barrier"),
  },
  "cluster barrier": {
    ...control,
    reach: "beyond",
    next: "on",
    writes: 0,
    meets: "cluster",
    says: ({ act }) => `${act} at the cluster barrier`,
  },
} as const satisfies ShapeTable;

/** Shapes with a common fact, by type, so that the compiler checks that a record for them is complete. */
type ShapesWith<F> = { [S in PlanShape]: (typeof shapes)[S] extends F ? S : never }[PlanShape];
export type StepShape = ShapesWith<{ readonly kind: "step" }>;
export type ControlShape = ShapesWith<{ readonly kind: "control" }>;
export type HoldShape = ShapesWith<{ readonly kind: "hold" }>;
export type CollectiveShape = ShapesWith<{ readonly kind: "collective" }>;
export type ComputedShape = ShapesWith<{ readonly says: "computed" }>;

/** The facts about a plan's shape. TypeScript does not see that an entry matches the shape it is stored under. */
export const entryOf = (plan: Plan): ShapeFacts<Plan> => shapes[plan.shape] as ShapeFacts<Plan>;
