import { VectorFunctions } from "../../../numeric/vector/function-set.ts";
import { type CompiledModule, compileModule } from "../../../wasm/engine.ts";
import { fusesMultiplyAdd } from "../../../wasm/fused.ts";
import { ModuleWriter } from "../../../wasm/module.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import { Liveness } from "../../contract/liveness.ts";
import { parameterRegisters } from "../../contract/parameter-registers.ts";
import { hasProxies } from "../../contract/plan/effects.ts";
import { asyncShapes } from "../../contract/plan/shapes/shapes-async.ts";
import { bulkShapes } from "../../contract/plan/shapes/shapes-bulk.ts";
import { tensorMemoryShapes } from "../../contract/plan/shapes/shapes-tensor-memory.ts";
import { warpgroupShapes } from "../../contract/plan/shapes/shapes-warpgroup.ts";
import type { Program } from "../../contract/program.ts";
import { watchedSteps } from "../../javascript/watched-steps.ts";
import { scanFunctions } from "../../memory/scan-code.ts";
import { layout } from "../../state/warp.ts";
import { BlockWriter } from "../block/block-code.ts";
import { blocksOf } from "../block/blocks.ts";
import type { CallSite } from "../block/call-site.ts";
import type { Surroundings } from "../block/surroundings.ts";
import { MOST_LATE } from "../boundary/late-layout.ts";
import { globals } from "../boundary/module-globals.ts";
import { CONSTANT_RANGE, MOST_RANGES } from "../boundary/state-layout.ts";
import { CopyFunctions } from "../copies/copy-code.ts";
import { JudgeFunctions } from "../judging/judge-code.ts";
import { MultiplyFunctions } from "../matrix/multiply-code.ts";
import { groupFunctions } from "../round-robin/group-code.ts";
import { runFunctions } from "../round-robin/round-robin-code.ts";
import { hasRange } from "../segment/address.ts";
import type { LanesInRow } from "../segment/lanes-in-row.ts";
import { knownConstants, registerForms } from "../segment/register-forms.ts";
import { constantSlots } from "../segment/registers.ts";
import { type AccessGroup, type Audience, type Segment, type StepSegment, segmentsOf } from "../segment/segment.ts";
import { lateFunctions } from "./late-code.ts";
import type { NativeModule } from "./native-code.ts";

/** What is known of a module besides its bytes. Plain data, which structured clone accepts. */
export interface CodeFacts {
  /** By pc: the block that begins there, or -1. */
  readonly entries: Int32Array;
  /** By block: the pc where it begins. */
  readonly starts: Int32Array;
  /** By block behind a call (a block in addition to those of the program): the call. */
  readonly calls: ReadonlyMap<number, CallSite>;
  /** By pc of an access: the range of the state that it is checked against, or -1. */
  readonly ranges: Int32Array;
  /** The ranges among them that stores are checked against. */
  readonly stored: ReadonlySet<number>;
  /** The accesses that may be notified of late: their pcs. */
  readonly late: readonly number[];
  /** Whether the program has asynchronous operations. */
  readonly asynchronous: boolean;
}

