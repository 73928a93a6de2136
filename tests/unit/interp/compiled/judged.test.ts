import { describe, expect, it } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { OWNER_WORDS } from "../../../../src/interp/compiled/running/owner-words.ts";
import { compiled, javascript } from "../../../../src/interp/index.ts";
import type { Executor } from "../../../../src/interp/state/executor.ts";

/** What is found in a launch of two blocks of two warps, and whether the module has judged all of it. */
function launchOn(executor: Executor, body: string, block: number | readonly [number, number] = 64) {
  const text = `.version 8.8
.target sm_90
.address_size 64
.entry k(.param .b64 out)
{
  .reg .b32 t, l, g, x, y, a, s, i; .reg .b64 o, z, w; .reg .pred p;
  .shared .align 16 .b8 tile[4096];
  ld.param.b64 o, [out]; mov.u32 t, %tid.x; mov.u32 l, %laneid; mov.u32 s, tile;
  mov.u32 x, %ctaid.x; mad.lo.u32 g, x, 64, t; mov.b64 w, 7; mov.u32 y, 3;
  ${body}
  ret;
}`;
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const args = [device.buffer(new Uint8Array(12288))];
  const sanitize = { mem: true, init: false, race: true };
  const session = must(kernel.session({ grid: 2, block, args, sanitize, executor, readableRegisters: false }))!;
  expect(session.run()).toEqual({ reason: "exit" });
  const isJudged = session.state!.context.memory.allocations.live.some(({ name }) => name === OWNER_WORDS);
  session.close();
  return {
    isJudged,
    found: session.findings.map(({ code }) => code),
    says: session.findings.map(({ message }) => message),
  };
}

const launch = (body: string, block?: readonly [number, number]) => {
  const { isJudged, found } = launchOn(compiled, body, block);
  return { isJudged, found };
};

const judged = { isJudged: true, found: [] };

/** Stores of the types that a line names make owner words of so many bytes. */
const grains = [
  [4, ""],
  [2, "st.global.u16 [o+2048], y;"],
  [1, "st.global.u8 [o+2048], y;"],
].map(([bytes, store]) => [bytes, `setp.eq.u32 p, g, 0; @p ${store || "bra on; on:"}`] as const);

const types = [
  ["u8", 1, "y"],
  ["u16", 2, "y"],
  ["u32", 4, "y"],
  ["u64", 8, "w"],
  ["v2.u32", 8, "{y, y}"],
  ["v4.u8", 4, "{y, y, y, y}"],
  ["v4.u32", 16, "{y, y, y, y}"],
] as const;

const global = (of: string, size: number, more = 0): string =>
  `mul.wide.u32 z, ${of}, ${size}; add.s64 z, z, o; add.s64 z, z, ${more};`;

describe.each(grains)("with owner words of %i bytes", (_, more) => {
  it.each(types)("threads that store %s side by side, and load that again, do not race", (type, size, data) => {
    const all = `${global("g", size)} st.global.${type} [z], ${data}; ld.global.${type} ${data}, [z];`;
    // In all lanes, and in those of a branch; then once more, from a place that is not the first of a page.
    const some = `setp.lt.u32 p, l, 19; @p ld.global.${type} ${data}, [z]; @p st.global.${type} [z], ${data};`;
    const shared = `mad.lo.u32 a, t, ${size}, s; st.shared.${type} [a], ${data}; ld.shared.${type} ${data}, [a];`;
    const after = `bar.sync 0; xor.b32 a, t, 37; mad.lo.u32 a, a, ${size}, s; ld.shared.${type} ${data}, [a];`;
    expect(launch(`${more} ${all} ${some} ${shared} ${after} bar.sync 0; ${shared}`)).toEqual(judged);
    const loads = ["g", "t", "g"].map((of) => `${global(of, size)} ld.global.${type} ${data}, [z];`).join(" ");
    expect(launch(`${more} ${loads}`)).toEqual(judged);
  });

  it.each(types)("a load of what another lane or block has stored as %s is a race", (type, size, data) => {
    const stored = `${global("g", size)} st.global.${type} [z], ${data};`;
    for (const other of [4, 9, 37, 69]) {
      const read = `setp.eq.u32 p, g, 5; ${global(String(other), size, size - 1)} @p ld.global.u8 y, [z];`;
      const found = { other, ...launch(`${more} ${stored} ${read}`) };
      expect(found).toEqual({ other, isJudged: false, found: ["PTX4002"] });
    }
  });
});

it("lanes that store to one byte, or to bytes of one word that one of them loads, race", () => {
  const half = `shr.u32 a, g, 1; ${global("a", 1)} st.global.u8 [z], g;`;
  expect(launch(half)).toEqual({ isJudged: false, found: ["PTX4002"] });
  const word = `${global("g", 1)} st.global.u8 [z], g; and.b32 a, g, -4; ${global("a", 1)} ld.global.u32 y, [z];`;
  expect(launch(word)).toEqual({ isJudged: false, found: ["PTX4002"] });
  const apart = `${global("g", 1)} st.global.u8 [z], g; bar.sync 0; and.b32 a, g, -4; ${global("a", 1)} ld.global.u32 y, [z];`;
  expect(launch(apart)).toEqual(judged);
});

