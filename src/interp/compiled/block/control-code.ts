import type { Code } from "../../../wasm/code.ts";
import { constantValue, isConstant } from "../../contract/constant.ts";
import { LANES } from "../../contract/launch/lane-mask.ts";
import { keysOf } from "../../contract/liveness.ts";
import { type Operand, predicate, slot } from "../../contract/operand.ts";
import type { Instruction } from "../../contract/program.ts";
import { observableAccesses } from "../../javascript/observed-access.ts";
import { happenings } from "../boundary/late-layout.ts";
import { globals } from "../boundary/module-globals.ts";
import { barrierActs, offsetOf } from "../boundary/state-layout.ts";
import type { Frame } from "../frame/frame.ts";
import { eachGroup, groupsBy, writeAbsent, writeAmong, writeNoGroups, writeUniform } from "../lanes/among-code.ts";
import { writeLines, writeLinesAddresses, writeLinesCheck } from "../lanes/lines-code.ts";
import { lanesWithLines, writeStrided } from "../lanes/strided-lines-code.ts";
import type { Block, BlockControl } from "./blocks.ts";
import { writeCommon, writeMayNotCall, writeMayNotReturn, writePasses, writePop, writePush } from "./call-code.ts";
import type { Calling, CallSite } from "./call-site.ts";
import type { Surroundings } from "./surroundings.ts";

/** Writes the code of the block, by number, where the same lanes go on; false where its function has to be called. */
type Follow = (entry: number) => boolean;

