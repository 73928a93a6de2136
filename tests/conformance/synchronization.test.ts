import { describe, expect, test } from "vitest";
import { share } from "../share.ts";
import { left, runKernel } from "./on-device.ts";

const full = 0xffff_ffff;
const lanes = Array.from({ length: 32 }, (_, lane) => lane);
const block = (threads: number) => ({ launch: { block: threads } });

/** Words that look random, from integer arithmetic. */
function* noise(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield (state ^ (state >>> 15)) >>> 0;
  }
}
const take = (words: Generator<number, never>, count: number): number[] =>
  Array.from({ length: count }, () => words.next().value);

/** The pseudo-code of shfl.sync, line by line: the lane that is read, and the predicate. */
function shuffled(mode: string, lane: number, b: number, c: number): { from: number; p: boolean } {
  const bval = b & 0x1f;
  const cval = c & 0x1f;
  const mask = (c >> 8) & 0x1f;
  const maxLane = (lane & mask) | (cval & ~mask & 0x1f);
  const minLane = lane & mask;
  let j: number;
  let p: boolean;
  if (mode === "up") [j, p] = [lane - bval, lane - bval >= maxLane];
  else if (mode === "down") [j, p] = [lane + bval, lane + bval <= maxLane];
  else if (mode === "bfly") [j, p] = [lane ^ bval, (lane ^ bval) <= maxLane];
  else {
    j = minLane | (bval & ~mask & 0x1f);
    p = j <= maxLane;
  }
  return { from: p ? j : lane, p };
}

/** `%r1` runs over the pairs (b, c) in `in`; each lane writes what it read, and p in bit 31. */
const shuffles = (instruction: string, pairs: number): string => `
  mov.u32 %r1, 0; add.u32 %r2, %lane, 100;
L:
  ld.global.v2.u32 {%r3, %r4}, [%in];
  ${instruction}
  selp.b32 %r6, 0x80000000, 0, %p1; or.b32 %r5, %r5, %r6;
  st.global.u32 [%at], %r5;
  add.u64 %in, %in, 8; add.u64 %at, %at, 128; add.u32 %r1, %r1, 1;
  setp.lt.u32 %p2, %r1, ${pairs}; @%p2 bra L;
  ret;`;

describe.each(["up", "down", "bfly", "idx"])("shfl.%s against the manual's pseudo-code", (mode) => {
  const segments = [0, 16, 24, 28, 30, 31, 9];
  const pairs = lanes.flatMap((b) => segments.flatMap((segment) => lanes.map((clamp) => [b, (segment << 8) | clamp])));
  // Bits that the manual does not read change nothing.
  const given = Uint32Array.from(pairs.flatMap(([b, c]) => [b! | 0xffff_ffe0, c! | 0xffff_e0e0]));
  const expected = pairs.flatMap(([b, c]) =>
    lanes.map((lane) => {
      const { from, p } = shuffled(mode, lane, b!, c!);
      return ((100 + from) | (p ? 0x8000_0000 : 0)) >>> 0;
    }),
  );

  test.each([
    ["shfl.sync", "sm_90", "8.0", ", -1"],
    ["shfl", "sm_61", "6.3", ""],
  ])("%s on %s", (name, target, version, mask) => {
    const body = shuffles(`${name}.${mode}.b32 %r5|%p1, %r2, %r3, %r4${mask};`, pairs.length);
    expect(left(body, expected.length, { target, version, given, ...block(32) })).toEqual(expected);
  });

  test("a source that the membermask leaves out reads as 0, and the predicate does not care", () => {
    const members = 0x00f0_0f33;
    const body = `
  mov.b32 %r1, ${members}; shr.u32 %r1, %r1, %lane; and.b32 %r1, %r1, 1; setp.eq.u32 %p3, %r1, 0;
  add.u32 %r2, %lane, 100;
  @%p3 bra E;
  shfl.sync.${mode}.b32 %r5|%p1, %r2, 4, ${mode === "up" ? 0 : 31}, ${members};
  selp.b32 %r6, 0x80000000, 0, %p1; or.b32 %r5, %r5, %r6;
  st.global.u32 [%at], %r5;
E: ret;`;
    const wanted = lanes.map((lane) => {
      if (!((members >>> lane) & 1)) return 0;
      const { from, p } = shuffled(mode, lane, 4, mode === "up" ? 0 : 31);
      return (((members >>> from) & 1 ? 100 + from : 0) | (p ? 0x8000_0000 : 0)) >>> 0;
    });
    expect(left(body, 32, block(32))).toEqual(wanted);
  });
});

