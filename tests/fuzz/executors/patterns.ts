import { driverLines } from "./calls.ts";
import type { Pointers } from "./pointers.ts";
import type { Random } from "./random.ts";

/** Where a pattern stands. */
export interface PatternPlace {
  readonly random: Random;
  readonly pointers: Pointers;
  /** Threads of a block. */
  readonly threads: number;
  /** `sm_90a` as 90 */
  readonly sm: number;
  readonly label: () => string;
  /** All lanes of the warp are here, and all of the block come here. */
  readonly together: boolean;
}

type Pattern = (place: PatternPlace) => readonly string[];

const r = (random: Random): string => `%r${random.below(8)}`;

/** Each thread's word, then another's. */
const tile: Pattern = ({ random, pointers, threads }) => {
  const others = 2 ** Math.floor(Math.log2(threads)) - 1;
  return [
    `st.shared.b32 [${pointers.use("s4")}], ${r(random)};`,
    "bar.sync 0;",
    "mov.u32 %a32, %tid.x;",
    `${random.any(["xor.b32", "add.u32"])} %a32, %a32, ${1 + random.below(64)};`,
    `and.b32 %a32, %a32, ${random.chance(95) ? others : 127};`,
    `mad.lo.u32 %a32, %a32, 4, ${pointers.use("sU")};`,
    `ld.shared.b32 ${r(random)}, [%a32];`,
    ...(random.chance(80) ? ["bar.sync 0;"] : []),
  ];
};

/** The sum of a block's words, by halves; lanes part where it is done by branches. */
const halves: Pattern = ({ random, pointers, threads, label }) => {
  const [again, skip] = [label(), label()];
  const [word, t] = [pointers.use("s4"), pointers.use("t")];
  const branches = random.chance(60);
  const guard = branches ? "" : "@%lw ";
  return [
    `st.shared.b32 [${word}], ${r(random)};`,
    "bar.sync 0;",
    `mov.u32 %w0, ${2 ** Math.max(0, Math.floor(Math.log2(threads)) - 1)};`,
    `${again}:`,
    `setp.lt.u32 %lw, ${t}, %w0;`,
    ...(branches ? [`@!%lw bra ${skip};`] : []),
    `mad.lo.u32 %a32, %w0, 4, ${word};`,
    `${guard}ld.shared.b32 %r1, [%a32];`,
    `${guard}ld.shared.b32 %r2, [${word}];`,
    `${guard}${random.any(["add.u32", "max.s32", "xor.b32"])} %r1, %r1, %r2;`,
    `${guard}st.shared.b32 [${word}], %r1;`,
    ...(branches ? [`${skip}:`] : []),
    random.any(["bar.sync 0;", "bar.sync 0;", "bar.sync 1;", "barrier.sync 0;"]),
    "shr.u32 %w0, %w0, 1;",
    "setp.ne.u32 %lw, %w0, 0;",
    `@%lw bra ${again};`,
  ];
};

/** Some warps arrive, the others wait. */
const producers: Pattern = ({ random, threads, label }) => {
  const [other, end] = [label(), label()];
  const count = Math.ceil(threads / 32) * 32;
  const number = random.chance(80) ? random.below(4) : "%a32";
  return [
    "mov.u32 %a32, %tid.x;",
    `setp.lt.u32 %lw, %a32, ${32 * (1 + random.below(Math.max(1, count / 32 - 1)))};`,
    `mov.u32 %a32, ${random.below(4)};`,
    `@%lw bra ${other};`,
    `${random.any(["bar", "barrier"])}.sync ${number}, ${count};`,
    `bra ${end};`,
    `${other}:`,
    `${random.any(["bar", "barrier"])}.arrive ${number}, ${count};`,
    `${end}:`,
  ];
};

