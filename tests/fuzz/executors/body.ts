import { type Callee, callLines } from "./calls.ts";
import { drawInstruction, targets } from "./instruction.ts";
import { barrierLine, meetingLine } from "./meetings.ts";
import { awaited, patternLines } from "./patterns.ts";
import { Pointers } from "./pointers.ts";
import { type Focus, focusLines } from "./protocols/index.ts";
import type { Random } from "./random.ts";
import type { Theme } from "./theme.ts";

export interface Setting {
  readonly random: Random;
  readonly theme: Theme;
  readonly target: string;
  readonly callees: readonly Callee[];
  /** Threads of a block. */
  readonly threads: number;
  /** Whether all lanes of a warp, and all warps, come to its beginning. */
  readonly together: boolean;
  /** How many items are drawn about. */
  readonly length: number;
  readonly kernel: boolean;
  /** The launch is one cluster of two blocks. */
  readonly paired: boolean;
  readonly focus?: Focus;
}

/** Deepest nesting of loops and branches. */
const DEEPEST = 3;

/** The lines of one function: straight code with loops, branches, calls and barriers between. */
export class Body {
  readonly lines: string[] = [];
  readonly pointers: Pointers;
  readonly #setting: Setting;
  /** How many labels there are in the module: shared by all bodies, so that each has a name of its own. */
  readonly #labels: { count: number };
  #left: number;
  /** The instruction that the program is about stands somewhere. */
  #focused = false;
  /** True once a lane may have left, so that a barrier may wait for nobody. */
  #parted = false;

  constructor(setting: Setting, labels: { count: number }) {
    this.#setting = setting;
    this.#labels = labels;
    this.#left = setting.length;
    this.pointers = new Pointers(setting.kernel);
    this.#items(0, setting.together);
    if (setting.focus !== undefined && !this.#focused) this.#focus(setting.focus, setting.together && !this.#parted);
  }

  /** A sequence; `together` while no lane has parted from the others of its warp. */
  #items(depth: number, together: boolean): void {
    const { random } = this.#setting;
    const count = depth === 0 ? this.#left : 1 + random.below(6);
    const marks: string[] = [];
    for (let at = 0; at < count && this.#left > 0; at++) {
      this.#left--;
      const { theme, focus } = this.#setting;
      if (focus !== undefined && random.chance(30)) {
        this.#focus(focus, together && !this.#parted);
        continue;
      }
      let roll = random.below(100);
      const is = (
        kind: "branch" | "loop" | "switch" | "call" | "barrier" | "leap" | "leave" | "pattern" | "fork",
      ): boolean => {
        const found = roll < theme[kind];
        roll -= theme[kind];
        return found && roll < 0;
      };
      if (is("branch") && depth < DEEPEST) this.#branch(depth, together);
      else if (is("loop") && depth < DEEPEST) this.#loop(depth, together);
      else if (is("switch") && depth < DEEPEST) this.#switch(depth, together);
      else if (is("call")) this.#call(together);
      else if (is("barrier")) this.#barrier(depth, together);
      else if (is("leap")) marks.push(this.#leap());
      else if (is("leave")) this.#leave();
      else if (is("fork") && depth < DEEPEST) this.#fork(depth, together);
      else if (is("pattern")) this.#pattern(together && !this.#parted);
      else this.#straight(together && !this.#parted);
      while (marks.length > 0 && random.chance(40)) this.#meet(marks.shift()!, together);
    }
    for (const mark of marks) this.#meet(mark, together);
  }

  /** Where lanes meet that have parted: a call comes next now and then. */
  #meet(label: string, together: boolean): void {
    const { random, theme } = this.#setting;
    this.lines.push(`${label}:`);
    if (random.chance(theme.callAtMeeting)) this.#call(together);
  }