/** Lanes of a mask run `instruction` on their word of `in`, the others stay away; each writes `%r5`. */
const among = (members: number, instruction: string): string => `
  mul.wide.u32 %rd1, %n, 4; add.u64 %rd1, %in, %rd1; ld.global.u32 %r2, [%rd1];
  cvt.u64.u32 %rd2, %r2; shl.b64 %rd3, %rd2, 32; or.b64 %rd2, %rd2, %rd3;
  setp.gt.s32 %p1, %r2, 0;
  mov.b32 %r1, ${members}; shr.u32 %r1, %r1, %lane; and.b32 %r1, %r1, 1; setp.eq.u32 %p3, %r1, 0;
  @%p3 bra E;
  ${instruction}
  st.global.u32 [%at], %r5;
E: ret;`;

const masks = [full, 1, 0x8000_0000, 0x0000_ffff, 0x5555_5555, 0xffff_fffe, 0x0f00_0010];
const members = (mask: number): number[] => lanes.filter((lane) => (mask >>> lane) & 1);
const s32 = (x: number): number => x | 0;
const f32 = (x: number): number => new Float32Array(Uint32Array.of(x).buffer)[0]!;
const bits = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0]!;
const predicateOf = "selp.b32 %r5, 1, 0, %p2;";

/** The smallest or largest of floats as the manual orders them: -0 below +0, NaN only when all are or `.NaN` says so. */
function extremum(words: readonly number[], least: boolean, abs: boolean, nan: boolean): number {
  const read = words.map((word) => (abs ? word & 0x7fff_ffff : word));
  const values = read.map(f32);
  const numbers = read.filter((_, at) => !Number.isNaN(values[at]));
  if (numbers.length === 0 || (nan && numbers.length < words.length)) return 0x7fff_ffff;
  const zero = (word: number): number => (word === 0x8000_0000 ? -1 : 0);
  const ordered = [...numbers].sort((a, b) => f32(a) - f32(b) || zero(a) - zero(b));
  return ordered[least ? 0 : ordered.length - 1]! >>> 0;
}

interface Case {
  readonly name: string;
  readonly instruction: (mask: string) => string;
  /** What lane `lane` gets, from the words of the lanes in the mask. */
  readonly model: (words: readonly number[], mask: number, lane: number) => number;
}

