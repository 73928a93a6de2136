import type { Program } from "../../../src/interp/contract/program.ts";

type Three = readonly [number, number, number];

/** Blocks of a grid and threads of a block. */
export interface Extents {
  readonly grid: Three;
  readonly block: Three;
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

/** Whether special registers of this name say where a thread is along x, y and z. */
const axes = ({ specials }: Program, name: string): readonly boolean[] =>
  ["x", "y", "z"].map((axis) => specials.some((each) => each.name === `${name}.${axis}`));

/** Shapes of a launch that may fit a kernel, the likeliest first: constants in its code say no more. */
export function shapesOf(program: Program): readonly Extents[] {
  const { requiredThreads, maxThreads, requiredCluster } = program.limits;
  const uses = axes(program, "tid");
  const knowsLanes = program.specials.some(({ name }) => name === "laneid" || name === "tid.x");
  const count = uses[2] ? 3 : uses[1] ? 2 : knowsLanes ? 1 : 0;
  const most = maxThreads === undefined ? 1024 : volume(maxThreads);
  const fitting = (blocks[count] ?? []).filter((block) => volume(block) <= most);
  const candidates =
    requiredThreads !== undefined ? [requiredThreads] : fitting.length > 0 ? fitting : ([[most, 1, 1]] as const);
  const [x = false, y = false, z = false] = axes(program, "ctaid");
  const times = requiredCluster ?? [1, 1, 1];
  const grid: Three = [(x ? 2 : 1) * times[0], (y ? 2 : 1) * times[1], (z ? 2 : 1) * times[2]];
  return candidates.map((block) => ({ grid, block }));
}

/** Smaller ones, to be tried for a failure that is easier to look at: one block, then fewer threads. */
export function smallerThan({ grid, block }: Extents): readonly Extents[] {
  const one: Three = [1, 1, 1];
  const halves: Extents[] = [];
  for (let [x, y, z] = block; x * y * z > 1; ) {
    if (z > 1) z = Math.ceil(z / 2);
    else if (y > 1) y = Math.ceil(y / 2);
    else x = Math.ceil(x / 2);
    halves.unshift({ grid: one, block: [x, y, z] });
  }
  return [...halves, ...(volume(grid) > 1 ? [{ grid: one, block }] : [])];
}
