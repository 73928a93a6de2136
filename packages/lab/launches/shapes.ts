import { constantValue } from "../../../src/interp/contract/constant.ts";
import { isBarrier, isCollective, operationOf, touchesWithin } from "../../../src/interp/contract/plan/effects.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import { textOf } from "../../../src/numeric/operation/text.ts";

type Three = readonly [number, number, number];

/** Blocks of a grid and threads of a block. */
export interface Extents {
  readonly grid: Three;
  readonly block: Three;
  /** Whether the code itself says how many threads a block has. */
  readonly fixed: boolean;
}

const volume = ([x, y, z]: Three): number => x * y * z;

/** What a block may be, by how many of its axes a kernel looks at; more than one warp, so that warps may race. */
const blocks: readonly (readonly Three[])[] = [
  [[1, 1, 1]],
  [
    [64, 1, 1],
    [128, 1, 1],
    [256, 1, 1],
    [512, 1, 1],
    [1024, 1, 1],
  ],
  [
    [16, 16, 1],
    [32, 8, 1],
    [32, 32, 1],
    [8, 8, 1],
    [64, 4, 1],
    [32, 4, 1],
  ],
  [
    [4, 4, 4],
    [8, 8, 4],
    [32, 2, 2],
  ],
];

/** Whether special registers of this name say where a thread is along x, y and z; of vISA, whether ids of work-items are read. */
function axes({ specials, simd, constants }: Program, name: string): readonly boolean[] {
  if (simd === undefined)
    return ["x", "y", "z"].map((axis) => specials.some((each) => each.name === `${name}.${axis}`));
  const read = new Set(constants.flatMap(({ value }) => (typeof value === "object" ? value.variable : [])));
  return [0, 1, 2].map(
    (axis) =>
      name !== "ntid" &&
      simd.fills.some((each) => each.of === "local id" && each.axis === axis && read.has(each.variable)),
  );
}

/** Whether threads compete for memory, by atomic operations. */
export const competes = ({ code }: Program): boolean =>
  code.some(({ plan }) => touchesWithin(plan).some(({ how }) => how === "atomic"));

/**
 * Shapes of a launch that may fit a kernel, the likeliest first: the one that its code says, by what it multiplies the number of a
 * block by; or else what its collectives need, and those that people choose.
 */
export function shapesOf(program: Program): readonly Extents[] {
  const { requiredThreads, maxThreads, requiredCluster } = program.limits;
  const uses = axes(program, "tid");
  const [x = false, y = false, z = false] = axes(program, "ctaid");
  const knowsLanes =
    competes(program) || uses[0] || program.specials.some(({ name }) => name === "laneid" || name === "tid.x");
  const count = uses[2] ? 3 : uses[1] ? 2 : knowsLanes ? 1 : 0;
  const most = maxThreads === undefined ? 1024 : volume(maxThreads);
  const [first, ...others] = blocks[count] ?? [];
  const written = writtenBlock(program, first ?? [1, 1, 1]);
  const group = collectiveThreads(program);
  const collective: readonly Three[] = group === undefined || count > 1 ? [] : [[group, 1, 1]];
  // A thread that numbers itself over all axes does not care which ones a block has.
  const flat = uses[2] && axes(program, "ntid")[0] && axes(program, "ntid")[1] ? (blocks[1] ?? []) : [];
  const usual = [
    ...collective,
    ...(count === 1 && !axes(program, "ntid")[0] ? arraysOf(program) : []),
    ...(count === 2 ? tilesOf(program) : []),
    ...(first === undefined ? [] : [first]),
    ...others,
  ].filter((block) => volume(block) <= most);
  const free: readonly Three[] = usual.length > 0 ? usual : [[most, 1, 1]];
  const times = requiredCluster ?? [1, 1, 1];
  const grid: Three = [(x ? 2 : 1) * times[0], (y ? 2 : 1) * times[1], (z ? 2 : 1) * times[2]];
  if (requiredThreads !== undefined) return [{ grid, block: requiredThreads, fixed: true }];
  const said = written === undefined ? [] : [written, ...partsOf(written)].filter((block) => volume(block) <= most);
  return [
    ...said.map((block) => ({ grid, block, fixed: true })),
    ...free.map((block) => ({ grid, block, fixed: false })),
    // A kernel without barriers that does not ask how many threads there are may be for one warp.
    ...(count === 1 && !axes(program, "ntid")[0] && !program.code.some(({ plan }) => isBarrier(plan))
      ? [{ grid, block: [32, 1, 1] as const, fixed: false }]
      : []),
    ...(count === 1 && !axes(program, "ntid")[0] ? fewOf(program) : []).map((block) => ({ grid, block, fixed: false })),
    ...flat.map((block) => ({ grid: [grid[0], 1, 1] as const, block, fixed: false })),
  ];
}