const integers: readonly Case[] = [
  { name: "vote.sync.all", instruction: (m) => `vote.sync.all.pred %p2, %p1, ${m}; ${predicateOf}`, model: (w) => (w.every((x) => s32(x) > 0) ? 1 : 0) },
  { name: "vote.sync.all !", instruction: (m) => `vote.sync.all.pred %p2, !%p1, ${m}; ${predicateOf}`, model: (w) => (w.every((x) => s32(x) <= 0) ? 1 : 0) },
  { name: "vote.sync.any", instruction: (m) => `vote.sync.any.pred %p2, %p1, ${m}; ${predicateOf}`, model: (w) => (w.some((x) => s32(x) > 0) ? 1 : 0) },
  { name: "vote.sync.uni", instruction: (m) => `vote.sync.uni.pred %p2, %p1, ${m}; ${predicateOf}`, model: (w) => (new Set(w.map((x) => s32(x) > 0)).size === 1 ? 1 : 0) },
  { name: "vote.sync.ballot", instruction: (m) => `vote.sync.ballot.b32 %r5, %p1, ${m};`, model: (w, mask) => members(mask).reduce((sum, lane, at) => sum + (s32(w[at]!) > 0 ? 2 ** lane : 0), 0) },
  { name: "match.any.sync.b32", instruction: (m) => `match.any.sync.b32 %r5, %r2, ${m};`, model: (w, mask, lane) => { const own = w[members(mask).indexOf(lane)]; return members(mask).reduce((sum, other, at) => sum + (w[at] === own ? 2 ** other : 0), 0); } },
  { name: "match.any.sync.b64", instruction: (m) => `match.any.sync.b64 %r5, %rd2, ${m};`, model: (w, mask, lane) => { const own = w[members(mask).indexOf(lane)]; return members(mask).reduce((sum, other, at) => sum + (w[at] === own ? 2 ** other : 0), 0); } },
  { name: "match.all.sync.b32", instruction: (m) => `match.all.sync.b32 %r5|%p2, %r2, ${m}; @%p2 not.b32 %r5, %r5;`, model: (w, mask) => (new Set(w).size === 1 ? ~mask >>> 0 : 0) },
  { name: "match.all.sync.b64", instruction: (m) => `match.all.sync.b64 %r5|%p2, %rd2, ${m}; @%p2 not.b32 %r5, %r5;`, model: (w, mask) => (new Set(w).size === 1 ? ~mask >>> 0 : 0) },
  { name: "redux.sync.add.u32", instruction: (m) => `redux.sync.add.u32 %r5, %r2, ${m};`, model: (w) => w.reduce((a, b) => (a + b) >>> 0, 0) },
  { name: "redux.sync.add.s32", instruction: (m) => `redux.sync.add.s32 %r5, %r2, ${m};`, model: (w) => w.reduce((a, b) => (a + b) >>> 0, 0) },
  { name: "redux.sync.min.u32", instruction: (m) => `redux.sync.min.u32 %r5, %r2, ${m};`, model: (w) => Math.min(...w) },
  { name: "redux.sync.max.u32", instruction: (m) => `redux.sync.max.u32 %r5, %r2, ${m};`, model: (w) => Math.max(...w) },
  { name: "redux.sync.min.s32", instruction: (m) => `redux.sync.min.s32 %r5, %r2, ${m};`, model: (w) => Math.min(...w.map(s32)) >>> 0 },
  { name: "redux.sync.max.s32", instruction: (m) => `redux.sync.max.s32 %r5, %r2, ${m};`, model: (w) => Math.max(...w.map(s32)) >>> 0 },
  { name: "redux.sync.and.b32", instruction: (m) => `redux.sync.and.b32 %r5, %r2, ${m};`, model: (w) => w.reduce((a, b) => a & b, -1) >>> 0 },
  { name: "redux.sync.or.b32", instruction: (m) => `redux.sync.or.b32 %r5, %r2, ${m};`, model: (w) => w.reduce((a, b) => a | b, 0) >>> 0 },
  { name: "redux.sync.xor.b32", instruction: (m) => `redux.sync.xor.b32 %r5, %r2, ${m};`, model: (w) => w.reduce((a, b) => a ^ b, 0) >>> 0 },
  { name: "elect.sync", instruction: (m) => `elect.sync %r5|%p2, ${m}; @%p2 add.u32 %r5, %r5, 100;`, model: (_, mask, lane) => members(mask)[0]! + (lane === members(mask)[0] ? 100 : 0) },
  { name: "activemask", instruction: () => "activemask.b32 %r5;", model: (_, mask) => mask },
]; // biome-ignore format: a table

const floats: readonly Case[] = ["min", "max"].flatMap((op) =>
  ["", ".abs"].flatMap((abs) =>
    ["", ".NaN"].map((nan): Case => {
      const name = `redux.sync.${op}${abs}${nan}.f32`;
      const instruction = (m: string): string => `${name} %r5, %r2, ${m};`;
      return { name, instruction, model: (w) => extremum(w, op === "min", abs !== "", nan !== "") };
    }),
  ),
);

