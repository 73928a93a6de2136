import { VectorFunctions } from "../../numeric/vector/function-set.ts";
import { type CompiledModule, compileModule } from "../../wasm/engine.ts";
import { ModuleWriter } from "../../wasm/module.ts";
import { LANES } from "../contract/lane-mask.ts";
import type { Program } from "../contract/program.ts";
import { asyncShapes } from "../contract/shapes-async.ts";
import { bulkShapes } from "../contract/shapes-bulk.ts";
import { tensorMemoryShapes } from "../contract/shapes-tensor-memory.ts";
import { warpgroupShapes } from "../contract/shapes-warpgroup.ts";
import { layout } from "../state/warp.ts";
import { hasRange } from "./address.ts";
import { BlockWriter } from "./block-code.ts";
import { blocksOf } from "./blocks.ts";
import type { CallSite } from "./call-site.ts";
import { groupFunctions } from "./group-code.ts";
import { Liveness } from "./liveness.ts";
import { globals } from "./module-globals.ts";
import { CONSTANT_RANGE, MOST_RANGES, RANGES } from "./places.ts";
import { constantSlots } from "./registers.ts";
import { type AccessGroup, type Segment, type StepSegment, segmentsOf } from "./segment.ts";
import { runFunctions } from "./turn-code.ts";

/** A program as a module of WebAssembly, for any launch with memory of one size. */
export interface ProgramCode {
  readonly module: CompiledModule;
  /** By pc: the block that begins there, or -1. */
  readonly entries: Int32Array;
  /** By block: the pc where it begins. */
  readonly starts: Int32Array;
  /** By block behind a call, which is in none of the others: the call. */
  readonly calls: ReadonlyMap<number, CallSite>;
  /** By pc of an access: where the range lies in the state that it is checked against, or 0. */
  readonly ranges: Int32Array;
  /** The ranges among them that stores are checked against. */
  readonly stored: ReadonlySet<number>;
  /** Whether something may happen between two turns of warps: data that move by themselves. */
  readonly asynchronous: boolean;
}

/** What the module is made for. */
export interface CodeOptions {
  /** 64 KiB each. */
  readonly pages: number;
  /** Somebody may look at registers and at what has been executed. */
  readonly observable: boolean;
}

/** Translates a program; undefined where nothing in it can be. Throws an Error where the engine refuses the module. */
export function codeOf(program: Program, { pages, observable }: CodeOptions): ProgramCode | undefined {
  const blocks = blocksOf(program);
  if (blocks.length === 0) return undefined;
  const module = new ModuleWriter(pages);
  const redo = module.import("redo", { takes: ["i32", "i32", "i32", "i32", "i32"], gives: [] });
  const step = module.import("step", { takes: ["i32", "i32", "i32", "i32"], gives: [] });
  const learn = module.import("learn", { takes: ["i32", "i32"], gives: [] });
  const know = module.import("know", { takes: ["i32", "i32"], gives: [] });
  for (const name of Object.keys(globals)) module.global(0, name);
  const entries = new Int32Array(program.code.length + 1).fill(-1);
  for (const { number, start } of blocks) entries[start] = number;
  const constants = constantSlots(program.constants);
  const ranges = new Ranges(program.code.length);
  const calls = blocks.flatMap(({ control }) => (control?.kind === "call" ? [control.site] : []));
  const landings = new Map(calls.map((site, at) => [site, blocks.length + at]));
  const writer = new BlockWriter({
    ...{ program, module, entries, redo, step, learn, know, landings, distance: (pages / 2) * 65536 },
    functions: new VectorFunctions(module),
    groups: groupFunctions(module),
    layout: layout({ lanes: LANES, ...program.banks, code: program.code.length }),
    liveness: observable ? undefined : new Liveness(program),
    rangeOf: (group) => ranges.of(group),
  });
  const table = blocks.flatMap((block) => {
    const segments = segmentsOf(program, constants, block.start, block.end);
    ranges.give(segments);
    return [true, false].map((full) => writer.block(block, segments, full));
  });
  for (const site of calls) table.push(...[true, false].map((full) => writer.landing(site, full)));
  module.table(table);
  runFunctions(module);
  const starts = Int32Array.from(blocks, ({ start }) => start);
  return {
    module: compileModule(module.result()),
    entries,
    starts,
    calls: new Map([...landings].map(([site, block]) => [block, site])),
    ranges: ranges.byPc,
    stored: ranges.stored,
    asynchronous: isAsynchronous(program),
  };
}

const isAsynchronous = ({ code }: Program): boolean =>
  code.some(({ plan: { shape } }) =>
    [asyncShapes, bulkShapes, tensorMemoryShapes, warpgroupShapes].some((shapes) => shape in shapes),
  );

/** Which range of the state a group of accesses is checked against. With many groups some share one. */
class Ranges {
  readonly byPc: Int32Array;
  readonly stored = new Set<number>();
  readonly #of = new Map<AccessGroup, number>();

  constructor(code: number) {
    this.byPc = new Int32Array(code);
  }

  give(segments: readonly (Segment | StepSegment)[]): void {
    for (const segment of segments) {
      if (segment.kind === "step") continue;
      for (const { pc, group } of segment.accesses) if (hasRange(group.address)) this.byPc[pc] = this.of(group);
    }
  }

  of(group: AccessGroup): number {
    if (group.address.space === "const") return CONSTANT_RANGE;
    const known = this.#of.get(group) ?? RANGES + 8 * (1 + (this.#of.size % (MOST_RANGES - 1)));
    this.#of.set(group, known);
    if (group.act !== "load") this.stored.add(known);
    return known;
  }
}