/** A program as the bytes of a module of WebAssembly, for any launch with memory of one size. */
export interface WrittenCode extends CodeFacts {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The same, compiled by the engine, or by a C compiler. */
export interface ProgramCode extends CodeFacts {
  readonly module: CompiledModule | NativeModule;
}

/** What the code of a module depends on besides its program. */
export interface CodeOptions extends Omit<Audience, "fused" | "watched"> {
  /** Lanes of a warp, a multiple of four. */
  readonly lanes: number;
  /** 64 KiB each. */
  readonly pages: number;
  /** The target whose tensor cores multiply, if the program multiplies matrices. */
  readonly target?: string;
  /** How the block's threads lie in warps. */
  readonly inRow: LanesInRow;
  /** The module becomes C (`native-code.ts`), whose segments have vectors of eight lanes. */
  readonly native?: boolean;
}

/** Throws an Error where the engine refuses the module. */
export function compiledCode({ bytes, ...facts }: WrittenCode): ProgramCode {
  return { module: compileModule(bytes), ...facts };
}

/** Translates a program; undefined if nothing in it can be translated. The code depends on `fusesMultiplyAdd`, too. */
export function writtenCode(program: Program, options: CodeOptions): WrittenCode | undefined {
  const { module, ...facts } = loweredCode(program, options) ?? {};
  return module && { bytes: module.result(), ...(facts as CodeFacts) };
}

/** A program as a module that is in no form yet; undefined if nothing in it can be translated. */
export function loweredCode(
  program: Program,
  given: CodeOptions,
): (CodeFacts & { readonly module: ModuleWriter }) | undefined {
  // Each access that may be late needs a number.
  const numbered = given.late === true && given.lanes === LANES && areFew(program);
  const watched = watchedSteps(program);
  const options = { ...given, late: numbered, watched, fused: given.native === true || fusesMultiplyAdd() };
  const { lanes, pages, inRow, target, observable, observed, apart = false, native = false } = options;
  const blocks = blocksOf(program);
  if (blocks.length === 0) return undefined;
  const module = new ModuleWriter(pages);
  const redo = module.import("redo", { takes: ["i32", "i32", "i32", "i32", "i32"], gives: [] });
  const step = module.import("step", { takes: ["i32", "i32", "i32", "i32"], gives: [] });
  const learn = module.import("learn", { takes: ["i32", "i32"], gives: [] });
  const know = module.import("know", { takes: ["i32", "i32"], gives: [] });
  const hold = module.import("hold", { takes: [], gives: ["i32"] });
  const tell = observed ? module.import("tell", { takes: ["i32", "i32", "i32", "i32", "i32"], gives: [] }) : undefined;
  const met =
    observed || hasProxies(program)
      ? module.import("met", { takes: ["i32", "i32", "i32", "i32"], gives: [] })
      : undefined;
  const turns = apart
    ? {
        completed: module.import("completed", { takes: ["i32"], gives: [] }),
        began: module.import("began", { takes: [], gives: [] }),
      }
    : undefined;
  for (const name of Object.keys(globals)) module.global(0, name);
  const late = apart ? lateFunctions(module) : undefined;
  const judges = late && new JudgeFunctions(module, program);
  const entries = new Int32Array(program.code.length + 1).fill(-1);
  for (const { number, start } of blocks) entries[start] = number;
  const constants = constantSlots(program.constants);
  const ranges = new Ranges(program.code.length);
  const calls = blocks.flatMap(({ control }) => (control?.kind === "call" ? control.calling.sites : []));
  const accesses: number[] = [];
  const lateOf = (pc: number): number | undefined => {
    const known = accesses.indexOf(pc);
    if (known >= 0) return known;
    return accesses.length < MOST_LATE ? accesses.push(pc) - 1 : undefined;
  };
  const landings = new Map(calls.map((site, at) => [site, blocks.length + at]));
  const cut = blocks.map((block) => {
    const segments = segmentsOf(program, constants, block.start, block.end, options);
    ranges.give(segments);
    return { block, segments };
  });
  const surroundings: Surroundings = {
    program,
    module,
    entries,
    redo,
    step,
    learn,
    know,
    audience: options,
    notify: tell,
    met,
    late,
    lateOf,
    judges,
    landings,
    distance: (pages / 2) * 65536,
    functions: new VectorFunctions(module),
    groups: groupFunctions(module),
    products: new MultiplyFunctions(module, target ?? program.target, options.fused),
    copies: new CopyFunctions({ module, distance: (pages / 2) * 65536, hold, know, judges }),
    above: scanFunctions(module).above,
    lanes,
    native,
    layout: layout({ lanes, ...program.banks, code: program.code.length }),
    liveness: observable ? undefined : Liveness.of(program),
    held: new Set(observable ? [] : parameterRegisters(program).map(({ bank, slot }) => `${bank}${slot}` as const)),
    forms: observable || lanes !== 32 ? new Map() : registerForms(program, constants, inRow),
    constants: observable ? program.constants : knownConstants(program),
    rangeOf: (group) => ranges.of(group),
  };
  const writer = new BlockWriter(surroundings, cut);
  const table = cut.flatMap((each) => [true, false].map((full) => writer.block(each, full)));
  for (const site of calls) table.push(...[true, false].map((full) => writer.landing(site, full)));
  module.table(table);
  runFunctions(module, {
    lanes,
    entry: entries[0]!,
    distance: (pages / 2) * 65536,
    votes: blocks.some(({ control }) => control?.kind === "reduction"),
    notify: turns && late && { ...turns, late },
  });
  const starts = Int32Array.from(blocks, ({ start }) => start);
  return {
    module,
    entries,
    starts,
    calls: new Map([...landings].map(([site, block]) => [block, site])),
    ranges: ranges.byPc,
    stored: ranges.stored,
    late: accesses,
    asynchronous: isAsynchronous(program),
  };
}

const areFew = ({ code }: Program): boolean =>
  code.filter(({ plan }) => plan.shape === "load" || plan.shape === "store" || plan.shape === "atomic").length <=
  MOST_LATE;

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
    this.byPc = new Int32Array(code).fill(-1);
  }

  give(segments: readonly (Segment | StepSegment)[]): void {
    for (const segment of segments) {
      if (segment.kind === "step") continue;
      for (const { pc, group } of segment.accesses) if (hasRange(group.address)) this.byPc[pc] = this.of(group);
    }
  }

  of(group: AccessGroup): number {
    if (group.address.space === "const") return CONSTANT_RANGE;
    const known = this.#of.get(group) ?? 1 + (this.#of.size % (MOST_RANGES - 1));
    this.#of.set(group, known);
    if (group.act !== "load") this.stored.add(known);
    return known;
  }
}