describe("what lanes tell each other", () => {
  const few = noise(7);
  const wild = take(noise(1), 32);
  const inputs: readonly (readonly number[])[] = [
    wild,
    // Groups of equal words, and one word for all.
    take(few, 32)
      .map((word) => (word % 3) - 1)
      .map((word) => word >>> 0),
    lanes.map(() => 0xffff_0001),
    lanes.map(() => 5),
  ];

  test.each(share(integers, 10))("$name", ({ instruction, model }) => {
    for (const words of inputs)
      for (const mask of share(masks, 2)) {
        const given = Uint32Array.from(words);
        const own = members(mask).map((lane) => words[lane]!);
        const wanted = lanes.map((lane) => ((mask >>> lane) & 1 ? model(own, mask, lane) : 0));
        expect(left(among(mask, instruction(`${mask}`)), 32, { given, ...block(32) })).toEqual(wanted);
      }
  });

  const numbers = [1.5, -2.25, 0, -0, 1e-40, -1e-40, 3e38, -3e38, 7, -7].map(bits);
  const odd = [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_1234, 0x7f80_0001];
  const mixes = [numbers, [0, 0x8000_0000], [...numbers, ...odd], odd.slice(2), [0x7fc0_0000, ...numbers.slice(2, 4)]];

  test.each(share(floats, 10))("$name", ({ instruction, model }) => {
    for (const [seed, mix] of mixes.entries())
      for (const mask of share(masks, 2)) {
        const words = take(noise(seed + 3), 32).map((word) => mix[word % mix.length]!);
        const own = members(mask).map((lane) => words[lane]!);
        const wanted = lanes.map((lane) => ((mask >>> lane) & 1 ? model(own, mask, lane) : 0));
        const given = Uint32Array.from(words);
        expect(left(among(mask, instruction(`${mask}`)), 32, { given, ...block(32) })).toEqual(wanted);
      }
  });

  test("vote without .sync is among those that are active", () => {
    const body = `
  and.b32 %r1, %lane, 3; setp.eq.u32 %p1, %r1, 0; setp.lt.u32 %p2, %lane, 16;
  @%p1 bra E;
  vote.ballot.b32 %r5, %p2; vote.any.pred %p3, !%p2; @%p3 add.u32 %r5, %r5, 1; st.global.u32 [%at], %r5;
E: ret;`;
    const wanted = lanes.map((lane) => (lane % 4 === 0 ? 0 : 0xeeee + 1));
    expect(left(body, 32, { target: "sm_61", version: "6.3", ...block(32) })).toEqual(wanted);
  });
});