// A row of a block is often as wide as half a warp.
const words = {
  "of a half in a row": "and.b32 a, l, 15; shr.u32 x, g, 4; mad.lo.u32 a, x, 37, a;",
  "of all in a row": "mov.u32 a, g;",
  "that all of a half load": "shr.u32 a, g, 4;",
  "that all load": "shr.u32 a, g, 5;",
  "of a half in a row, and of the other apart":
    "shr.u32 x, l, 4; and.b32 a, l, 15; mul.lo.u32 x, x, a; mad.lo.u32 a, x, 2, l; shr.u32 x, g, 5; mad.lo.u32 a, x, 64, a;",
  "of a half apart, and of the other in a row":
    "shr.u32 x, l, 4; xor.b32 x, x, 1; and.b32 a, l, 15; mad.lo.u32 a, a, 2, 32; mad.lo.u32 a, a, x, l; shr.u32 x, g, 5; mad.lo.u32 a, x, 128, a;",
};

describe.each(Object.entries(words))("the words %s", (name, index) => {
  const at = `${index} ${global("a", 4)}`;
  const own = name.includes("in a row");
  const store = own ? "st.global.u32 [z], y;" : "";
  /** One thread accesses the word of another: of its half or not, of its warp or not, of its block or not. */
  const others = [4, 9, 20, 21, 37, 69];
  const other = (thread: number, act: string): string =>
    `mov.u32 i, g; mov.u32 g, ${thread}; mov.u32 l, ${thread % 32}; ${at} mov.u32 g, i; mov.u32 l, %laneid;
     setp.eq.u32 p, g, 5; @p ${act};`;

  it("are judged by the module, whether nobody has been there or the same threads have", () => {
    const again = `${at} ld.global.u32 x, [z]; ${store} ${at} ${store} ld.global.u32 x, [z];`;
    expect(launch(`${again} bar.sync 0; ${again}`)).toEqual(judged);
  });

  it.each(others)("are judged where thread 5 loads that of thread %i, before and after a barrier", (thread) => {
    const load = other(thread, "ld.global.u32 x, [z]");
    const isRace = own;
    expect(launch(`${at} ld.global.u32 x, [z]; ${store} ${load}`).found).toEqual(isRace ? ["PTX4002"] : []);
    expect(launch(`${load} ${at} ld.global.u32 x, [z]; ${store}`).found).toEqual(isRace ? ["PTX4002"] : []);
    // Within a block a barrier is between them.
    const found = isRace && thread > 63 ? ["PTX4002"] : [];
    expect(launch(`${at} ld.global.u32 x, [z]; ${store} bar.sync 0; ${load}`).found).toEqual(found);
    expect(launch(`${load} bar.sync 0; ${at} ld.global.u32 x, [z]; ${store}`).found).toEqual(found);
  });

  it.each(others)("race where thread 5 stores to that of thread %i", (thread) => {
    const act = other(thread, "st.global.u32 [z], y");
    for (const body of [`${at} ld.global.u32 x, [z]; ${store} ${act}`, `${act} ${at} ld.global.u32 x, [z]; ${store}`]) {
      const { says, isJudged } = launchOn(compiled, body);
      expect(isJudged).toBe(false);
      expect(says).not.toEqual([]);
      expect(says).toEqual(launchOn(javascript, body).says);
    }
  });
});

it.each([16, 32, 64])("a load of the words in a row that others have stored, %i threads on, is a race", (far) => {
  const row = (of: string): string => `mov.u32 a, ${of}; ${global("a", 4)}`;
  const other = `xor.b32 x, g, ${far}; ${row("x")} ld.global.u32 y, [z];`;
  expect(launch(`${row("g")} st.global.u32 [z], y; ${other}`)).toEqual({ isJudged: false, found: ["PTX4002"] });
  expect(launch(`${row("g")} ld.global.u32 y, [z]; ${other} bar.sync 0; ${other}`)).toEqual(judged);
});

it("words in a row that go on behind a page are judged", () => {
  // Pages have their owner words in the order in which they are first touched.
  const row = `ld.global.u32 y, [o]; ld.global.u32 y, [o+8192]; add.s64 z, o, 4096; and.b64 z, z, -4096; mul.wide.u32 w, g, 4; add.s64 z, z, w; st.global.u32 [z+-64], y;`;
  expect(launch(row)).toEqual(judged);
  for (const more of [-64, -4, 0, 4, 60]) {
    const other = `add.s64 z, o, 4096; and.b64 z, z, -4096; setp.eq.u32 p, g, 40; @p ld.global.u32 y, [z+${more}];`;
    expect({ more, ...launch(row + other) }).toEqual({ more, isJudged: false, found: ["PTX4002"] });
  }
});

