import { Code } from "../../../wasm/code.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import { keysOf, type RegisterKey } from "../../contract/liveness.ts";
import type { Instruction } from "../../contract/program.ts";
import { late as lateWords } from "../boundary/late-layout.ts";
import { globals } from "../boundary/module-globals.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import { copySiteOf } from "../copies/copy-site.ts";
import type { Frame } from "../frame/frame.ts";
import type { RegisterForms } from "../segment/lane-forms.ts";
import { formsBehind, formsInLoop } from "../segment/register-forms.ts";
import { type Access, type AccessGroup, mayWait, type Segment, type StepSegment, toldOf } from "../segment/segment.ts";
import { SegmentCode } from "../segment-code/segment-code.ts";
import { type Block, type BlockControl, lastOf, lengthOf } from "./blocks.ts";
import { writePasses } from "./call-code.ts";
import type { CallSite } from "./call-site.ts";
import { ControlWriter } from "./control-code.ts";
import type { Surroundings } from "./surroundings.ts";

/** A block with what it is cut into. */
export interface CutBlock {
  readonly block: Block;
  readonly segments: readonly (Segment | StepSegment)[];
}

/** Instructions at most of the blocks behind another that are part of its function. */
const MOST_FOLLOWING = 24;

/** The same on all ways together: each branch has two, and short blocks in a loop have thousands. */
const MOST_REPEATED = 96;

/** Accesses that have as much room as the copies that warps mostly wait for by one instruction. */
const MOST_COPIED = 240;

/** Instructions of a program at most whose code may be repeated, for each chunk or in the functions of several blocks. */
const LONGEST_REPEATED = 512;

/**
 * Writes a function for each block: (base, active) returns the block that comes next, or the complement of the pc where
 * JavaScript goes on. By then all state is in registers, memory and the module's globals.
 */
export class BlockWriter {
  readonly #with: Surroundings;
  readonly #control: ControlWriter;
  readonly #blocks: readonly CutBlock[];
  /** The function that examines the accesses of a segment, of full warps and of others. */
  readonly #examiners = [new Map<Segment, number>(), new Map<Segment, number>()] as const;

  constructor(surroundings: Surroundings, blocks: readonly CutBlock[]) {
    this.#with = surroundings;
    this.#control = new ControlWriter(surroundings);
    this.#blocks = blocks;
  }

  /** The function of a block for full warps, or for others. */
  block({ block, segments }: CutBlock, full: boolean): number {
    const frame = this.#frame(full);
    const forms = this.#with.forms;
    this.#body(block, segments, frame, forms, frame.repeats ? MOST_FOLLOWING : 0, { left: MOST_REPEATED });
    frame.code.scalar("unreachable");
    return this.#with.module.function({ takes: ["i32", "i32"], gives: ["i32"] }, frame.code);
  }