/** Writes the end of a block: its control instruction, and the choice of the block where its lanes go on. */
export class ControlWriter {
  readonly #with: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#with = surroundings;
  }

  /**
   * Writes the end of a block. By then all its steps have been executed, and are counted together with its control
   * instruction. `lanes`: a free local of i32; `follow`: goes on in a block within the function.
   */
  leave({ control, start, end }: Block, frame: Frame, lanes: number, follow: Follow): void {
    switch (control?.kind) {
      case undefined:
        this.goTo(end, frame.code, follow);
        return;
      case "barrier":
        this.#barrier(control, end, frame, lanes, follow);
        return;
      case "reduction":
        this.#reduction(control, end, frame, lanes, follow);
        return;
      case "exit":
        this.#exit(end, control.guard, frame, lanes, follow);
        return;
      case "branch":
        this.#branch(control.target, control.guard, start, end, frame, lanes, follow);
        return;
      case "call":
        this.#call(end, control.calling, control.guard, frame, lanes);
        return;
      case "return":
        this.#return(end, control.guard, frame, lanes);
        return;
      case "among":
        this.#among(control, start, end, frame, lanes, follow);
        return;
      case "multiply":
        this.#multiply(control, start, end, frame, follow);
        return;
      case "lines":
      case "strided lines":
        this.#lines(control, start, end, frame, lanes, follow);
        return;
    }
  }

  /** Leaves the lanes that pass a guard in a local; if there are none, goes on behind the instruction. */
  #passing(
    guard: NonNullable<Instruction["guard"]>,
    pc: number,
    { code, base, active, bankP }: Frame,
    lanes: number,
    follow?: Follow,
  ): void {
    code.get(base).access("i32.load", bankP + 4 * guard.slot);
    if (guard.negated) code.i32(-1).scalar("i32.xor");
    code.get(active).scalar("i32.and").tee(lanes).scalar("i32.eqz").if();
    this.goTo(pc + 1, code, follow);
    code.end();
  }

  #branch(
    target: number,
    guard: Instruction["guard"],
    start: number,
    end: number,
    frame: Frame,
    taken: number,
    follow: Follow,
  ): void {
    const { code, active, state } = frame;
    const { groups, entries } = this.#with;
    const spend = (): void => {
      if (target <= end) code.globalGet(globals.yieldBudget).i32(1).scalar("i32.sub").globalSet(globals.yieldBudget);
    };
    if (guard !== undefined) {
      this.#passing(guard, end, frame, taken, follow);
      code.get(taken).get(active).scalar("i32.ne").if();
      // The lanes diverge. With groups of several ranks only JavaScript can choose which one runs next.
      code.get(state).access("i32.load", offsetOf.oneRank).scalar("i32.eqz");
      this.#undoneIf(end, code);
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
      const onwards = (entry: number): boolean => {
        if (target > end) return follow(entry);
        code.globalGet(globals.yieldBudget).i32(0).scalar("i32.gt_s").if();
        follow(entry);
        code.end();
        return false;
      };
      this.goTo(target, code, onwards);
      return;
    }
    // A loop of one block: no group waits before its end.
    code.globalGet(globals.yieldBudget).i32(0).scalar("i32.gt_s").branchIf(0);
    this.goTo(target, code);
  }

  #exit(pc: number, guard: Instruction["guard"], frame: Frame, gone: number, follow: Follow): void {
    const { code, active, state } = frame;
    if (guard === undefined) code.get(active).set(gone);
    else this.#passing(guard, pc, frame, gone, follow);
    code.get(state).access("i32.load", offsetOf.mayExit).scalar("i32.eqz");
    if (this.#with.landings.size > 0) code.get(state).access("i32.load", offsetOf.callDepth).scalar("i32.or");
    this.#undoneIf(pc, code);
    code.get(state).i32(0).access("i32.store", offsetOf.whole);
    for (const global of [globals.live, globals.active])
      code.globalGet(global).get(gone).i32(-1).scalar("i32.xor").scalar("i32.and").globalSet(global);
    if (guard !== undefined) {
      code.globalGet(globals.active).if();
      this.goTo(pc + 1, code);
      code.end();
    }
    code.get(state).access("i32.load", offsetOf.waiting).if().call(this.#with.groups.next).scalar("return").end();
    code.i32(~(pc + 1)).scalar("return");
  }

  /** Lanes exchange if all lanes of the membermask are there; otherwise JavaScript keeps track of the waiting ones. */
  #among(
    { op, operands, guard }: BlockControl & { kind: "among" },
    start: number,
    pc: number,
    frame: Frame,
    taken: number,
    follow: Follow,
  ): void {
    const { code } = frame;
    const { constants, liveness } = this.#with;
    this.#all(guard, pc, frame, taken, follow);
    const needed = (operand: Operand): boolean =>
      liveness === undefined || keysOf(operand).some((key) => liveness.after(pc + 1, key));
    const site = { op, operands, program: { constants }, needed, told: this.#with.met !== undefined };
    writeAbsent(site, frame, () => code.globalGet(globals.live));
    const membermasks = frame.full && frame.lanes === LANES ? groupsBy(site) : undefined;
    if (membermasks === undefined || this.#isToldAtOnce) this.#undoneIf(pc, code);
    else {
      code.if();
      writeNoGroups(membermasks, frame);
      this.#undoneIf(pc, code);
      eachGroup(membermasks, frame, (group) => {
        if (!writeAmong(site, group)) this.#undone(pc, code);
        this.#meet(start, pc, group, pc);
      });
      this.#note(pc, frame);
      this.goTo(pc + 1, code);
      code.end();
    }
    if (!writeAmong(site, frame)) {
      this.#undone(pc, code);
      return;
    }
    this.#together(start, pc, frame, follow);
  }

  /**
   * Records that the lanes have executed an instruction together, tells observers, and goes on behind it. By then a warp
   * stands at the instruction, or behind one that all of a warp execute (`warp/together.ts`): `stands` is that pc.
   */
  #together(start: number, pc: number, frame: Frame, follow: Follow, stands = pc): void {
    this.#note(pc, frame);
    this.#meet(start, pc, frame, stands);
    this.goTo(pc + 1, frame.code, follow);
  }

  /** Whether observers are told of each meeting before anything else. */
  get #isToldAtOnce(): boolean {
    const { met, late, lanes } = this.#with;
    return met !== undefined && (late === undefined || lanes !== LANES);
  }

  /** Tells observers that the lanes have met. */
  #meet(start: number, pc: number, { code, active }: Frame, stands: number): void {
    const { met, late } = this.#with;
    if (met === undefined) return;
    const waits = !this.#isToldAtOnce;
    if (waits) code.i32(1).i32(happenings.met).get(active).call(late!.happening).if();
    code.i32(stands).get(active).i32(start);
    // By now the complete block counts as executed.
    code
      .globalGet(globals.executed)
      .i32(pc - start + 1)
      .scalar("i32.sub")
      .call(met);
    if (waits) code.end();
  }

  /** A full warp multiplies in the module, where its numbers allow it. */
  #multiply(
    { op, operands, guard }: BlockControl & { kind: "multiply" },
    start: number,
    pc: number,
    frame: Frame,
    follow: Follow,
  ): void {
    const { code, base, state, full, lanes, bankR, row } = frame;
    const { products, program } = this.#with;
    const product = full && lanes === LANES && guard === undefined ? products.of(op, operands, program) : undefined;
    if (product === undefined) {
      this.#undone(pc, code);
      return;
    }
    code.get(base).get(state).access("i32.load", offsetOf.matrixRoom);
    for (const slot of product.slots) code.i32(product.bank === "q" ? slot * 2 * row : bankR + slot * row);
    code.call(product.index);
    this.#undoneIf(pc, code);
    this.#together(start, pc, frame, follow, pc + 1);
  }

  /**
   * A complete warp moves matrices; JavaScript lets lanes wait for the others, reports what is wrong, and tells observers, but of
   * loads that they may be notified of late.
   */
  #lines(
    control: BlockControl & { kind: "lines" | "strided lines" },
    start: number,
    pc: number,
    frame: Frame,
    taken: number,
    follow: Follow,
  ): void {
    const { code } = frame;
    const { notify, audience } = this.#with;
    const isSupplied = control.kind === "strided lines" && audience.supplied && control.site.space !== "shared";
    const number = notify === undefined ? undefined : this.#lateLines(control, pc);
    if (!frame.full || frame.lanes !== LANES || isSupplied || (notify !== undefined && number === undefined)) {
      this.#undone(pc, code);
      return;
    }
    this.#all(control.guard, pc, frame, taken, follow);
    if (number !== undefined) {
      const { ready } = this.#with.late!;
      code.i32(1).call(ready).scalar("i32.eqz").if().i32(pc).i32(0).i32(start).globalGet(globals.executed);
      code
        .i32(pc - start + 1)
        .scalar("i32.sub")
        .get(frame.active)
        .call(notify!)
        .end();
      code.i32(1).call(ready).scalar("i32.eqz");
      this.#undoneIf(pc, code);
    }
    const observed = number !== undefined;
    if (control.kind === "lines") writeLinesCheck(control.site, frame, this.#with);
    else writeStrided(control.site, frame, this.#with, observed);
    this.#undoneIf(pc, code);
    if (number !== undefined) {
      const { bytes, space } = observableAccesses(this.#with.program.code[pc]!.plan)[0]!;
      const lanes =
        control.kind === "lines" ? writeLinesAddresses(control.site, frame) : lanesWithLines(control.site, code);
      this.#with.judges!.write({ pc, act: "load", shared: space === "shared", bytes }, lanes, code);
      code.get(lanes).i32(number).i32(0).call(this.#with.late!.access).scalar("drop");
    }
    if (control.kind === "lines") writeLines(control.site, frame, this.#with);
    if (observed) this.#together(start, pc, frame, follow, pc + 1);
    else {
      this.#note(pc, frame);
      this.goTo(pc + 1, code, follow);
    }
  }

  /** The number of an instruction that loads matrices, if observers may be notified of that late. */
  #lateLines({ kind, site }: BlockControl & { kind: "lines" | "strided lines" }, pc: number): number | undefined {
    const { late, lateOf, program } = this.#with;
    const [access] = observableAccesses(program.code[pc]!.plan);
    const mayWait = access?.space === "shared" || (kind === "strided lines" && site.space === "global");
    return late !== undefined && site.act === "load" && mayWait ? lateOf(pc) : undefined;
  }

  /** Records which lanes have executed a control instruction, if an observer may ask. */
  #note(pc: number, { code, base, active }: Frame): void {
    const { liveness, layout } = this.#with;
    if (liveness !== undefined) return;
    const offset = layout.executed + 4 * pc;
    code.get(base).get(base).access("i32.load", offset).get(active).scalar("i32.or").access("i32.store", offset);
  }

  /** Leaves the instruction to JavaScript if only some of the lanes pass its guard. */
  #all(guard: Instruction["guard"], pc: number, frame: Frame, taken: number, follow?: Follow): void {
    if (guard === undefined) return;
    const { code, active } = frame;
    this.#passing(guard, pc, frame, taken, follow);
    code.get(taken).get(active).scalar("i32.ne");
    this.#undoneIf(pc, code);
  }

  /** All live lanes call one function: no lane waits elsewhere. */
  #call(pc: number, { sites, through }: Calling, guard: Instruction["guard"], frame: Frame, taken: number): void {
    const { code } = frame;
    this.#all(guard, pc, frame, taken);
    writeMayNotCall(frame);
    this.#undoneIf(pc, code);
    if (through === undefined) {
      this.#enter(sites[0]!, frame);
      return;
    }
    const address = writeCommon(through, frame, () => this.#undone(pc, code));
    for (const site of sites) {
      code.get(address).i64(site.address).scalar("i64.eq").if();
      this.#enter(site, frame);
      code.end();
    }
    this.#undone(pc, code);
  }

  /** The lanes go on at the function's first instruction, with their arguments. */
  #enter(site: CallSite, frame: Frame): void {
    const { landings, distance, know } = this.#with;
    writePasses(site.takes, frame, { distance, know });
    writePush(landings.get(site)!, frame);
    this.goTo(site.entry, frame.code);
  }

  /** All live lanes return to their call, if the module has made it. */
  #return(pc: number, guard: Instruction["guard"], frame: Frame, gone: number): void {
    const { code } = frame;
    this.#all(guard, pc, frame, gone);
    writeMayNotReturn(frame);
    this.#undoneIf(pc, code);
    writePop(frame);
    code.scalar("return");
  }

  /** The warp has come to a barrier, which the round robin handles. */
  #barrier(
    { passes, number, count, guard }: BlockControl & { kind: "barrier" },
    pc: number,
    frame: Frame,
    taken: number,
    follow: Follow,
  ): void {
    const { code, state } = frame;
    this.#all(guard, pc, frame, taken, follow);
    const behind = this.#with.entries[pc + 1] ?? -1;
    if (behind >= 0) {
      const { arrivalBarrier, arrivalThreads, arrivalAct } = offsetOf;
      for (const [operand, offset] of [[number, arrivalBarrier] as const, [count, arrivalThreads] as const]) {
        const value = operand === undefined ? 0n : constantValue(operand, this.#with);
        const held = value === undefined ? writeUniform(operand!, frame, () => this.#undone(pc, code)) : undefined;
        code.get(state);
        if (held === undefined) code.i32(Number(BigInt.asIntN(32, value!)));
        else code.get(held);
        code.access("i32.store", offset);
      }
      code
        .get(state)
        .i32(barrierActs[passes ? "arrive" : "sync"])
        .access("i32.store", arrivalAct);
      const alike = !passes && count === undefined && number !== undefined && isConstant(number, this.#with);
      if (alike && this.#with.liveness !== undefined) this.#hold(pc, frame);
      code.i32(behind + 1).globalSet(globals.arrived);
    }
    this.#undone(pc, code);
  }

  /** The warp has come to a barrier with its votes: in a phase the module gives it the result, otherwise JavaScript does. */
  #reduction(
    { act, d, number, vote, guard }: BlockControl & { kind: "reduction" },
    pc: number,
    frame: Frame,
    taken: number,
    follow: Follow,
  ): void {
    const { code, state, base, active, bankP, bankR, row } = frame;
    this.#all(guard, pc, frame, taken, follow);
    const behind = this.#with.entries[pc + 1] ?? -1;
    const named = constantValue(number, this.#with);
    if (behind >= 0 && named !== undefined) {
      const { liveness, layout } = this.#with;
      for (const [offset, value] of [
        [offsetOf.arrivalBarrier, Number(named)],
        [offsetOf.arrivalThreads, 0],
        [offsetOf.arrivalAct, barrierActs[act]],
        [offsetOf.arrivalResult, act === "popc" ? bankR + slot(d).slot * row : bankP + 4 * predicate(d).slot],
        [offsetOf.arrivalNote, liveness === undefined ? layout.executed + 4 * pc : -1],
      ] as const)
        code.get(state).i32(value).access("i32.store", offset);
      const { slot: votes, negated } = predicate(vote);
      code
        .get(state)
        .get(base)
        .access("i32.load", bankP + 4 * votes);
      if (negated) code.i32(-1).scalar("i32.xor");
      code.get(active).scalar("i32.and").access("i32.store", offsetOf.arrivalFor);
      code.i32(behind + 1).globalSet(globals.arrived);
    }
    this.#undone(pc, code);
  }

  /**
   * Where other lanes of the warp have not come to the barrier of the whole block, those that have wait for them: it is as
   * if all came together. Whatever else happens until then happens in JavaScript, which is told of them.
   */
  #hold(pc: number, { code, state, active }: Frame): void {
    const load = (offset: number): Code => code.get(state).access("i32.load", offset);
    load(offsetOf.waiting);
    load(offsetOf.heldLanes).scalar("i32.or").if();
    load(offsetOf.mayHold).scalar("i32.eqz");
    // They have to come back to where the others are.
    load(offsetOf.callDepth).scalar("i32.or");
    load(offsetOf.heldPc).i32(pc).scalar("i32.ne");
    load(offsetOf.heldLanes).i32(0).scalar("i32.ne").scalar("i32.and").scalar("i32.or");
    this.#undoneIf(pc, code);
    load(offsetOf.waiting).if();
    code.get(state).i32(pc).access("i32.store", offsetOf.heldPc);
    code.get(state);
    load(offsetOf.heldLanes).get(active).scalar("i32.or").access("i32.store", offsetOf.heldLanes);
    code.get(state).i32(0).access("i32.store", offsetOf.mayExit);
    code.call(this.#with.groups.next).scalar("return").end();
    load(offsetOf.heldLanes).get(active).scalar("i32.or").globalSet(globals.active);
    code.get(state).i32(0).access("i32.store", offsetOf.heldLanes).end();
  }

  /** The control instruction at `pc` has not been executed: JavaScript does it. */
  #undone(pc: number, code: Code): void {
    code.globalGet(globals.executed).i32(1).scalar("i32.sub").globalSet(globals.executed);
    code.i32(~pc).scalar("return");
  }

  /** The same where the i32 on the stack is not 0. */
  #undoneIf(pc: number, code: Code): void {
    code.if();
    this.#undone(pc, code);
    code.end();
  }

  /** The group goes on at a pc, or waits there for its turn. */
  goTo(pc: number, code: Code, follow?: Follow): void {
    const { entries, groups } = this.#with;
    const entry = entries[pc] ?? -1;
    code.globalGet(globals.meet).i32(pc).scalar("i32.le_u").if();
    code.globalGet(globals.state).access("i32.load", offsetOf.oneRank).scalar("i32.eqz").if();
    code.i32(~pc).scalar("return").end();
    code.i32(pc).i32(entry).globalGet(globals.active).call(groups.wait).call(groups.next).scalar("return").end();
    if (entry >= 0 && follow?.(entry)) return;
    code.i32(entry < 0 ? ~pc : entry).scalar("return");
  }
}