  /** Keeps the lanes that are here for a moment, where compiled code does not go on by itself. */
  #hold(): void {
    const { random, theme } = this.#setting;
    if (!random.chance(theme.hold)) return;
    this.#straight(false);
    if (random.chance(70)) this.lines.push("activemask.b32 %am;", "bar.warp.sync %am;");
    else this.lines.push(random.any(["barrier.sync 1;", "nanosleep.u32 20;", "bar.warp.sync 0x3ff;"]));
    if (random.chance(70)) this.#straight(false);
  }

  #pattern(together: boolean): void {
    const { random, target, threads } = this.#setting;
    const { pointers } = this;
    const label = (): string => this.#label();
    const { sm } = targets[target]!;
    this.lines.push(...patternLines({ random, pointers, threads, sm, together, label }));
  }

  #focus(focus: Focus, together: boolean): void {
    const { random, target, threads, paired } = this.#setting;
    const { pointers } = this;
    const place = {
      random,
      pointers,
      threads,
      sm: targets[target]!.sm,
      together,
      label: () => this.#label(),
      target,
      paired,
    };
    const lines = focusLines(focus, place);
    this.#focused ||= lines !== undefined;
    this.lines.push(...(lines ?? drawInstruction(place)));
  }

  #straight(together: boolean): void {
    const { random, target, focus } = this.#setting;
    // An access that faults would end the program before the instruction that it is about.
    const only = focus !== undefined && random.chance(70) ? "compute" : undefined;
    this.lines.push(...drawInstruction({ random, target, pointers: this.pointers, together }, only));
  }

  /** A predicate that parts lanes, or none of them. */
  #condition(): string {
    const { random } = this.#setting;
    const p = `%p${random.below(5)}`;
    const roll = random.below(4);
    if (roll === 0) return p;
    const lane = random.any(["%tid.x", "%laneid", "%r0", "%r1", "%r2", `%r${random.below(8)}`]);
    this.lines.push(`mov.u32 %a32, ${lane};`);
    if (roll === 1) this.lines.push(`and.b32 %a32, %a32, ${random.any([1, 2, 4, 16, 3])};`);
    const relation = random.any(["eq", "ne", "lt", "ge"]);
    this.lines.push(`setp.${relation}.u32 ${p}, %a32, ${random.any([0, 1, 2, 8, 16, 31, 40])};`);
    return p;
  }

  #branch(depth: number, together: boolean): void {
    const { random } = this.#setting;
    const [other, end] = [this.#label(), this.#label()];
    const p = this.#condition();
    const otherwise = random.chance(60);
    this.lines.push(`@${random.chance(50) ? "!" : ""}${p} bra ${otherwise ? other : end};`);
    this.#items(depth + 1, false);
    this.#hold();
    if (otherwise) {
      this.lines.push(`bra${random.chance(50) ? ".uni" : ""} ${end};`, `${other}:`);
      this.#items(depth + 1, false);
      this.#hold();
    }
    this.#meet(end, together);
  }

  /** Lanes part, and come to the same meeting on both ways: who is there first waits, and goes on where others wait. */
  #fork(depth: number, together: boolean): void {
    const { random, target, threads } = this.#setting;
    const { pointers } = this;
    const [other, end] = [this.#label(), this.#label()];
    if (together && !this.#parted && random.chance(20) && targets[target]!.sm >= 90) {
      // Lanes that other warps wake while the rest of theirs has gone on.
      const object = pointers.use("mb");
      this.lines.push(...awaited(object, pointers.use("t"), threads), `@${this.#condition()} bra ${other};`, `${end}:`);
      this.lines.push(`mbarrier.try_wait.parity.shared.b64 %lw, [${object}], 0;`, `@!%lw bra ${end};`, `${other}:`);
      for (let more = random.below(4); more >= 0; more--) this.#straight(false);
      return;
    }
    const meeting = meetingLine(random);
    this.lines.push(`@${this.#condition()} bra ${other};`);
    this.#way(depth, meeting);
    this.lines.push(`bra ${end};`, `${other}:`);
    this.#way(depth, meeting);
    this.#meet(end, together);
  }

  #way(depth: number, meeting: string): void {
    const { random } = this.#setting;
    if (random.chance(60)) this.#items(depth + 1, false);
    this.lines.push(meeting);
    this.#items(depth + 1, false);
  }

  #loop(depth: number, together: boolean): void {
    const { random } = this.#setting;
    const [top, end] = [this.#label(), this.#label()];
    const [i, p] = [`%i${depth}`, `%l${depth}`];
    const uneven = random.chance(45);
    const roll = random.below(100);
    const trips =
      roll < 1 && depth === 0 ? 500 : roll < 5 ? 70 + random.below(70) : 2 + random.below(depth === 0 ? 9 : 4);
    this.lines.push(`mov.u32 ${i}, 0;`);
    const bound = uneven ? `%n${depth}` : String(trips);
    if (uneven) {
      this.lines.push(`mov.u32 ${bound}, ${random.any(["%tid.x", "%laneid", "%r3", "%r4"])};`);
      this.lines.push(`and.b32 ${bound}, ${bound}, ${random.any([1, 3, 7])};`);
    }
    const checkedFirst = random.chance(40);
    this.lines.push(`${top}:`);
    if (checkedFirst) this.lines.push(`setp.ge.u32 ${p}, ${i}, ${bound};`, `@${p} bra ${end};`);
    this.lines.push(`add.u32 ${i}, ${i}, 1;`);
    this.#items(depth + 1, together && !uneven);
    if (random.chance(25)) this.lines.push(`@${random.chance(50) ? "!" : ""}${this.#condition()} bra ${end};`);
    if (random.chance(15) && checkedFirst) this.lines.push(`@${this.#condition()} bra ${top};`);
    if (checkedFirst) this.lines.push(`bra ${top};`);
    else this.lines.push(`setp.lt.u32 ${p}, ${i}, ${bound};`, `@${p} bra ${top};`);
    this.#meet(end, together);
  }

  #switch(depth: number, together: boolean): void {
    const { random } = this.#setting;
    const ways = 2 + random.below(3);
    const labels = Array.from({ length: ways }, () => this.#label());
    const [list, end] = [this.#label(), this.#label()];
    this.lines.push(`mov.u32 %a32, ${random.any(["%tid.x", "%r5", "%laneid"])};`, `and.b32 %a32, %a32, 3;`);
    this.lines.push(`min.u32 %a32, %a32, ${random.chance(97) ? ways - 1 : ways};`);
    this.lines.push(`${list}: .branchtargets ${labels.join(", ")};`, `brx.idx %a32, ${list};`);
    for (const label of labels) {
      this.lines.push(`${label}:`);
      this.#items(depth + 1, false);
      this.#hold();
      if (random.chance(70)) this.lines.push(`bra ${end};`);
    }
    this.#meet(end, together);
  }

  #call(together: boolean): void {
    const { random, callees } = this.#setting;
    // In most functions warps meet only if all of them come there.
    const fit = callees.filter(({ meets }) => (together && !this.#parted) || !meets || random.chance(10));
    if (fit.length > 0) this.lines.push(...callLines(random, random.any(fit), together, () => this.#label()));
    else this.#straight(together && !this.#parted);
  }

  /** Under a branch most barriers end the run, which has to happen alike as well. */
  #barrier(depth: number, together: boolean): void {
    const { random } = this.#setting;
    if ((!together || depth > 1) && random.chance(85)) {
      this.#straight(false);
      return;
    }
    this.lines.push(barrierLine(random, this.#setting.threads));
  }

  /** A jump forwards, into whatever stands there. */
  #leap(): string {
    const to = this.#label();
    this.lines.push(`@${this.#condition()} bra ${to};`);
    return to;
  }

  #leave(): void {
    const { random } = this.#setting;
    const p = this.#condition();
    this.#parted = true;
    if (random.chance(3)) this.lines.push(`@${p} trap;`);
    else this.lines.push(`@${p} ${random.chance(50) ? "exit" : "ret"};`);
  }

  #label(): string {
    this.#labels.count++;
    return `L${this.#labels.count}`;
  }
}
