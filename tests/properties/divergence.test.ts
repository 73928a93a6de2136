import fc from "fast-check";
import { expect, test } from "vitest";
import { a, b, xor as both, relation } from "../../src/numeric/operation/build.ts";
import { draws } from "../share.ts";
import { Build, thread } from "../unit/interp/build.ts";
import { add, asks, bit, compute, on32 } from "../unit/interp/operations.ts";

/**
 * Random programs with branches anywhere, run by a warp and by one thread at a time. The second way knows nothing of
 * groups and masks, so any difference is a mistake in how the machine lets lanes go apart and meet.
 */
type Line =
  | {
      readonly kind: "add" | "xor";
      readonly d: number;
      readonly a: number;
      readonly by: number;
      readonly guard: number;
    }
  | { readonly kind: "test"; readonly a: number; readonly bit: number; readonly guard: number }
  | { readonly kind: "branch"; readonly to: number; readonly guard: number }
  | { readonly kind: "exit"; readonly guard: number };

const REGISTERS = 4;
/** Backward branches that one thread may take: the program counts them itself. */
const TRIPS = 12;

const register = fc.integer({ min: 0, max: REGISTERS - 1 });
/** 0: none; 1: `@p`; 2: `@!p`. */
const guard = fc.integer({ min: 0, max: 2 });
const line: fc.Arbitrary<Line> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("add" as const, "xor" as const), d: register, a: register, by: fc.integer({ min: 0, max: 255 }), guard }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("test" as const), a: register, bit: fc.integer({ min: 0, max: 5 }), guard }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("branch" as const), to: fc.integer({ min: 0, max: 30 }), guard }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("exit" as const), guard: fc.integer({ min: 1, max: 2 }) }) },
); // biome-ignore format: a table

/** What one thread leaves behind: registers, and how often it branched backwards. */
function alone(lines: readonly Line[], tid: number): number[] {
  const r = Array.from({ length: REGISTERS }, (_, at) => (at === 0 ? tid : 0));
  let p = false;
  let trips = 0;
  for (let pc = 0; pc < lines.length; ) {
    const now = lines[pc]!;
    const runs = now.guard === 0 || (now.guard === 1) === p;
    pc++;
    if (!runs) continue;
    if (now.kind === "exit") break;
    if (now.kind === "add" || now.kind === "xor")
      r[now.d] = (now.kind === "add" ? r[now.a]! + now.by : r[now.a]! ^ now.by) >>> 0;
    else if (now.kind === "test") p = ((r[now.a]! >>> now.bit) & 1) === 1;
    else if (now.kind === "branch") {
      const to = now.to % (lines.length + 1);
      if (to < pc && ++trips > TRIPS) break;
      pc = to;
    }
  }
  return [...r, trips];
}

const xor = on32(both(a, b));
const over = asks(relation("gt", a, TRIPS));

/** The same as a warp runs it. A guarded backward branch is a branch around three instructions. */
function together(lines: readonly Line[]): Build {
  const b = new Build();
  const r = Array.from({ length: REGISTERS }, (_, at) => b.reg(`r${at}`));
  const [trips, p, tired] = [b.reg("trips"), b.pred("p"), b.pred("tired")];
  b.move(r[0]!, b.special("tid.x"));
  for (const [at, now] of lines.entries()) {
    b.label(`${at}`);
    const guarded = (opposite = false): Build =>
      now.guard === 0 ? b : b.when({ ...p, negated: (now.guard === 2) !== opposite });
    if (now.kind === "exit") guarded().exit();
    else if (now.kind === "test") guarded().do(compute(bit(now.bit)), p, r[now.a]);
    else if (now.kind !== "branch")
      guarded().do(compute(now.kind === "add" ? add : xor), r[now.d], r[now.a], b.constant(now.by));
    else {
      const to = now.to % (lines.length + 1);
      if (to <= at) {
        if (now.guard !== 0) guarded(true).branch(`${at + 1}`);
        b.do(compute(add), trips, trips, b.constant(1)).do(compute(over), tired, trips).when(tired).exit();
        b.branch(`${to}`);
      } else guarded().branch(`${to}`);
    }
  }
  return b.label(`${lines.length}`);
}

test.each([1, 20, 32, 45])("a block of %d threads does what each thread does alone", (threads) => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
      const session = together(lines).session({ block: [threads, 1, 1], maxSteps: 1_000_000 });
      expect(session.run()).toEqual({ reason: "exit" });
      for (let tid = 0; tid < threads; tid++) {
        const seen = session
          .registers(thread(tid % 32, Math.floor(tid / 32)))
          .filter(({ type }) => type !== "pred")
          .map(({ bits }) => Number(bits[0]));
        expect(seen).toEqual(alone(lines, tid));
      }
    }),
    { numRuns: draws(20, 150) },
  );
});