it("so are those of which that is known before they are run", () => {
  const row = `ld.global.u32 y, [o]; ld.global.u32 y, [o+8192]; mad.wide.u32 z, g, 4, o; st.global.u32 [z+4032], y;`;
  expect(launch(row)).toEqual(judged);
  for (const more of [-64, -4, 0, 4, 60]) {
    const other = `setp.eq.u32 p, g, 40; @p ld.global.u32 y, [o+${4096 + more}];`;
    expect({ more, ...launch(row + other) }).toEqual({ more, isJudged: false, found: ["PTX4002"] });
  }
});

it.each([
  ["global", "mad.wide.u32 z, g, 4, o;", "[z]", 13000],
  ["shared", "shl.b32 a, t, 2; add.u32 a, a, s;", "[a]", 6000],
])("more rows of %s memory than there is room for are judged", (space, address, at, count) => {
  const all = `${address} mov.u32 i, 0; again: st.${space}.u32 ${at}, i; add.u32 i, i, 1; setp.lt.u32 p, i, ${count}; @p bra again;`;
  expect(launch(all)).toEqual(judged);
  const race = `${all} setp.eq.u32 p, g, 5; @p ld.${space}.u32 y, [${space === "shared" ? "s" : "o"}+160];`;
  const { says } = launchOn(compiled, race);
  expect(says).toHaveLength(1);
  expect(says).toEqual(launchOn(javascript, race).says);
});

it("rows of a block that are no rows of the warp are judged, and those of some lanes", () => {
  const row = "mad.lo.u32 a, x, 256, t; mad.wide.u32 z, a, 4, o; st.global.u32 [z], t;";
  const elsewhere = "setp.eq.u32 p, t, 5; @p ld.global.u32 y, [o+84];";
  expect(launch(row + elsewhere, [16, 2]).found).toEqual([]);
  const some = "mad.wide.u32 z, g, 4, o; setp.lt.u32 p, l, 16; @p st.global.u32 [z], y;";
  const other = (thread: number): string => `setp.eq.u32 p, g, 5; @p ld.global.u32 y, [o+${4 * thread}];`;
  expect(launch(some + other(20)).found).toEqual([]);
  expect(launch(some + other(8)).found).toEqual(["PTX4002"]);
});

it("bytes in a row are judged by the words in which they lie", () => {
  const bytes = `shr.u32 x, g, 5; mad.lo.u32 a, x, 128, l; ${global("a", 1)} ld.global.u8 y, [z];`;
  const store = `setp.eq.u32 p, g, 1; @p st.global.u32 [o+4], t;`;
  expect(launch(`${bytes} ${store}`).found).toEqual(["PTX4002"]);
});

// So many that the module learns how the lanes' addresses differ: then what is known of a load goes for others beside it.
describe("loads of a tile, many times", () => {
  const tile = (between: string, after: string, before: string): string => `mad.lo.u32 a, t, 16, s;
    ${[0, 1024, 2048, 3072].map((more) => `st.shared.v4.u32 [a+${more}], {t, t, t, t};`).join(" ")} bar.sync 0;
    shl.b32 a, t, 2; add.u32 a, a, s; mov.u32 i, 0;
    again: and.b32 x, l, 16; shr.u32 y, t, 5; mad.lo.u32 x, y, 8, x; mad.lo.u32 x, x, 4, s; ${before} st.shared.u32 [a], i; ${between}
    ${[4, 0, 8, 1000].map((more) => `ld.shared.u32 y, [x+${more}]; ld.shared.u32 y, [a];`).join(" ")}
    ${after} bar.sync 0; add.u32 i, i, 1; setp.lt.u32 p, i, 120; @p bra again;`;
  const late = "setp.eq.u32 p, i, 100;";
  const one = (thread: number): string => `${late} setp.eq.and.u32 p, t, ${thread}, p; @p st.shared.u32 [s+1000], i;`;
  const elsewhere = `${late} xor.b32 x, l, 31; mad.lo.u32 x, y, 64, x; mad.lo.u32 x, x, 4, s; add.u32 x, x, 1200; @!p mov.u32 x, a;`;

  const barrier = "bar.sync 0;";
  it.each([
    ["race with none behind a barrier", barrier],
    [
      "race from the time when the barrier is left out",
      "setp.lt.u32 p, i, 90; @p bra on; bra.uni off; on: bar.sync 0; off:",
    ],
    ["race with what another thread has stored", `${barrier} ${one(8)}`],
    // The other warp loads it before.
    ["race with what another thread stores", barrier, one(40)],
    ["race with it where owner words say all", barrier, one(40), "ld.shared.u32 y, [a];"],
    [
      "race where their addresses differ otherwise for once",
      `${barrier} ${elsewhere}`,
      one(40).replace("1000", "2300"),
    ],
  ])("%s", (name, between, after = "", before = "") => {
    const body = tile(between, after, before);
    const { says } = launchOn(compiled, body);
    expect(says.length > 0).toBe(!name.includes("none"));
    expect(says).toEqual(launchOn(javascript, body).says);
  });
});
