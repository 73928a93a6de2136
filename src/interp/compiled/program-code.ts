import { VectorFunctions } from "../../numeric/vector/function-set.ts";
import { Code } from "../../wasm/code.ts";
import { type CompiledModule, compileModule } from "../../wasm/engine.ts";
import { ModuleWriter } from "../../wasm/module.ts";
import { LANES } from "../contract/lane-mask.ts";
import type { Program } from "../contract/program.ts";
import { layout } from "../state/warp.ts";
import { type Block, blocksOf, lastOf } from "./blocks.ts";
import type { Frame } from "./frame.ts";
import { Liveness } from "./liveness.ts";
import { ACTIVE, FUEL_LEFT, MOST_RANGES, RANGES, STEPS } from "./places.ts";
import { constantSlots, type RegisterKey } from "./registers.ts";
import { type AccessGroup, type Segment, type StepSegment, segmentsOf } from "./segment.ts";
import { SegmentCode } from "./segment-code.ts";

/** A program as a module of WebAssembly, for any launch with memory of one size. */
export interface ProgramCode {
  readonly module: CompiledModule;
  /** By pc: the block that begins there, or -1. */
  readonly entries: Int32Array;
  /** By pc: the last instruction of that block. A block may only be entered where no group waits within it. */
  readonly lasts: Int32Array;
  /** By pc of an access: where the range lies in the state that it is checked against, or 0. */
  readonly ranges: Int32Array;
}

/** What the module is made for. */
export interface CodeOptions {
  /** 64 KiB each. */
  readonly pages: number;
  /** Somebody may look at registers and at what has been executed. */
  readonly observable: boolean;
}

/** Functions that the module imports, by index. */
const REDO = 0;
const STEP = 1;

/** Mutable globals of the module, by index. */
const STATE = 0;
const MEET = 1;
const LIMIT = 2;
const EXECUTED = 3;
const FUEL = 4;

/** Translates a program; undefined where nothing in it can be. Throws an Error where the engine refuses the module. */
export function codeOf(program: Program, options: CodeOptions): ProgramCode | undefined {
  return blocksOf(program).length === 0 ? undefined : new Translation(program, options).result();
}

class Translation {
  readonly #program: Program;
  readonly #options: CodeOptions;
  readonly #module: ModuleWriter;
  readonly #functions: VectorFunctions;
  readonly #blocks: readonly Block[];
  readonly #entries: Int32Array;
  readonly #lasts: Int32Array;
  readonly #ranges: Int32Array;
  readonly #rangeOfGroup = new Map<AccessGroup, number>();
  readonly #liveness: Liveness | undefined;
  readonly #at: ReturnType<typeof layout>;

  constructor(program: Program, options: CodeOptions) {
    this.#program = program;
    this.#options = options;
    this.#module = new ModuleWriter(options.pages);
    this.#functions = new VectorFunctions(this.#module);
    this.#blocks = blocksOf(program);
    this.#entries = new Int32Array(program.code.length + 1).fill(-1);
    this.#lasts = new Int32Array(program.code.length + 1);
    for (const block of this.#blocks) {
      this.#entries[block.start] = block.number;
      this.#lasts[block.start] = lastOf(block);
    }
    this.#ranges = new Int32Array(program.code.length);
    this.#liveness = options.observable ? undefined : new Liveness(program);
    this.#at = layout({ lanes: LANES, ...program.banks, code: program.code.length });
  }