describe("lanes that arrive in parts", () => {
  test("groups with a membermask each do not wait for each other", () => {
    // Tiles of eight, as cooperative groups make them; the sum of each by a butterfly.
    const step = (by: number): string => `shfl.sync.bfly.b32 %r5, %r2, ${by}, 0x181f, %r4; add.u32 %r2, %r2, %r5;`;
    const body = `
  and.b32 %r3, %lane, 24; shl.b32 %r4, 0xff, %r3; mov.u32 %r2, %lane;
  ${step(4)} ${step(2)} ${step(1)}
  st.global.u32 [%at], %r2; ret;`;
    const wanted = lanes.map((lane) => 8 * (lane & 24) + 28);
    expect(left(body, 32, block(32))).toEqual(wanted);
  });

  test("the same qualifiers at two places are one exchange, each with its own registers", () => {
    const body = `
  setp.lt.u32 %p1, %lane, 16; add.u32 %r2, %lane, 100; add.u32 %r3, %lane, 200;
  @%p1 bra A;
  shfl.sync.bfly.b32 %r5, %r2, 16, 31, -1; bra E;
A: shfl.sync.bfly.b32 %r6, %r3, 16, 31, -1; mov.u32 %r5, %r6;
E: st.global.u32 [%at], %r5; ret;`;
    const wanted = lanes.map((lane) => (lane < 16 ? 100 + lane + 16 : 200 + lane - 16));
    expect(left(body, 32, block(32))).toEqual(wanted);
  });

  test("bar.warp.sync orders what lanes write and read, wherever it stands", () => {
    const body = `
  .shared .b32 s;
  setp.eq.u32 %p1, %lane, 31; mov.u32 %r5, 0;
  @!%p1 bra R;
  st.shared.u32 [s], 77; bar.warp.sync -1; bra E;
R: bar.warp.sync -1; ld.shared.u32 %r5, [s];
E: st.global.u32 [%at], %r5; ret;`;
    expect(left(body, 32, block(32))).toEqual(lanes.map((lane) => (lane === 31 ? 0 : 77)));
  });

  test("nobody waits for lanes that have exited, or exit while they are waited for", () => {
    const body = `
  setp.lt.u32 %p1, %lane, 4; setp.lt.u32 %p2, %lane, 8; mov.u32 %r1, 0;
  @%p1 exit;
  @!%p2 bra S;
W: add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 50; @%p3 bra W;
  exit;
S: vote.sync.ballot.b32 %r5, 1, -1; st.global.u32 [%at], %r5; ret;`;
    expect(left(body, 32, block(32))).toEqual(lanes.map((lane) => (lane < 8 ? 0 : 0xffff_ff00)));
  });

  test("a warp of a block that is not full, or of five threads", () => {
    const body = "redux.sync.add.u32 %r5, %me, -1; st.global.u32 [%at], %r5; ret;";
    expect(left(body, 5, block(5))).toEqual([10, 10, 10, 10, 10]);
    expect(left(body, 40, block(40)).slice(30)).toEqual([496, 496, ...Array<number>(8).fill(284)]);
  });

  test("a guard takes lanes out, and they do not take part", () => {
    const body = `
  setp.lt.u32 %p1, %lane, 8; mov.u32 %r5, 9;
  @%p1 vote.sync.ballot.b32 %r5, 1, 0xff;
  st.global.u32 [%at], %r5; ret;`;
    expect(left(body, 32, block(32))).toEqual(lanes.map((lane) => (lane < 8 ? 0xff : 9)));
  });
});