/** Fewer threads for the same part of the data, each of which does several elements of it. */
function partsOf([x, y, z]: Three): readonly Three[] {
  const parts = [2, 4, 8];
  return y > 1
    ? parts.filter((part) => y % part === 0).map((part) => [x, y / part, z])
    : parts.filter((part) => x % (32 * part) === 0).map((part) => [x / part, y, z]);
}

/** A thread for each element of an array in shared memory, for kernels that do not ask how many there are. */
const arraysOf = (program: Program): readonly Three[] =>
  sharedArrays(program).flatMap((elements): Three[] =>
    elements > 32 && elements <= 1024 && elements % 32 === 0 ? [[elements, 1, 1]] : [],
  );

/** The same for arrays that are for one warp at most: tried last, since a larger block shows more. */
const fewOf = (program: Program): readonly Three[] =>
  sharedArrays(program).flatMap((elements): Three[] =>
    Number.isInteger(elements) && elements > 1 && elements <= 32 ? [[elements, 1, 1]] : [],
  );

/** A thread for each element of a square tile in shared memory; its rows may be one element longer than they are used. */
const tilesOf = (program: Program): readonly Three[] =>
  sharedArrays(program).flatMap((elements) =>
    [8, 16, 32].flatMap((side): Three[] =>
      elements === side * side || elements === side * (side + 1) ? [[side, side, 1]] : [],
    ),
  );

/** How many elements each array in shared memory has, as wide as the first access there. */
function sharedArrays({ code, variables }: Program): readonly number[] {
  const [size] = code
    .flatMap(({ plan }) => touchesWithin(plan))
    .flatMap(({ space, bytes }) => (space === "shared" ? bytes : []));
  if (size === undefined) return [];
  return variables.flatMap(({ space, bytes }) => (space === "shared" ? [bytes / size] : []));
}

/** The threads that the first collective of a kernel is for: a warp, or a warpgroup; undefined without one. */
function collectiveThreads({ code }: Program): number | undefined {
  const [first] = code.filter(({ plan }) => isCollective(plan));
  return first === undefined ? undefined : first.opcode.startsWith("wgmma") ? 128 : 32;
}

/** The block that a kernel is written for, where it multiplies `%ctaid` by constants; along other axes as `usual`. */
function writtenBlock(program: Program, usual: Three): Three | undefined {
  const along = ["x", "y", "z"].map((axis) => writtenAlong(program, axis));
  if (along.every((each) => each === undefined)) return undefined;
  const [x = usual[0], y = usual[1], z = usual[2]] = along;
  return x * y * z <= 1024 ? [x, y, z] : undefined;
}

/** The constant that `%ctaid` is multiplied by, or the power of two that it is shifted by. */
function writtenAlong(program: Program, axis: string): number | undefined {
  const { code, specials } = program;
  const blockIndex = new Set(specials.filter(({ name }) => name === `ctaid.${axis}`).map(keyOf));
  for (const { opcode, operands } of code) {
    const [to, from] = operands;
    if (opcode.startsWith("mov.") && to?.kind === "slot" && from?.kind === "slot" && blockIndex.has(keyOf(from)))
      blockIndex.add(keyOf(to));
  }
  for (const { plan, operands } of code) {
    const [to, a, b] = operands;
    // With 64 bits it is an address, and the constant the size of an element.
    if (to?.kind !== "slot" || to.bank === "q") continue;
    if (![a, b].some((each) => each?.kind === "slot" && blockIndex.has(keyOf(each)))) continue;
    const constant = [a, b].map((each) => constantValue(each, program)).find((each) => each !== undefined);
    const operation = operationOf(plan);
    if (constant === undefined || operation === undefined) continue;
    const text = textOf(operation, "d");
    const factor = text.includes("<<") ? 2 ** Number(constant & 31n) : text.includes("*") ? Number(constant) : 0;
    const least = axis === "x" ? 16 : 4;
    if (factor >= least && factor <= 1024 && factor % least === 0) return factor;
  }
  return undefined;
}

const keyOf = ({ bank, slot }: { readonly bank: string; readonly slot: number }): string => `${bank}${slot}`;

/** Smaller ones, to be tried for a failure that is easier to look at: one block, then fewer threads where those are not fixed. */
export function smallerThan({ grid, block, fixed }: Extents): readonly Extents[] {
  const one: Three = [1, 1, 1];
  const halves: Extents[] = [];
  for (let [x, y, z] = block; !fixed && x * y * z > 1; ) {
    if (z > 1) z = Math.ceil(z / 2);
    else if (y > 1) y = Math.ceil(y / 2);
    else x = Math.ceil(x / 2);
    halves.unshift({ grid: one, block: [x, y, z], fixed });
  }
  return [...halves, ...(volume(grid) > 1 ? [{ grid: one, block, fixed }] : [])];
}