/** Loads or stores whose address moves on, into memory that nobody has initialised, or out of it. */
const stream: Pattern = ({ random, pointers, label }) => {
  const again = label();
  const shared = random.chance(30);
  const space = shared ? "shared" : "global";
  const [p, bits] = shared ? ["%w1", "b32"] : ["%v", "b64"];
  const base = shared
    ? pointers.use(random.any(["s4", "sA", "sU"]))
    : pointers.use(random.any(["g4", "gA", "gB", "gU"]));
  const step = random.any([4, 4, 16, 128, 512, 512, -4]);
  const trips = random.chance(5) ? 600 : random.chance(10) ? 40 : 2 + random.below(10);
  const [load, store] = [random.chance(75), random.chance(50)];
  return [
    `mov.${bits} ${p}, ${base};`,
    "mov.u32 %w0, 0;",
    `${again}:`,
    ...(load ? [`ld.${space}.b32 ${r(random)}, [${p}];`] : []),
    ...(random.chance(50) ? [`ld.${space}.b32 ${r(random)}, [${p}+4];`] : []),
    `add.u32 ${r(random)}, ${r(random)}, %w0;`,
    ...(store ? [`st.${space}.b32 [${p}${random.chance(70) ? "" : "+8"}], ${r(random)};`] : []),
    `add.${shared ? "u32" : "s64"} ${p}, ${p}, ${step};`,
    "add.u32 %w0, %w0, 1;",
    `setp.lt.u32 %lw, %w0, ${trips};`,
    `@%lw bra ${again};`,
  ];
};

/** Copies that are under way until they are waited for. */
const pipeline: Pattern = ({ random, pointers, sm }) => {
  if (sm < 80) return [];
  const bytes = random.any([4, 8, 16]);
  const [to, from] = [pointers.use("s16"), pointers.use("g16")];
  const count = 1 + random.below(3);
  const lines: string[] = [];
  for (let at = 0; at < count; at++)
    lines.push(
      `cp.async.${bytes === 16 && random.chance(50) ? "cg" : "ca"}.shared.global [${to}+${2048 * at}], [${from}+${256 * at}], ${bytes};`,
      "cp.async.commit_group;",
    );
  const left = random.chance(92) ? 0 : 1;
  lines.push(left === 0 && random.chance(30) ? "cp.async.wait_all;" : `cp.async.wait_group ${left};`);
  if (random.chance(50)) lines.push("bar.sync 0;");
  return [...lines, `ld.shared.b32 ${r(random)}, [${to}+${2048 * random.below(count)}];`];
};

/** An mbarrier object in shared memory, with a copy in bulk now and then. */
const mbarrier: Pattern = ({ random, pointers, threads, sm, label }) => {
  if (sm < 80) return [];
  const again = label();
  const object = pointers.use("mb");
  const t = pointers.use("t");
  const bulk = sm >= 90 && random.chance(35);
  const wait = sm >= 90 && random.chance(60) ? "try_wait" : "test_wait";
  const arrive = bulk
    ? [
        `@%lw mbarrier.arrive.expect_tx.shared.b64 _, [${object}], 64;`,
        "@%lw cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [S], [A], 64, [%mb];",
      ]
    : [`mbarrier.arrive.shared.b64 %a64, [${object}];`];
  const waits =
    bulk || (sm >= 90 && random.chance(50))
      ? `mbarrier.${sm >= 90 ? wait : "test_wait"}.parity.shared.b64 %lw, [${object}], 0;`
      : `mbarrier.${wait}.shared.b64 %lw, [${object}], %a64;`;
  return [
    `setp.eq.u32 %lw, ${t}, 0;`,
    `@%lw mbarrier.init.shared.b64 [${object}], ${bulk ? 1 : threads};`,
    "bar.sync 0;",
    ...arrive,
    `${again}:`,
    waits,
    `@!%lw bra ${again};`,
    ...(bulk ? [`ld.shared.b32 ${r(random)}, [S+${4 * random.below(16)}];`] : []),
    "bar.sync 0;",
    `setp.eq.u32 %lw, ${t}, 0;`,
    `@%lw mbarrier.inval.shared.b64 [${object}];`,
  ];
};