  result(): ProgramCode {
    const module = this.#module;
    module.import("redo", { takes: ["i32", "i32", "i32", "i32"], gives: [] });
    module.import("step", { takes: ["i32", "i32", "i32"], gives: [] });
    for (const name of ["state", "meet", "limit", "executed", "fuel"]) module.global(0, name);
    const constants = constantSlots(this.#program.constants);
    const table: number[] = [];
    for (const block of this.#blocks) {
      const segments = segmentsOf(this.#program, constants, block.start, block.end);
      this.#giveRanges(segments);
      for (const full of [true, false]) table.push(this.#block(block, segments, full));
    }
    module.table(table);
    this.#run();
    return { module: compileModule(module.result()), entries: this.#entries, lasts: this.#lasts, ranges: this.#ranges };
  }

  #giveRanges(segments: readonly (Segment | StepSegment)[]): void {
    for (const segment of segments) {
      if (segment.kind === "step") continue;
      for (const { pc, group } of segment.accesses) {
        if (group.address.space !== "global") continue;
        const number = this.#rangeOfGroup.size % MOST_RANGES;
        const known = this.#rangeOfGroup.get(group) ?? RANGES + 8 * number;
        this.#rangeOfGroup.set(group, known);
        this.#ranges[pc] = known;
      }
    }
  }

  /** The function of a block, for full warps or for others: gives the number of the next block, or the complement of a pc. */
  #block(block: Block, segments: readonly (Segment | StepSegment)[], full: boolean): number {
    const code = new Code(2);
    const [base, active] = [0, 1];
    const locals = Array.from({ length: 5 }, () => code.local("i32"));
    const [state, chunk, rowR, rowQ, taken] = locals as [number, number, number, number, number];
    const frame: Frame = {
      ...{ code, full, base, active, state, chunk, rowR, rowQ },
      functions: this.#functions,
      bankR: this.#at.r,
      bankP: this.#at.p,
      vectors: [],
    };
    const length = block.end - block.start + (block.branch === undefined ? 0 : 1);
    code.globalGet(STATE).set(state);
    code.loop();
    code.globalGet(EXECUTED).i32(length).scalar("i32.add").globalGet(LIMIT).scalar("i32.gt_u").if();
    code.i32(~block.start).scalar("return").end();
    for (const segment of segments) this.#segment(segment, block, frame);
    this.#executed(block, frame, length);
    this.#leave(block, frame, taken);
    code.end().scalar("unreachable");
    return this.#module.function({ takes: ["i32", "i32"], gives: ["i32"] }, code);
  }

  #segment(segment: Segment | StepSegment, block: Block, frame: Frame): void {
    const { code } = frame;
    if (segment.kind === "step") {
      code.i32(segment.from).i32(block.start).globalGet(EXECUTED).call(STEP);
      return;
    }
    const writer = new SegmentCode(segment, frame);
    const checked = writer.check((group) => this.#rangeOfGroup.get(group)!);
    if (checked) {
      code.if();
      code.i32(segment.from).i32(segment.to).i32(block.start).globalGet(EXECUTED).call(REDO);
      code.else();
    }
    const mark = this.#options.observable ? (pc: number) => this.#at.executed + 4 * pc : undefined;
    writer.run((key) => this.#needed(segment.to, key), mark);
    if (checked) code.end();
  }

  #needed(pc: number, key: RegisterKey): boolean {
    return this.#liveness === undefined || this.#liveness.after(pc, key);
  }

  #executed(block: Block, { code, base, active }: Frame, length: number): void {
    if (this.#options.observable) {
      const note = (offset: number): void => {
        code.get(base).get(base).access("i32.load", offset).get(active).scalar("i32.or").access("i32.store", offset);
      };
      const ends = block.branch !== undefined;
      if (ends) note(this.#at.executedToEnd + 4 * block.start);
      else
        for (let pc = block.start; pc < block.end; pc++)
          if (this.#program.code[pc]!.guard === undefined) note(this.#at.executed + 4 * pc);
    }
    code.globalGet(EXECUTED).i32(length).scalar("i32.add").globalSet(EXECUTED);
  }

  #leave(block: Block, frame: Frame, taken: number): void {
    const { code, base, active, bankP } = frame;
    const { branch, start, end } = block;
    if (branch === undefined) {
      this.#goTo(end, code);
      return;
    }
    const { target, instruction } = branch;
    const { guard } = instruction;
    if (guard !== undefined) {
      code.get(base).access("i32.load", bankP + 4 * guard.slot);
      if (guard.negated) code.i32(-1).scalar("i32.xor");
      code.get(active).scalar("i32.and").tee(taken).scalar("i32.eqz").if();
      this.#goTo(end + 1, code);
      code.end();
      // They part: JavaScript executes the branch.
      code.get(taken).get(active).scalar("i32.ne").if();
      code.globalGet(EXECUTED).i32(1).scalar("i32.sub").globalSet(EXECUTED);
      code.i32(~end).scalar("return").end();
    }
    if (target <= end) {
      code.globalGet(FUEL).i32(1).scalar("i32.sub").globalSet(FUEL);
      code.globalGet(FUEL).i32(0).scalar("i32.le_s").if().i32(~target).scalar("return").end();
    }
    if (target === start) code.branch(0);
    else this.#goTo(target, code);
  }

  /** Goes on at a pc, unless another group waits before the end of the block there. */
  #goTo(pc: number, code: Code): void {
    const entry = this.#entries[pc] ?? -1;
    if (entry < 0) {
      code.i32(~pc).scalar("return");
      return;
    }
    code.i32(entry).i32(~pc).i32(this.#lasts[pc]!).globalGet(MEET).scalar("i32.lt_u").scalar("select").scalar("return");
  }

  /** Runs blocks from one on, for as long as it goes without JavaScript; gives the pc where that ends. */
  #run(): void {
    const type = this.#module.type({ takes: ["i32", "i32"], gives: ["i32"] });
    const code = new Code(3);
    const [block, base, active] = [0, 1, 2];
    const part = code.local("i32");
    code.i32(0).globalSet(EXECUTED);
    code.globalGet(STATE).access("i32.load", FUEL_LEFT).globalSet(FUEL);
    code.get(active).i32(-1).scalar("i32.ne").set(part);
    code.loop();
    code.get(base).get(active);
    code.get(block).i32(1).scalar("i32.shl").get(part).scalar("i32.or").callIndirect(type);
    code.tee(block).i32(0).scalar("i32.ge_s").branchIf(0).end();
    code.globalGet(STATE).globalGet(EXECUTED).access("i32.store", STEPS);
    code.globalGet(STATE).globalGet(FUEL).access("i32.store", FUEL_LEFT);
    code.globalGet(STATE).get(active).access("i32.store", ACTIVE);
    code.get(block).i32(-1).scalar("i32.xor");
    this.#module.function({ takes: ["i32", "i32", "i32"], gives: ["i32"] }, code, "run");
  }
}