describe("barriers of a block", () => {
  test.each(["bar.sync 0;", "barrier.sync 0;", "barrier.cta.sync.aligned 3;", "mov.u32 %r9, 7; barrier.sync %r9;"])(
    "%s lets every thread read what the others wrote",
    (sync) => {
      const body = `
  .shared .b32 s[256]; .reg .b32 %s;
  mov.u32 %s, s; shl.b32 %r1, %me, 2; add.u32 %r1, %s, %r1; st.shared.u32 [%r1], %me;
  ${sync}
  mov.u32 %r2, %ntid.x; sub.u32 %r2, %r2, 1; sub.u32 %r2, %r2, %me; shl.b32 %r2, %r2, 2; add.u32 %r2, %s, %r2;
  ld.shared.u32 %r3, [%r2]; st.global.u32 [%at], %r3; ret;`;
      for (const threads of [1, 33, 100, 256])
        expect(left(body, threads, block(threads))).toEqual(
          Array.from({ length: threads }, (_, at) => threads - 1 - at),
        );
    },
  );

  test("a producer that arrives and a consumer that waits, as the manual has them", () => {
    // Warp 0 produces 1 to 8, warp 1 adds them up: barrier 0 says full, barrier 1 says empty.
    const body = `
  .shared .b32 s;
  setp.ge.u32 %p1, %me, 32; mov.u32 %r1, 0; mov.u32 %r2, 0;
  @%p1 bra C;
P: add.u32 %r1, %r1, 1; st.shared.u32 [s], %r1;
  bar.arrive 0, 64; bar.sync 1, 64;
  setp.lt.u32 %p2, %r1, 8; @%p2 bra P;
  ret;
C: bar.sync 0, 64; ld.shared.u32 %r3, [s]; add.u32 %r2, %r2, %r3; add.u32 %r1, %r1, 1;
  bar.arrive 1, 64;
  setp.lt.u32 %p2, %r1, 8; @%p2 bra C;
  st.global.u32 [%at], %r2; ret;`;
    expect(left(body, 64, block(64)).slice(31, 34)).toEqual([0, 36, 36]);
  });

  test.each(["bar.red", "barrier.red"])("%s counts and decides over all threads, a partial warp included", (name) => {
    const all = (count: number): string => (count === 0 ? "" : `, ${count}`);
    for (const count of [0, 96]) {
      const body = `
  and.b32 %r1, %me, 1; setp.eq.u32 %p1, %r1, 1; setp.lt.u32 %p2, %me, 1000;
  ${name}.popc.u32 %r5, 0${all(count)}, %p1;
  ${name}.and.pred %p3, 1${all(count)}, %p1; @%p3 add.u32 %r5, %r5, 1000;
  ${name}.and.pred %p3, 1${all(count)}, %p2; @%p3 add.u32 %r5, %r5, 2000;
  ${name}.or.pred %p3, 2${all(count)}, %p1; @%p3 add.u32 %r5, %r5, 4000;
  ${name}.or.pred %p3, 2${all(count)}, !%p2; @%p3 add.u32 %r5, %r5, 8000;
  st.global.u32 [%at], %r5; ret;`;
      expect(left(body, 70, block(70))).toEqual(Array<number>(70).fill(35 + 2000 + 4000));
    }
  });

  test("barrier without .aligned may be reached in parts and at different places", () => {
    const body = `
  .shared .b32 s;
  setp.eq.u32 %p1, %lane, 5; setp.eq.u32 %p2, %me, 37; mov.u32 %r5, 0;
  @%p1 bra A;
  barrier.sync 0; ld.shared.u32 %r5, [s]; bra E;
A: @%p2 st.shared.u32 [s], 123;
  barrier.sync 0;
E: st.global.u32 [%at], %r5; ret;`;
    const wanted = Array.from({ length: 64 }, (_, tid) => (tid % 32 === 5 ? 0 : 123));
    expect(left(body, 64, block(64))).toEqual(wanted);
  });

  test("registers may name another barrier in each warp", () => {
    const body = `
  shr.u32 %r1, %me, 6; bar.sync %r1, 64; mov.u32 %r2, 64; bar.sync %r1, %r2;
  mov.u32 %r5, 1; st.global.u32 [%at], %r5; ret;`;
    expect(left(body, 128, block(128))).toEqual(Array<number>(128).fill(1));
  });

  test("threads that exit without arriving are a finding, once, and the others go on", () => {
    const body = `
  setp.ge.u32 %p1, %me, 40; @%p1 exit;
  mov.u32 %r1, 0;
L: bar.sync 0; add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 3; @%p2 bra L;
  st.global.u32 [%at], %r1; ret;`;
    const ran = runKernel(body, 64, block(64));
    expect([ran.stop.reason, ran.findings]).toEqual(["exit", ["PTX4011"]]);
    expect([...ran.words].slice(38, 42)).toEqual([3, 3, 0, 0]);
    const quiet = { launch: { block: 64, sanitize: { mem: true, init: true, sync: false } } };
    expect(runKernel(body, 64, quiet).findings).toEqual([]);
  });

  test("lanes that have exited give a shuffle what nobody knows, and a seed draws it", () => {
    const body = `
  setp.ge.u32 %p1, %me, 24; @%p1 exit;
  add.u32 %r1, %me, 100; shfl.sync.bfly.b32 %r2, %r1, 8, 31, 0xffffffff;
  st.global.u32 [%at], %r2; ret;`;
    const run = (seed?: number) =>
      runKernel(body, 32, { launch: { block: 32, ...(seed !== undefined && { schedule: { seed } }) } });
    const ran = run();
    expect(ran.findings).toEqual(["PTX4012"]);
    expect([...ran.words].slice(8, 24)).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 0, 0, 0, 0, 0, 0, 0, 0]);
    const [first, again, other] = [run(1), run(1), run(2)].map(({ words }) => words[16]);
    expect(first).toBe(again);
    expect(first).not.toBe(other);
    // Lanes that the membermask does not name are nobody's business.
    expect(runKernel(body.replace("0xffffffff", "0x00ffffff"), 32, block(32)).findings).toEqual([]);
  });
});
