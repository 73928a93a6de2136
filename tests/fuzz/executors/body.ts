import { drawInstruction } from "./instruction.ts";
import { Pointers } from "./pointers.ts";
import type { Random } from "./random.ts";

/** A device function that bodies may call. */
export interface Callee {
  readonly name: string;
  /** Arguments and result are registers, or bytes of param space. */
  readonly by: "register" | "param";
  readonly recursive: boolean;
}

export interface Setting {
  readonly random: Random;
  readonly target: string;
  readonly callees: readonly Callee[];
  /** Whether the block's warps are whole, so that lanes which have not parted are all 32. */
  readonly whole: boolean;
  /** How many items are drawn about. */
  readonly length: number;
  readonly kernel: boolean;
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
  /** True once a lane may have left, so that a barrier may wait for nobody. */
  #parted = false;

  constructor(setting: Setting, labels: { count: number }) {
    this.#setting = setting;
    this.#labels = labels;
    this.#left = setting.length;
    this.pointers = new Pointers(setting.kernel);
    this.#items(0, setting.whole);
  }

  /** A sequence; `together` while no lane has parted from the others of its warp. */
  #items(depth: number, together: boolean): void {
    const { random } = this.#setting;
    const count = depth === 0 ? this.#left : 1 + random.below(6);
    const marks: string[] = [];
    for (let at = 0; at < count && this.#left > 0; at++) {
      this.#left--;
      const roll = random.below(100);
      if (depth < DEEPEST && roll < 5) this.#branch(depth);
      else if (depth < DEEPEST && roll < 10) this.#loop(depth, together);
      else if (depth < DEEPEST && roll < 12) this.#switch(depth);
      else if (roll < 17 && this.#setting.callees.length > 0) this.#call(together);
      else if (roll < 21) this.#barrier(depth, together);
      else if (roll < 23) marks.push(this.#leap());
      else if (roll < 25) this.#leave();
      else this.#straight(together && !this.#parted);
      while (marks.length > 0 && random.chance(40)) this.lines.push(`${marks.shift()}:`);
    }
    for (const mark of marks) this.lines.push(`${mark}:`);
  }

  #straight(together: boolean): void {
    const { random, target } = this.#setting;
    this.lines.push(...drawInstruction({ random, target, pointers: this.pointers, together }));
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

  #branch(depth: number): void {
    const { random } = this.#setting;
    const [other, end] = [this.#label(), this.#label()];
    const p = this.#condition();
    const otherwise = random.chance(60);
    this.lines.push(`@${random.chance(50) ? "!" : ""}${p} bra ${otherwise ? other : end};`);
    this.#items(depth + 1, false);
    if (otherwise) {
      this.lines.push(`bra${random.chance(50) ? ".uni" : ""} ${end};`, `${other}:`);
      this.#items(depth + 1, false);
    }
    this.lines.push(`${end}:`);
  }

  #loop(depth: number, together: boolean): void {
    const { random } = this.#setting;
    const [top, end] = [this.#label(), this.#label()];
    const [i, p] = [`%i${depth}`, `%l${depth}`];
    const uneven = random.chance(45);
    const trips = random.chance(5) ? 70 + random.below(70) : 2 + random.below(depth === 0 ? 9 : 4);
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
    this.lines.push(`${end}:`);
  }

  #switch(depth: number): void {
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
      if (random.chance(70)) this.lines.push(`bra ${end};`);
    }
    this.lines.push(`${end}:`);
  }

  #call(together: boolean): void {
    const { random } = this.#setting;
    const { name, by, recursive } = random.any(this.#setting.callees);
    const guard = random.chance(20) ? `@%p${random.below(5)} ` : "";
    const uni = together && guard === "" && random.chance(50) ? ".uni" : "";
    const [a, r] = [`%r${random.below(8)}`, `%r${random.below(8)}`];
    const depth = recursive ? "%a32" : a;
    if (recursive) this.lines.push(`mov.u32 %a32, ${random.any(["%tid.x", a])};`, "and.b32 %a32, %a32, 3;");
    if (by === "register" && random.chance(25)) {
      const prototype = this.#label();
      this.lines.push(`mov.u64 %a64, ${name};`, `${prototype}: .callprototype (.reg .b32 _) _ (.reg .b32 _);`);
      this.lines.push(`${guard}call${uni} (${r}), %a64, (${depth}), ${prototype};`);
    } else if (by === "register") this.lines.push(`${guard}call${uni} (${r}), ${name}, (${depth});`);
    else {
      this.lines.push("{", ".param .b32 to; .param .align 8 .b8 with[16];");
      this.lines.push(`st.param.b32 [with], ${depth};`, `st.param.b64 [with+8], %q${random.below(6)};`);
      this.lines.push(`${guard}call${uni} (to), ${name}, (with);`, `ld.param.b32 ${r}, [to];`, "}");
    }
  }

  /** Under a branch most barriers end the run, which has to happen alike as well. */
  #barrier(depth: number, together: boolean): void {
    const { random } = this.#setting;
    if ((!together || depth > 1) && random.chance(85)) {
      this.#straight(false);
      return;
    }
    const p = `%p${random.below(5)}`;
    const threads = random.any(["32", "64", "32"]);
    this.lines.push(
      random.any([
        "bar.sync 0;", "bar.sync 0;", "bar.sync 0;", "barrier.sync 1;", "barrier.cta.sync.aligned 2;", "bar.warp.sync -1;",
        `bar.red.popc.u32 %r${random.below(8)}, 0, ${p};`, `bar.red.and.pred ${p}, 1, !${p};`,
        `barrier.red.or.pred ${p}, 3, ${p};`, random.chance(8) ? `bar.arrive 4, ${threads};` : "bar.sync 0;",
        random.chance(8) ? `bar.sync 5, ${threads};` : "bar.sync 0;",
      ]), // biome-ignore format: a list
    );
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
