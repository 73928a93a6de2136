import type { VectorFunctions } from "../../numeric/vector/function-set.ts";
import { Code } from "../../wasm/code.ts";
import type { ModuleWriter } from "../../wasm/module.ts";
import type { Operand } from "../contract/operand.ts";
import type { Instruction, Program } from "../contract/program.ts";
import type { layout } from "../state/warp.ts";
import { isChecked } from "./address.ts";
import { writeAbsent, writeAmong } from "./among-code.ts";
import { type Block, type BlockControl, lastOf } from "./blocks.ts";
import { writePasses } from "./call-code.ts";
import type { CallSite } from "./call-site.ts";
import type { Frame } from "./frame.ts";
import type { GroupFunctions } from "./group-code.ts";
import { keysOf, type Liveness } from "./liveness.ts";
import { globals } from "./module-globals.ts";
import { CALL_HEIGHT, CALL_ROOM, CALLS, MAY_EXIT, ONE_RANK, WAITING, WHOLE } from "./places.ts";
import type { AccessGroup, Segment, StepSegment } from "./segment.ts";
import { SegmentCode } from "./segment-code.ts";

/** What the functions of all blocks are made with. */
interface Surroundings {
  readonly program: Program;
  readonly module: ModuleWriter;
  readonly functions: VectorFunctions;
  readonly groups: GroupFunctions;
  readonly layout: ReturnType<typeof layout>;
  /** Undefined where somebody may look at registers and at what has been executed. */
  readonly liveness: Liveness | undefined;
  /** By pc: the block that begins there, or -1. */
  readonly entries: Int32Array;
  /**
   * Imported functions: (from, to, start, executed, active) and (pc, start, executed, active) execute steps in JavaScript;
   * (range, address) is told of clean memory; (address, bytes) fills in the shadow of local memory.
   */
  readonly redo: number;
  readonly step: number;
  readonly learn: number;
  readonly know: number;
  /** The block behind each call. */
  readonly landings: ReadonlyMap<CallSite, number>;
  /** Bytes from data to shadow. */
  readonly distance: number;
  readonly rangeOf: (group: AccessGroup) => number;
}

/**
 * Writes a function for each block: (base, active) gives the block that comes next, or the complement of the pc where
 * JavaScript goes on. All state then stands in registers, memory and the module's globals.
 */