/** Everybody arrives at an mbarrier object that is new. */
export const awaited = (object: string, t: string, threads: number): readonly string[] => [
  "bar.sync 0;",
  `setp.eq.u32 %lw, ${t}, 0;`,
  `@%lw mbarrier.init.shared.b64 [${object}], ${threads};`,
  "bar.sync 0;",
  `mbarrier.arrive.shared.b64 %a64, [${object}];`,
];

/** Fragments from shared memory, and their product. */
const product: Pattern = ({ random, pointers, threads, sm, together }) => {
  if (sm < 80 || threads % 32 !== 0 || !together) return [];
  const row = pointers.use("s16");
  const trans = random.chance(40) ? ".trans" : "";
  const type = random.any(["f16", "bf16"]);
  return [
    `st.shared.v4.b32 [${row}], {%r0, %r1, %r2, %r3};`,
    `st.shared.v4.b32 [${row}+2048], {%r4, %r5, %r0, %r1};`,
    random.any(["bar.sync 0;", "bar.warp.sync -1;"]),
    `ldmatrix.sync.aligned.m8n8.x4${trans}.shared.b16 {%r0, %r1, %r2, %r3}, [${row}];`,
    `ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r4, %r5}, [${row}+${random.any([0, 2048])}];`,
    `mma.sync.aligned.m16n8k16.row.col.f32.${type}.${type}.f32 {%mf0, %mf1, %mf2, %mf3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%mf0, %mf1, %mf2, %mf3};`,
    ...(random.chance(60) ? [`mov.b32 ${r(random)}, %mf${random.below(4)};`] : []),
  ];
};

/** A loop whose barrier lies before where some lanes come from, as compilers turn loops: the others are there first. */
const rotated: Pattern = ({ random, pointers, label }) => {
  const [meet, begin, out] = [label(), label(), label()];
  const [word, t] = [pointers.use("s4"), pointers.use("t")];
  const part = (): readonly string[] => [
    `add.u32 %a32, ${t}, %w0;`,
    `and.b32 %a32, %a32, ${random.any([1, 3, 7, 31])};`,
    `setp.lt.u32 %lw, %a32, ${1 + random.below(4)};`,
    `@%lw bra ${meet};`,
  ];
  const strange = [
    "bar.sync 1;",
    "@%p0 exit;",
    "bar.warp.sync -1;",
    "barrier.sync 0;",
    `shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;`,
  ];
  return [
    "mov.u32 %w0, 0;",
    `bra.uni ${begin};`,
    `${meet}:`,
    random.any([
      "bar.sync 0;",
      "bar.sync 0;",
      "bar.sync 0;",
      "barrier.sync 0;",
      "bar.sync %i0;",
      "bar.red.popc.u32 %r3, 0, %p1;",
    ]),
    "add.u32 %w0, %w0, 1;",
    `${begin}:`,
    `setp.gt.u32 %lw, %w0, ${1 + random.below(5)};`,
    `@%lw bra ${out};`,
    ...part(),
    `st.shared.b32 [${word}], ${r(random)};`,
    ...(random.chance(40) ? part() : []),
    ...(random.chance(12) ? [random.any(strange)] : []),
    ...(random.chance(50) ? [`ld.shared.b32 ${r(random)}, [${word}];`] : []),
    `bra.uni ${meet};`,
    `${out}:`,
  ];
};

/** The driver's functions: they print, or give memory. */
const driver: Pattern = ({ random, pointers }) => driverLines(random, pointers.use("l4"));

const together: readonly Pattern[] = [
  tile, tile, tile, halves, halves, halves, rotated, rotated, producers, producers, stream, stream, stream, pipeline, mbarrier, product, driver,
]; // biome-ignore format: by how often each is drawn
const parted: readonly Pattern[] = [stream, stream, stream, pipeline, driver];

/** The lines of a small shape that no instruction by itself would make. */
export const patternLines = (place: PatternPlace): readonly string[] =>
  place.random.any(place.together ? together : parted)(place);
