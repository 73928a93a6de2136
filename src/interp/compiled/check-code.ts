import type { Vector } from "../../numeric/vector/vector.ts";
import type { Frame } from "./frame.ts";
import type { Input } from "./inputs.ts";
import { SHARED_CLEAN } from "./places.ts";
import type { AccessGroup, Segment } from "./segment.ts";

/** Checks the accesses of a segment, group by group, against ranges of memory that are known to be clean. */
export class CheckCode {
  readonly #segment: Segment;
  readonly #frame: Frame;
  readonly #groups: readonly AccessGroup[];
  readonly #rangeOf: (group: AccessGroup) => number;
  /** Locals, by group: the first byte of the range in all lanes, and how far behind it an access may begin. */
  readonly #starts = new Map<number, number>();
  readonly #limits = new Map<number, number>();

  constructor(segment: Segment, frame: Frame, rangeOf: (group: AccessGroup) => number) {
    this.#segment = segment;
    this.#frame = frame;
    this.#rangeOf = rangeOf;
    this.#groups = segment.groups.filter(({ address }) => address.space !== "param");
  }

  /** Bits that are set where something may be wrong, of four lanes; undefined where there is nothing to check. */
  bad(): Vector | undefined {
    const { registers } = this.#segment;
    const { make } = registers;
    let all: Vector | undefined;
    for (const [at, { address, when, bytes, first }] of this.#groups.entries()) {
      const begin = first === 0 ? address.base : make.op("i32x4.add", address.base, make.all32(first));
      const from =
        address.space === "global" ? make.op("i32x4.sub", begin, registers.input({ of: "start", group: at })) : begin;
      let bad = make.op("i32x4.gt_u", from, registers.input({ of: "limit", group: at }));
      if (bytes > 1) bad = make.or(bad, make.and(begin, make.all32(bytes - 1)));
      if (address.outside !== undefined) bad = make.or(bad, address.outside);
      if (when !== undefined) bad = make.and(bad, when);
      all = all === undefined ? bad : make.or(all, bad);
    }
    if (all === undefined || this.#frame.full) return all;
    return make.and(all, registers.input({ of: "active" }));
  }

  /** Before the loop: reads the ranges; `sum` becomes not 0 where one of them is too short for anything. */
  begin(sum: number): void {
    const { code, state } = this.#frame;
    const short = code.local("i32");
    const length = code.local("i32");
    code.i32(0).set(short);
    for (const [at, group] of this.#groups.entries()) {
      const bytes = group.end - group.first;
      const isGlobal = group.address.space === "global";
      const range = isGlobal ? this.#rangeOf(group) : 0;
      code
        .get(state)
        .access("i32.load", isGlobal ? range + 4 : SHARED_CLEAN)
        .tee(length);
      code.i32(bytes).scalar("i32.lt_u").get(short).scalar("i32.or").set(short);
      const limit = code.local("v128");
      code.get(length).i32(bytes).scalar("i32.sub").vector("i32x4.splat").set(limit);
      this.#limits.set(at, limit);
      if (!isGlobal) continue;
      const start = code.local("v128");
      code.get(state).access("v128.load32_splat", range).set(start);
      this.#starts.set(at, start);
    }
    code.get(short).vector("i32x4.splat").set(sum);
  }

  input(input: Input): void {
    const local =
      input.of === "start"
        ? this.#starts.get(input.group)
        : input.of === "limit"
          ? this.#limits.get(input.group)
          : undefined;
    if (local === undefined) throw new Error(`an address is made of what is ${input.of}`);
    this.#frame.code.get(local);
  }
}