  /**
   * All of a block, where `forms` are known of registers. Full warps go on in short blocks behind it without leaving the function:
   * `more` instructions at most, on all ways `all`.
   */
  #body(
    block: Block,
    segments: CutBlock["segments"],
    frame: Frame,
    forms: RegisterForms,
    more: number,
    all: { left: number },
  ): void {
    const { code } = frame;
    const { program } = this.#with;
    const length = lengthOf(block);
    const { control } = block;
    const loops = control?.kind === "branch" && control.target === block.start;
    let known = loops && this.#flows(frame) ? formsInLoop(segments, program, forms) : forms;
    code.loop();
    code.globalGet(globals.executed).i32(length).scalar("i32.add").globalGet(globals.limit).scalar("i32.gt_u");
    // A group may wait in the middle of the block, because its scheduling turn ended there.
    code.globalGet(globals.meet).i32(lastOf(block)).scalar("i32.le_u").scalar("i32.or").if();
    code.i32(~block.start).scalar("return").end();
    for (const segment of segments) known = this.#segment(segment, block, frame, known);
    // Other control instructions may write registers.
    if (control !== undefined && !writesNothing.has(control.kind)) known = this.#with.forms;
    this.#notice(block, frame);
    code.globalGet(globals.executed).i32(length).scalar("i32.add").globalSet(globals.executed);
    this.#control.leave(block, frame, code.local("i32"), (entry) => {
      const next = frame.full ? this.#blocks[entry] : undefined;
      const left = more - (next === undefined ? 0 : lengthOf(next.block));
      if (next === undefined || left < 0 || all.left < lengthOf(next.block)) return false;
      all.left -= lengthOf(next.block);
      this.#body(next.block, next.segments, frame, known, left, all);
      code.scalar("unreachable");
      return true;
    });
    code.end();
  }

  /** Whether what is known of registers goes from segment to segment: all lanes execute both, and nobody else writes registers. */
  #flows({ full, lanes }: Frame): boolean {
    return full && lanes === LANES && this.#with.liveness !== undefined;
  }

  /** The beginning of every function of a block, (base, active). */
  #frame(full: boolean): Frame {
    const code = new Code(2);
    const local = (): number => code.local("i32");
    const state = local();
    code.globalGet(globals.state).set(state);
    return {
      code,
      lanes: this.#with.lanes,
      full,
      row: 4 * this.#with.lanes,
      base: 0,
      active: 1,
      state,
      chunk: local(),
      rowR: local(),
      rowQ: local(),
      functions: this.#with.functions,
      repeats: this.#with.program.code.length <= LONGEST_REPEATED,
      bankR: this.#with.layout.r,
      bankP: this.#with.layout.p,
      wide: false,
      vectors: [],
    };
  }

  /** The frame of a segment in the same function. */
  #within(frame: Frame): Frame {
    return this.#with.native && frame.lanes % 8 === 0 ? { ...frame, wide: true, vectors: [] } : frame;
  }

  /** The function that examines the accesses of a segment. */
  #examiner(segment: Segment, full: boolean): number {
    const examiners = this.#examiners[full ? 0 : 1];
    const known = examiners.get(segment);
    if (known !== undefined) return known;
    const { distance, rangeOf, learn, above, forms, module } = this.#with;
    const frame = this.#frame(full);
    new SegmentCode(segment, this.#within(frame), forms).examine(
      distance,
      rangeOf,
      () => frame.code.call(learn),
      above,
    );
    const made = module.function({ takes: ["i32", "i32"], gives: ["i32"] }, frame.code);
    examiners.set(segment, made);
    return made;
  }

  /** Returns what is known of registers behind the segment. */
  #segment(segment: Segment | StepSegment, block: Block, frame: Frame, forms: RegisterForms): RegisterForms {
    const { code, base, active } = frame;
    const { redo, step, notify: tell, audience, liveness, held, layout, distance, rangeOf, program, late } = this.#with;
    if (segment.kind === "step") {
      const left = this.#copies(segment.from, block, frame);
      code.i32(segment.from).i32(block.start).globalGet(globals.executed).get(active).call(step);
      if (program.code[segment.from]!.plan.shape === "mbarrier test") this.#spend(frame);
      if (left) code.end();
      return this.#flows(frame) ? formsBehind(segment, program, forms) : forms;
    }
    const writer = new SegmentCode(segment, this.#within(frame), forms);
    const wrong = code.local("i32");
    const checked = writer.check(distance, rangeOf);
    if (checked) {
      // An access to memory that is not known to be clean may still be right.
      code
        .if()
        .get(base)
        .get(active)
        .call(this.#examiner(segment, frame.full))
        .set(wrong)
        .else()
        .i32(0)
        .set(wrong)
        .end();
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
    const told = toldOf(segment, audience);
    const waits = told.length > 0 && mayWait(told, audience);
    if (waits) {
      writeRoom(
        told.length,
        { ready: late!.ready, notify: tell! },
        { pc: segment.from, start: block.start, active },
        code,
      );
      code.i32(told.length).call(late!.ready).scalar("i32.eqz").if();
      code.i32(segment.from).i32(segment.to).i32(block.start).globalGet(globals.executed).get(active).call(redo);
      code.else();
      this.#note(told, writer, frame);
    }
    const [last] = waits ? [] : told;
    const inRow = last && this.#rowOf(last, writer);
    const lanes = inRow === undefined ? last && writer.locate(last, audience.apart === true) : code.local("i32");
    const asked = lanes === undefined ? [] : storedBy(program.code[segment.to - 1]!);
    const needed = (key: RegisterKey): boolean =>
      liveness === undefined || (liveness.after(segment.to, key) && !held.has(key)) || asked.includes(key);
    writer.run(needed, mark);
    if (lanes !== undefined) {
      if (inRow === undefined) this.#wait(last!, lanes, code);
      else this.#waitInRow(inRow, code);
      code
        .tee(lanes)
        .if()
        .i32(segment.to - 1)
        .get(lanes)
        .i32(block.start)
        .globalGet(globals.executed);
      code.get(active).call(tell!).end();
    }
    if (waits) code.end();
    if (checked) code.end();
    return this.#flows(frame) ? formsBehind(segment, program, forms, writer.forms) : forms;
  }

  /**
   * Lets the loads of a segment wait. Of those of a group addresses differ by a constant: if all lanes load, what is found out of the first
   * goes for the others.
   */
  #note(told: readonly Access[], writer: SegmentCode, { code, full }: Frame): void {
    const { late, lateOf, judges } = this.#with;
    const first = new Map<AccessGroup, { readonly offset: number; readonly where: number; readonly matched: number }>();
    for (const access of told) {
      const { pc, group, offset } = access;
      const number = lateOf(pc)!;
      const inRow = this.#rowOf(access, writer);
      if (inRow !== undefined) {
        this.#waitInRow(inRow, code);
        code.scalar("drop");
        continue;
      }
      const one = (): void => {
        const lanes = writer.locate(access, true);
        judges!.write(judgedOf(access), lanes, code);
        code.get(lanes).i32(number).i32(0).call(late!.access).scalar("drop");
      };
      const known = first.get(group);
      if (known !== undefined) {
        code
          .i32(number)
          .get(known.where)
          .i32(offset - known.offset)
          .scalar("i32.add");
        code.get(known.matched).call(late!.again).scalar("i32.eqz").if();
        one();
        code.end();
        continue;
      }
      one();
      const others = told.filter((other) => other !== access && other.group === group);
      if (!full || group.address.space !== "shared" || others.length === 0) continue;
      const [where, matched] = [code.local("i32"), code.local("i32")];
      code.globalGet(globals.state).access("i32.load", offsetOf.observedWhere).set(where);
      code.globalGet(globals.late).access("i32.load", lateWords.matched).set(matched);
      first.set(group, { offset, where, matched });
    }
  }

  /** A full warp begins copies, or waits for them, in the module; opens the case that it is left to JavaScript. */
  #copies(pc: number, { start }: Block, frame: Frame): boolean {
    const { program, copies, audience, liveness, lanes, late, notify } = this.#with;
    const instruction = program.code[pc]!;
    const site = copySiteOf(instruction, program);
    if (site === undefined || !frame.full || lanes !== LANES || audience.supplied) return false;
    if (audience.observed) {
      if (late === undefined) return false;
      // Room for what the warp has waited for, unless that is very much.
      if (site.act === "wait")
        writeRoom(MOST_COPIED, { ready: late.ready, notify: notify! }, { pc, start, active: frame.active }, frame.code);
    }
    const { guard } = instruction;
    if (guard === undefined) copies.write(site, pc, frame);
    else {
      // Who may look at what has been executed finds which lanes passed the guard: JavaScript notes that.
      if (liveness === undefined) return false;
      const { code, base, bankP } = frame;
      const passing = code.local("i32");
      code.get(base).access("i32.load", bankP + 4 * guard.slot);
      if (guard.negated) code.i32(-1).scalar("i32.xor");
      code.tee(passing).i32(-1).scalar("i32.eq").if();
      copies.write(site, pc, frame);
      code.set(passing).end().get(passing);
    }
    frame.code.if();
    return true;
  }

  /** Where all lanes are about to access words in a row, and may be notified of late: a local with the place of lane 0, and the judge. */
  #rowOf(access: Access, writer: SegmentCode): InRow | undefined {
    const { late, lateOf, lanes, judges } = this.#with;
    const { space } = access.group.address;
    if (late === undefined || lanes !== LANES || (space !== "global" && space !== "shared")) return undefined;
    const judge = judges!.row(judgedOf(access));
    const number = judge === undefined ? undefined : lateOf(access.pc);
    const place = number === undefined ? undefined : writer.row(access);
    return place === undefined ? undefined : { number: number!, place, judge: judge! };
  }

  /** Pushes the lanes that observers are to be notified of now. */
  #waitInRow({ number, place, judge }: InRow, code: Code): void {
    code.get(place).call(judge);
    code.i32(number).get(place).call(this.#with.late!.row);
  }

  /** Leaves the turn one backward branch, where a step has said so. */
  #spend({ code, state }: Frame): void {
    code.get(state).access("i32.load", offsetOf.spins).if();
    code.i32(1).globalGet(globals.yieldBudget);
    code.globalGet(globals.yieldBudget).i32(1).scalar("i32.gt_s").scalar("select").globalSet(globals.yieldBudget).end();
  }

  /** Pushes those of the lanes that have made an access that observers are to be notified of now. */
  #wait(access: Access, made: number, code: Code): void {
    const { late, lateOf, lanes, judges } = this.#with;
    const { pc, act, group } = access;
    const { space } = group.address;
    const mayWait = late !== undefined && lanes === LANES && (space === "global" || space === "shared");
    const number = mayWait ? lateOf(pc) : undefined;
    if (number !== undefined) judges!.write(judgedOf(access), made, code);
    code.get(made);
    if (number !== undefined)
      code
        .i32(number)
        .i32(act === "store" ? group.bytes : 0)
        .call(late!.access);
  }

  /** Records which lanes have run the block, if an observer may ask. */
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

  /** The block that a call returns to: it copies the results, and goes on behind the call. */
  landing({ pc, gives }: CallSite, full: boolean): number {
    const { distance, know, module } = this.#with;
    const frame = this.#frame(full);
    writePasses(gives, frame, { distance, know });
    this.#control.goTo(pc + 1, frame.code);
    frame.code.scalar("unreachable");
    return module.function({ takes: ["i32", "i32"], gives: ["i32"] }, frame.code);
  }
}

/** Control instructions that write no registers. */
const writesNothing: ReadonlySet<BlockControl["kind"]> = new Set(["branch", "barrier", "exit"]);

/** An access to words in a row: its number, a local with the place of lane 0, and the function that judges it. */
interface InRow {
  readonly number: number;
  readonly place: number;
  readonly judge: number;
}

/** Lets JavaScript make room for accesses that wait, if there may be too little. */
function writeRoom(
  count: number,
  { ready, notify }: { readonly ready: number; readonly notify: number },
  { pc, start, active }: { readonly pc: number; readonly start: number; readonly active: number },
  code: Code,
): void {
  code.i32(count).call(ready).scalar("i32.eqz").if();
  code.i32(pc).i32(0).i32(start).globalGet(globals.executed).get(active).call(notify).end();
}

const judgedOf = ({ pc, act, group: { address, bytes } }: Access) => ({
  pc,
  act,
  shared: address.space === "shared",
  bytes,
});

/** The registers that a store takes its values from: observers may ask for them after the store. */
const storedBy = ({ plan, operands }: Instruction): readonly RegisterKey[] =>
  plan.shape === "store" ? keysOf(operands[1]) : [];