export class BlockWriter {
  readonly #with: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#with = surroundings;
  }

  /** The function of a block for full warps, or for others. */
  block(block: Block, segments: readonly (Segment | StepSegment)[], full: boolean): number {
    // Functions are numbered as they are written, and a block calls those of its segments.
    const examiners = segments.map((segment) => this.#examiner(segment, full));
    const frame = this.#frame(full);
    const { code } = frame;
    const length = block.end - block.start + (block.control === undefined ? 0 : 1);
    code.loop();
    code.globalGet(globals.executed).i32(length).scalar("i32.add").globalGet(globals.limit).scalar("i32.gt_u");
    // A group may wait in the middle of the block, where its turn has ended.
    code.globalGet(globals.meet).i32(lastOf(block)).scalar("i32.le_u").scalar("i32.or").if();
    code.i32(~block.start).scalar("return").end();
    for (const [at, segment] of segments.entries()) this.#segment(segment, block, frame, examiners[at]);
    this.#notice(block, frame);
    code.globalGet(globals.executed).i32(length).scalar("i32.add").globalSet(globals.executed);
    this.#leave(block, frame, code.local("i32"));
    code.end().scalar("unreachable");
    return this.#with.module.function({ takes: ["i32", "i32"], gives: ["i32"] }, code);
  }

  /** What every function of a block, (base, active), begins with. */
  #frame(full: boolean): Frame {
    const code = new Code(2);
    const local = (): number => code.local("i32");
    const state = local();
    code.globalGet(globals.state).set(state);
    return {
      ...{ code, full, base: 0, active: 1, state, chunk: local(), rowR: local(), rowQ: local() },
      functions: this.#with.functions,
      bankR: this.#with.layout.r,
      bankP: this.#with.layout.p,
      vectors: [],
    };
  }

  /** The function that examines the accesses of a segment, where it has some. */
  #examiner(segment: Segment | StepSegment, full: boolean): number | undefined {
    if (segment.kind === "step" || !segment.groups.some(({ address }) => isChecked(address))) return undefined;
    const { distance, rangeOf, learn, module } = this.#with;
    const frame = this.#frame(full);
    new SegmentCode(segment, frame).examine(distance, rangeOf, () => frame.code.call(learn));
    return module.function({ takes: ["i32", "i32"], gives: ["i32"] }, frame.code);
  }

  #segment(segment: Segment | StepSegment, block: Block, frame: Frame, examiner: number | undefined): void {
    const { code, base, active } = frame;
    const { redo, step, liveness, layout, distance, rangeOf } = this.#with;
    if (segment.kind === "step") {
      code.i32(segment.from).i32(block.start).globalGet(globals.executed).get(active).call(step);
      return;
    }
    const writer = new SegmentCode(segment, frame);
    const wrong = code.local("i32");
    const checked = writer.check(distance, rangeOf);
    if (checked) {
      // What is not known to be clean may still be right.
      code.if().get(base).get(active).call(examiner!).set(wrong).else().i32(0).set(wrong).end();
      code
        .get(wrong)
        .if()
        .i32(segment.from)
        .i32(segment.to)
        .i32(block.start)
        .globalGet(globals.executed)
        .get(active)
        .call(redo);
      code.else();
    }
    const mark = liveness === undefined ? (pc: number) => layout.executed + 4 * pc : undefined;
    writer.run((key) => liveness === undefined || liveness.after(segment.to, key), mark);
    if (checked) code.end();
  }

  /** Notes which lanes have run the block, where somebody may look. */
  #notice(block: Block, { code, base, active }: Frame): void {
    const { liveness, layout, program } = this.#with;
    if (liveness !== undefined) return;
    const note = (offset: number): void => {
      code.get(base).get(base).access("i32.load", offset).get(active).scalar("i32.or").access("i32.store", offset);
    };
    if (block.control !== undefined) note(layout.executedToEnd + 4 * block.start);
    else
      for (let pc = block.start; pc < block.end; pc++)
        if (program.code[pc]!.guard === undefined) note(layout.executed + 4 * pc);
  }

  #leave({ control, start, end }: Block, frame: Frame, lanes: number): void {
    switch (control?.kind) {
      case undefined:
        this.#goTo(end, frame.code);
        return;
      case "barrier":
        this.#barrier(end, frame.code);
        return;
      case "exit":
        this.#exit(end, control.guard, frame, lanes);
        return;
      case "branch":
        this.#branch(control.target, control.guard, start, end, frame, lanes);
        return;
      case "call":
        this.#call(control.site, control.guard, frame, lanes);
        return;
      case "return":
        this.#return(end, control.guard, frame, lanes);
        return;
      case "among":
        this.#among(control, end, frame, lanes);
        return;
    }
  }

  /** Leaves the lanes that pass a guard in a local; where there are none, goes on behind. */
  #passing(
    guard: NonNullable<Instruction["guard"]>,
    pc: number,
    { code, base, active, bankP }: Frame,
    lanes: number,
  ): void {
    code.get(base).access("i32.load", bankP + 4 * guard.slot);
    if (guard.negated) code.i32(-1).scalar("i32.xor");
    code.get(active).scalar("i32.and").tee(lanes).scalar("i32.eqz").if();
    this.#goTo(pc + 1, code);
    code.end();
  }

  #branch(target: number, guard: Instruction["guard"], start: number, end: number, frame: Frame, taken: number): void {
    const { code, active, state } = frame;
    const { groups, entries } = this.#with;
    const spend = (): void => {
      if (target <= end) code.globalGet(globals.fuel).i32(1).scalar("i32.sub").globalSet(globals.fuel);
    };
    if (guard !== undefined) {
      this.#passing(guard, end, frame, taken);
      code.get(taken).get(active).scalar("i32.ne").if();
      // They part. Of groups of several ranks JavaScript knows which one comes next.
      code.get(state).access("i32.load", ONE_RANK).scalar("i32.eqz").if();
      this.#undone(end, code);
      code.end();
      spend();
      code.i32(end + 1).i32(entries[end + 1] ?? -1);
      code.get(active).get(taken).i32(-1).scalar("i32.xor").scalar("i32.and").call(groups.wait);
      code
        .i32(target)
        .i32(entries[target] ?? -1)
        .get(taken)
        .call(groups.wait);
      code.call(groups.next).scalar("return").end();
    }
    spend();
    if (target !== start) {
      this.#goTo(target, code);
      return;
    }
    // A loop of one block: nobody waits before its end.
    code.globalGet(globals.fuel).i32(0).scalar("i32.gt_s").branchIf(0);
    this.#goTo(target, code);
  }

  #exit(pc: number, guard: Instruction["guard"], frame: Frame, gone: number): void {
    const { code, active, state } = frame;
    if (guard === undefined) code.get(active).set(gone);
    else this.#passing(guard, pc, frame, gone);
    code.get(state).access("i32.load", MAY_EXIT).scalar("i32.eqz");
    if (this.#with.landings.size > 0) code.get(state).access("i32.load", CALL_HEIGHT).scalar("i32.or");
    code.if();
    this.#undone(pc, code);
    code.end();
    code.get(state).i32(0).access("i32.store", WHOLE);
    for (const global of [globals.live, globals.active])
      code.globalGet(global).get(gone).i32(-1).scalar("i32.xor").scalar("i32.and").globalSet(global);
    if (guard !== undefined) {
      code.globalGet(globals.active).if();
      this.#goTo(pc + 1, code);
      code.end();
    }
    code.get(state).access("i32.load", WAITING).if().call(this.#with.groups.next).scalar("return").end();
    code.i32(~(pc + 1)).scalar("return");
  }

  /** Lanes exchange where all that are meant are there; who waits for whom is known to JavaScript. */
  #among({ op, operands, guard }: BlockControl & { kind: "among" }, pc: number, frame: Frame, taken: number): void {
    const { code, active, base } = frame;
    const { program, liveness, layout } = this.#with;
    const undone = (): void => {
      code.if();
      this.#undone(pc, code);
      code.end();
    };
    this.#all(guard, pc, frame, taken);
    const needed = (operand: Operand): boolean =>
      liveness === undefined || keysOf(operand).some((key) => liveness.after(pc + 1, key));
    const site = { op, operands, program, needed };
    writeAbsent(site, frame, () => code.globalGet(globals.live));
    undone();
    if (!writeAmong(site, frame)) {
      this.#undone(pc, code);
      return;
    }
    if (liveness === undefined) {
      const offset = layout.executed + 4 * pc;
      code.get(base).get(base).access("i32.load", offset).get(active).scalar("i32.or").access("i32.store", offset);
    }
    this.#goTo(pc + 1, code);
  }

  /** Where some of the lanes pass a guard, and others do not, JavaScript goes on. */
  #all(guard: Instruction["guard"], pc: number, frame: Frame, taken: number): void {
    if (guard === undefined) return;
    const { code, active } = frame;
    this.#passing(guard, pc, frame, taken);
    code.get(taken).get(active).scalar("i32.ne").if();
    this.#undone(pc, code);
    code.end();
  }

  /** A function is called by all lanes that there are: nobody waits elsewhere. */
  #call(site: CallSite, guard: Instruction["guard"], frame: Frame, taken: number): void {
    const { code, state } = frame;
    const { landings, distance, know } = this.#with;
    this.#all(guard, site.pc, frame, taken);
    code.get(state).access("i32.load", CALL_HEIGHT).get(state).access("i32.load", CALL_ROOM).scalar("i32.ge_s");
    code.get(state).access("i32.load", WAITING).scalar("i32.or").if();
    this.#undone(site.pc, code);
    code.end();
    writePasses(site.takes, frame, { distance, know });
    code.get(state).get(state).access("i32.load", CALL_HEIGHT).i32(2).scalar("i32.shl").scalar("i32.add");
    code.i32(landings.get(site)!).access("i32.store", CALLS);
    code.get(state).get(state).access("i32.load", CALL_HEIGHT).i32(1).scalar("i32.add");
    code.access("i32.store", CALL_HEIGHT);
    this.#goTo(site.entry, code);
  }

  /** Back to the call of all lanes that there are, where the module has made it. */
  #return(pc: number, guard: Instruction["guard"], frame: Frame, gone: number): void {
    const { code, state } = frame;
    this.#all(guard, pc, frame, gone);
    code.get(state).access("i32.load", CALL_HEIGHT).scalar("i32.eqz");
    code.get(state).access("i32.load", WAITING).scalar("i32.or").if();
    this.#undone(pc, code);
    code.end();
    code.get(state).get(state).access("i32.load", CALL_HEIGHT).i32(1).scalar("i32.sub");
    code.access("i32.store", CALL_HEIGHT);
    code.get(state).get(state).access("i32.load", CALL_HEIGHT).i32(2).scalar("i32.shl").scalar("i32.add");
    code.access("i32.load", CALLS).scalar("return");
  }

  /** What follows a call is a block of its own: it takes the results, and goes on behind the call. */
  landing({ pc, gives }: CallSite, full: boolean): number {
    const { distance, know, module } = this.#with;
    const frame = this.#frame(full);
    writePasses(gives, frame, { distance, know });
    this.#goTo(pc + 1, frame.code);
    frame.code.scalar("unreachable");
    return module.function({ takes: ["i32", "i32"], gives: ["i32"] }, frame.code);
  }

  /** The warp has come to barrier 0: whoever lets warps take turns knows what that means. */
  #barrier(pc: number, code: Code): void {
    const behind = this.#with.entries[pc + 1] ?? -1;
    if (behind >= 0) code.i32(behind + 1).globalSet(globals.arrived);
    this.#undone(pc, code);
  }

  /** The control instruction at `pc` has not been executed: JavaScript does it. */
  #undone(pc: number, code: Code): void {
    code.globalGet(globals.executed).i32(1).scalar("i32.sub").globalSet(globals.executed);
    code.i32(~pc).scalar("return");
  }

  /** The group goes on at a pc, or waits there for its turn. */
  #goTo(pc: number, code: Code): void {
    const { entries, groups } = this.#with;
    const entry = entries[pc] ?? -1;
    code.globalGet(globals.meet).i32(pc).scalar("i32.le_u").if();
    code.globalGet(globals.state).access("i32.load", ONE_RANK).scalar("i32.eqz").if().i32(~pc).scalar("return").end();
    code.i32(pc).i32(entry).globalGet(globals.active).call(groups.wait).call(groups.next).scalar("return").end();
    code.i32(entry < 0 ? ~pc : entry).scalar("return");
  }
}
