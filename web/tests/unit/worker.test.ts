import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { whole } from "../../../src/interp/tools/sliced.ts";
import type { Inputs, Loaded, Move, State, ValuePlace } from "../../page/client.ts";
import { Course } from "../../worker/course.ts";
import * as debugging from "../../worker/debugging.ts";
import { explain } from "../../worker/explaining.ts";
import { complete, hover, problems } from "../../worker/language.ts";
import { codePage } from "../../worker/pages.ts";
import { StripRecord } from "../../worker/strip.ts";

const empty: Inputs = { entry: "", grid: "", block: "", values: {}, race: false };
const load = (text: string, inputs: Partial<Inputs> = {}, name = "a.ptx"): Promise<Loaded> =>
  debugging.load({ name, text, inputs: { ...empty, ...inputs } });
const move = (kind: Exclude<Move["kind"], "goTo">): Promise<State> => debugging.move({ kind }, () => {});
const file = (path: string): string => readFileSync(`examples/${path}`, "utf8");

const module = (body: string, parameters = ".param .u64 out", before = ""): string => `.version 8.0
.target sm_80
.address_size 64
${before}.visible .entry k(${parameters})
{
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;
${body}
  ret;
}
`;
const store = module(`  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.global.f32 [%rd4], 0f3f800000;`);

describe("what a launch asks for", () => {
  it("is proposed as it is used: buffers with the type of what lies there", async () => {
    expect((await load(store)).demands).toEqual([
      { name: "out", kind: "parameter", type: "u64", example: "f32x32:iota" },
    ]);
  });

  it("is what a snippet reads before it writes it", async () => {
    const { demands } = await load("ld.global.u16 a, [p + 4];\nadd.f32 b, c, d;\naddc.u32 e, f, 1;\n");
    expect(demands.map(({ name, kind, example }) => [name, kind, example])).toEqual([
      ["p", "register", "u16x32:iota"],
      ["c", "register", expect.any(String)],
      ["d", "register", expect.any(String)],
      ["f", "register", "5"],
      ["cc.cf", "carry", "1"],
    ]);
  });

  it("are bytes for an aggregate, and a module's variables", async () => {
    const { demands } = await load(module("", ".param .align 4 .b8 s[8]", ".global .align 4 .b32 t[4];\n"));
    expect(demands).toEqual([
      { name: "s", kind: "parameter", type: "b8[8]", example: "hex:0000000000000000" },
      { name: "t", kind: "variable", type: "b8[16]", example: "u32x4:iota" },
    ]);
  });

  it.each(["kernels/collatz.ptx", "gallery/matmul.ptx", "half/fma.ptx", "visa/add.visaasm", "bulk/box.ptx"])(
    "can be given as it is proposed: %s",
    async (path) => {
      const text = file(path);
      const { demands } = await load(text);
      const values = Object.fromEntries(demands.map(({ name, example }) => [name, example]));
      const { problems: wrong, fields, state } = await load(text, { values });
      expect([wrong.filter(({ severity }) => severity === "error"), fields]).toEqual([[], []]);
      expect(state?.position).toBe(0);
    },
  );
});

describe("what is left open", () => {
  const run = (text: string, inputs: Partial<Inputs> = {}, name = "a.ptx"): Promise<Loaded> =>
    debugging.load({ name, text, inputs: { ...empty, ...inputs } }, 10_000);
  const guarded = module(
    `  ld.param.u64 %rd1, [out];
  ld.param.f32 %f1, [by];
  ld.param.u32 %r2, [n];
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, %r2;
  @%p1 bra end;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.f32 %f2, [%rd4];
  mul.f32 %f2, %f2, %f1;
  st.global.f32 [%rd4], %f2;
end:`,
    ".param .u64 out, .param .f32 by, .param .u32 n",
  );

  it("is inferred of a kernel, as text that the command line takes", async () => {
    const { inferred, missing, state } = await run(guarded);
    const values = { out: "f32x64:iota", by: "1.0", n: "64" };
    expect([inferred, missing]).toEqual([{ grid: "1", block: "64", smem: "", values }, []]);
    expect([state?.stop.reason, state?.findings, state?.threads]).toEqual(["exit", [], 64]);
    // What stands in the boxes gives the same by hand.
    const byHand = await run(guarded, { block: "64", values });
    expect(byHand.inferred).toBeUndefined();
    expect(byHand.state).toEqual(state);
  });

  it("fits what was typed", async () => {
    const { inferred, state } = await run(guarded, { block: "32", values: { by: "2.0" } });
    expect(inferred?.values).toEqual({ out: "f32x32:iota", by: "2.0", n: "32" });
    expect([state?.threads, state?.written]).toEqual([32, [{ name: "out", type: "f32", count: 32, changed: 31 }]]);
  });

  it("are examples in a snippet, each another one", async () => {
    const { inferred, state } = await run("fma.rn.f32 d, a, b, c;\n");
    expect(inferred?.values).toEqual({ a: "1.5", b: "2.5", c: "0.25" });
    expect(state?.registers.find(({ name }) => name === "d")?.bits).toEqual([0x4080_0000n]);
  });

  it("is dynamic shared memory, too", async () => {
    const text = module(
      `  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, s;
  add.u32 %r3, %r3, %r2;
  st.shared.u32 [%r3], %r1;
  ld.shared.u32 %r4, [%r3];
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  st.global.u32 [%rd4], %r4;`,
      ".param .u64 out",
      ".extern .shared .align 4 .b8 s[];\n",
    );
    const { inferred, state } = await run(text);
    expect([inferred?.smem, state?.stop.reason]).toEqual(["256", "exit"]);
    expect((await run(text, { smem: "many" })).fields.map(({ field }) => field)).toEqual(["smem"]);
  });

  it("is said where it cannot be inferred, and nothing runs", async () => {
    const text = module("  ld.param.u64 %rd1, [s];\n  st.global.u32 [%rd1], 1;", ".param .align 8 .b8 s[16]");
    const { missing, state } = await run(text);
    expect([missing, state?.position, state?.stop.reason]).toEqual([["s"], 0, "start"]);
  });
});

describe("a launch that runs by itself", () => {
  const run = (text: string, inputs: Partial<Inputs> = {}, steps = 100_000): Promise<Loaded> =>
    debugging.load({ name: "a.ptx", text, inputs: { ...empty, ...inputs } }, steps);

  it("ends, and nothing in it counts as changed by a move", async () => {
    const { state } = await run("mov.u32 a, 5;\nadd.u32 b, a, 2;\n");
    expect(state).toMatchObject({ position: 3, stop: { reason: "exit" }, race: true, written: [] });
    expect(state?.registers.map(({ changed }) => changed)).toEqual([false, false]);
    // All lanes keep their registers.
    expect(debugging.lanes().registers.map(({ name, bits }) => [name, bits[0]])).toEqual([
      ["a", 5n],
      ["b", 7n],
    ]);
  });

  it("stops at its bound, and goes on from there", async () => {
    const { state } = await run("mov.u32 a, 70000;\nloop: sub.u32 a, a, 1;\nsetp.ne.u32 p, a, 0;\n@p bra loop;\n");
    expect([state?.stop.reason, state?.position, state?.race]).toEqual(["bound", 100_000, false]);
    expect(state?.stop.text).toContain("100,000");
    expect((await move("run")).stop.reason).toBe("exit");
  });

  it("hears a stop", async () => {
    const running = run("loop: bra loop;\n", {}, 1e9);
    setTimeout(() => debugging.stop(), 30);
    expect((await running).state?.stop.reason).toBe("interrupt");
  });

  it("looks for races while it is short, always where it is asked to", async () => {
    const text = file("checks/missing-barrier.ptx");
    const inputs = { block: "64", values: { x: "u32x64:iota", barrier: "0" } };
    expect((await run(text, inputs)).state?.findings.map(({ code }) => code)).toContain("PTX4002");
    const long = "mov.u32 a, 40000;\nloop: sub.u32 a, a, 1;\nsetp.ne.u32 p, a, 0;\n@p bra loop;\n";
    expect((await run(long, { race: true })).state).toMatchObject({ race: true, stop: { reason: "bound" } });
  });

  it("says which memory has changed, and knows what it was", async () => {
    const { state } = await run("mad.wide.u32 q, i, 4, p;\nmov.u32 i, %tid.x;\nst.global.u32 [q], 9;\n", {
      values: { i: "1", p: "u32x4:iota" },
    });
    expect(state?.written).toEqual([{ name: "p", type: "u32", count: 4, changed: 1 }]);
    const { bytes, before } = debugging.memory("global", state?.buffers[0]?.address ?? 0n, 16);
    const lowest = (all: Uint8Array = bytes): readonly number[] => [...all].filter((_, at) => at % 4 === 0);
    expect([lowest(bytes), lowest(before)]).toEqual([
      [0, 9, 2, 3],
      [0, 1, 2, 3],
    ]);
  });

  it("of two dimensions says how wide a buffer is that fits", async () => {
    const text = "mov.u32 a, %tid.x;\nld.global.u32 b, [p];\nld.global.u32 c, [q];\n";
    const { state } = await run(text, { block: "4,2", values: { p: "u32x8:iota", q: "u32x9:iota" } });
    expect(state?.buffers.map(({ name, wide }) => [name, wide])).toEqual([
      ["p", [4, 2]],
      ["q", undefined],
    ]);
    // Or as its sizes are passed.
    const sized = module(
      "  ld.param.u64 %rd1, [out];\n  mov.u32 %r1, %tid.y;",
      ".param .u64 out, .param .u32 w, .param .u32 h",
    );
    const values = { out: "f32x6", w: "3", h: "2" };
    expect((await run(sized, { block: "4,4", values })).state?.buffers[0]?.wide).toEqual([3, 2]);
    expect((await run(sized, { block: "16", values })).state?.buffers[0]?.wide).toBeUndefined();
  });
});

describe("a field that is wrong", () => {
  it.each([
    [{ grid: "0" }, "grid", "PTX2207"],
    [{ block: "2000" }, "block", "PTX2207"],
    [{ block: "1,2,3,4" }, "block", "PTX2003"],
    [{ values: { out: "f32x" } }, "value:out", undefined],
    [{ values: { out: "@file.npy" } }, "value:out", undefined],
    [{ values: { out: "f32x99999999999" } }, "value:out", undefined],
  ])("says so: %j", async (inputs, field, code) => {
    const { fields, state, demands } = await load(store, inputs as Partial<Inputs>);
    expect(state).toBeUndefined();
    expect(fields.map((each) => each.field)).toEqual([field]);
    if (code !== undefined) expect(fields[0]?.problem.code).toBe(code);
    expect(demands).toHaveLength(1);
    const text = Object.values((inputs as Partial<Inputs>).values ?? { a: "    " }).join("");
    const { from, to } = fields[0]?.problem ?? { from: -1, to: -1 };
    expect(from).toBeGreaterThanOrEqual(0);
    expect(to).toBeLessThanOrEqual(Math.max(text.length, 7));
  });

  it("is the entry, where there is none of that name; of two, the first one runs", async () => {
    const two = `${store}${store.slice(store.indexOf(".visible")).replace(" k(", " l(")}`;
    const { fields, entries, state } = await load(two);
    expect([fields, entries, state?.frames[0]?.name]).toEqual([[], ["k", "l"], "k"]);
    expect((await load(two, { entry: "m" })).fields.map(({ field }) => field)).toEqual(["entry"]);
    expect((await load(two, { entry: "l", values: { out: "f32x1" } })).state?.frames[0]?.name).toBe("l");
  });

  it("is none where the program has no such name any more", async () => {
    const { fields, state } = await load(store, { values: { gone: "7", out: "f32x1" } });
    expect([fields, state?.position]).toEqual([[], 0]);
  });
});

describe("a launch", () => {
  it("is run, and stepped back, with what has changed", async () => {
    await load("mov.u32 a, 5;\nadd.u32 b, a, 2;\n");
    await move("step");
    const after = await move("step");
    const register = (state: State, name: string) => state.registers.find((each) => each.name === name);
    expect(register(after, "b")).toMatchObject({ bits: [7n], changed: true, written: true });
    expect(register(after, "a")).toMatchObject({ bits: [5n], changed: false });
    const before = await move("stepBack");
    expect([register(before, "b")?.bits, before.line, before.position, before.furthest]).toEqual([[0n], 2, 1, 2]);
    expect((await move("run")).stop).toMatchObject({ reason: "exit" });
    expect(await move("restart")).toMatchObject({ position: 0, furthest: 3 });
    expect((await debugging.move({ kind: "goTo", position: 2 }, () => {})).position).toBe(2);
  });

  it("ends at a fault, which points into the text", async () => {
    const text = "mov.u32 a, 5;\nld.global.u32 b, [c];\n";
    await load(text, { values: { c: "0" } });
    const { stop } = await move("run");
    expect(stop).toMatchObject({
      reason: "fault",
      problem: { code: "PTX3002", severity: "error" },
    });
    expect(text.slice(stop.problem?.from, stop.problem?.to)).toContain("ld.global");
    expect(stop.text).toContain("line 2");
  });

  it("tells of races where it is asked to", async () => {
    const text = file("checks/missing-barrier.ptx");
    const inputs = { block: "64", values: { x: "u32x64:iota", barrier: "0" } };
    await load(text, inputs);
    expect((await move("run")).stop.reason).toBe("exit");
    await load(text, { ...inputs, race: true });
    const { stop, findings } = await move("run");
    expect([stop.reason, findings.map(({ code }) => code)]).toEqual(["exit", ["PTX4001", "PTX4002"]]);
  });

  it("shows what was printed up to where it stands", async () => {
    await load(file("golden/hello.ptx"), { block: "2", values: { first: "40" } });
    expect((await move("run")).printed).toBe("hello from 40\nhello from 41\n");
    expect((await move("restart")).printed).toBe("");
    expect((await move("run")).printed).toBe("hello from 40\nhello from 41\n");
  });

  it("stops at breakpoints, which move down to an instruction", async () => {
    await load("// a note\n\nmov.u32 a, 5;\nadd.u32 b, a, 2;\n");
    expect(debugging.breakpoints([1, 4, 99])).toEqual([3, 4]);
    expect(debugging.breakpoints([4])).toEqual([4]);
    expect(await move("run")).toMatchObject({ line: 4, stop: { reason: "breakpoint" } });
    expect(debugging.breakpoints([])).toEqual([]);
    expect((await move("run")).stop.reason).toBe("exit");
  });

  it("hears a stop while it runs, and another load", async () => {
    const endless = "loop: bra loop;\n";
    await load(endless);
    const moving = move("run");
    setTimeout(() => debugging.stop(), 50);
    const { stop, position } = await moving;
    expect([stop.reason, position > 0]).toEqual(["interrupt", true]);
    const again = move("run");
    const other = load("mov.u32 a, 5;\n");
    expect((await again).stop.reason).toBe("interrupt");
    expect((await other).state?.position).toBe(0);
    expect((await move("run")).stop.reason).toBe("exit");
    // Also before it has begun.
    await load(endless);
    const last = move("run");
    debugging.stop();
    expect((await last).stop.reason).toBe("interrupt");
  });

  it("shows all lanes, and another thread", async () => {
    await load("mov.u32 a, %tid.x;\nsetp.lt.u32 p, a, 2;\n@p bra end;\nmov.u32 b, 1;\nend: exit;\n", { block: "40" });
    for (let step = 0; step < 3; step++) await move("step");
    const { live, active, registers } = debugging.lanes();
    expect([live, active]).toEqual([0xffff_ffff, 0b11]);
    expect(registers.find(({ name }) => name === "a")?.bits).toEqual(Array.from({ length: 32 }, (_, at) => BigInt(at)));
    const { focus, registers: own } = debugging.focus({ block: 0, warp: 0, lane: 9 });
    expect([focus.lane, own.find(({ name }) => name === "a")?.bits]).toEqual([9, [9n]]);
    expect(() => debugging.focus({ block: 7, warp: 0, lane: 0 })).toThrow(RangeError);
    debugging.focus({ block: 0, warp: 1, lane: 3 });
    expect(debugging.lanes().registers[0]?.bits.map((bits) => bits !== undefined)).toEqual(
      Array.from({ length: 32 }, (_, at) => at < 8),
    );
  });

  it("shows what all warps have executed", async () => {
    await load("mov.u32 a, %tid.x;\nsetp.lt.u32 p, a, 34;\n@p bra end;\nmov.u32 b, 1;\nend: exit;\n", { block: "36" });
    expect((await debugging.strip()).pcs).toHaveLength(0);
    await move("run");
    const strip = await debugging.strip();
    expect(strip).toMatchObject({ end: 9, grain: 1 });
    const { positions, warps, pcs, active } = strip;
    const steps = [...positions].map((position, at) => [position, warps[at], pcs[at], active[at]] as const);
    expect(steps.map(([position]) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const of = (wanted: number) => steps.flatMap(([, warp, pc, mask]) => (warp === wanted ? [[pc, mask]] : []));
    const all = 0xffff_ffff;
    expect(of(0)).toEqual([0, 1, 2, 4].map((pc) => [pc, all]));
    expect(of(1)).toEqual([
      [0, 15],
      [1, 15],
      [2, 15],
      [3, 12],
      [4, 15],
    ]);
  });

  it("shows memory by its address, as far as it goes", async () => {
    const { state } = await load(store, { values: { out: "f32x4:iota" }, block: "2" });
    const buffer = state?.buffers[0];
    expect(buffer).toMatchObject({ name: "out", type: "f32", space: "global", bytes: 16 });
    await move("run");
    const { bytes } = debugging.memory("global", buffer?.address ?? 0n, 16);
    expect([...new Float32Array(bytes.buffer)]).toEqual([1, 1, 2, 3]);
    expect(debugging.memory("global", 3n, 16).bytes).toHaveLength(0);
  });

  it("runs vISA", async () => {
    const { state, demands } = await load(
      file("visa/loop.visaasm"),
      { values: { A: "1,2", B: "3,4" } },
      "loop.visaasm",
    );
    expect(demands.length).toBeGreaterThan(0);
    expect(state?.lanes).toBeGreaterThan(0);
    expect((await move("run")).stop.reason).toBe("exit");
  });

  it.each(["", "\n", "garbage in\n", "add.u32 a, b;\n", ".version 9.0\n", "\u0000", ".version 8.0\n.target sm_80\n"])(
    "that cannot be begun says why: %j",
    async (text) => {
      const { problems: wrong, fields, state } = await load(text);
      expect(state).toBeUndefined();
      expect([...wrong, ...fields].length).toBeGreaterThan(0);
      await expect(move("run")).rejects.toThrow(/no launch/);
    },
  );
});

describe("what the focused lane has done in the lines", () => {
  const program = `mov.u32 %i, %tid.x;
loop:
setp.ge.u32 %p, %i, 3;
@%p bra end;
@!%p add.u32 %i, %i, 1;
add.f32 %f, %f, 0.5;
bra loop;
end: mad.wide.u32 %at, %i, 4, %out;
@!%p mov.u32 %i, 9;
st.global.u32 [%at], %i;
atom.global.add.u32 %old, [%at], 2;
mov.u32 %lazy, 1;
`;
  const values = { "%out": "u32x8:fill=5", "%f": "1" };
  const texts = async () => {
    const { lines = [] } = (await debugging.values()) ?? {};
    return Object.fromEntries(lines.map(({ line, text }) => [line, text]));
  };

  it("is the last value of each, up to the position, forward and back", async () => {
    await load(program, { block: "4", values });
    expect(await texts()).toEqual({});
    await move("step");
    expect(await texts()).toEqual({ 1: "%i = 0" });
    await move("run");
    const end = {
      1: "%i = 0",
      3: "%p = true",
      4: "taken",
      5: "%i = 3",
      6: "%f = 2.5",
      7: "taken",
      8: "%at = %out+12",
      9: "not executed by this lane",
      10: "[%out+12] ← 3",
      11: "%old = 3, [%out+12] changed",
      12: "%lazy = 1",
    };
    expect(await texts()).toEqual(end);
    await debugging.move({ kind: "goTo", position: 4 }, () => {});
    const early = { 1: "%i = 0", 3: "%p = false", 4: "not taken", 5: "%i = 1" };
    expect(await texts()).toEqual(early);
    await move("run");
    expect(await texts()).toEqual(end);
  });

  it("is that of another lane, once somebody looks at it", async () => {
    await load(program, { block: "4", values });
    await move("run");
    debugging.focus({ block: 0, warp: 0, lane: 3 });
    expect(await texts()).toMatchObject({ 1: "%i = 3", 4: "taken", 10: "[%out+12] ← 3" });
    expect(Object.keys(await texts())).not.toContain("5");
  });

  it("has a history, which goes back to where it was", async () => {
    await load(program, { block: "4", values });
    await move("run");
    await debugging.values();
    const { times, last = [], registers } = debugging.lineHistory(5) ?? {};
    expect([times, registers]).toEqual([3, ["%i"]]);
    expect(last.map(({ text }) => text)).toEqual(["%i = 3", "%i = 2", "%i = 1"]);
    const { position } = last[1] ?? { position: 0 };
    const { registers: then, line } = await debugging.move({ kind: "goTo", position }, () => {});
    expect([then.find(({ name }) => name === "%i")?.bits, line]).toEqual([[2n], 6]);
    expect(debugging.lineHistory(2)).toBeUndefined();
    expect(debugging.lineHistory(99)).toBeUndefined();
  });

  it("keeps the last twelve times of a loop", async () => {
    const loop = "mov.u32 %i, 0;\nloop: add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, 40;\n@%p bra loop;\n";
    await load(loop);
    await move("run");
    await debugging.values();
    const { times, last = [] } = debugging.lineHistory(2) ?? {};
    expect([times, last.length, last[0]?.text, last[11]?.text]).toEqual([40, 12, "%i = 40", "%i = 29"]);
  });

  it("has nothing of an instruction that failed", async () => {
    await load("mov.u32 a, 5;\nld.global.u32 b, [c];\n", { values: { c: "8" } });
    await move("run");
    expect(await texts()).toEqual({ 1: "a = 5" });
    expect((await debugging.strip()).pcs).toHaveLength(1);
    expect(await texts()).toEqual({ 1: "a = 5" });
  });

  it("waits for lanes that exchange values, and has them then", async () => {
    const text = `mov.u32 %i, %laneid;
setp.lt.u32 %p, %i, 2;
@%p bra early;
mov.u32 %x, 1;
early: shfl.sync.bfly.b32 %got, %i, 1, 0x1f, 0xf;
mov.u32 %z, %got;
`;
    await load(text, { block: "4" });
    await move("run");
    expect(await texts()).toMatchObject({ 5: "%got = 1", 6: "%z = 1" });
  });

  it("has the results of a call when it has returned, one within another too", async () => {
    const text = `.version 8.0
.target sm_80
.address_size 64
.func (.reg .u32 %out) down(.reg .u32 %in)
{
  .reg .pred %p; .reg .b32 %next, %got;
  mov.u32 %got, 0;
  setp.eq.u32 %p, %in, 0;
  @%p bra end;
  sub.u32 %next, %in, 1;
  call (%got), down, (%next);
end:
  add.u32 %out, %got, 5;
  ret;
}
.visible .entry k()
{
  .reg .b32 %r;
  call (%r), down, (2);
  add.u32 %r, %r, 1;
  ret;
}
`;
    await load(text);
    while ((await move("step")).stop.reason !== "exit") {
      const { 11: inner, 19: outer } = await texts();
      if (outer !== undefined && outer !== "%r = 15") expect(outer).toBe("%r comes with the return");
      if (inner !== undefined) expect(["%got comes with the return", "%got = 5", "%got = 10"]).toContain(inner);
    }
    // The inner call is the later visit.
    expect(await texts()).toMatchObject({ 11: "%got = 5", 19: "%r = 15", 20: "%r = 16" });
    expect(debugging.lineHistory(11)?.last.map((each) => each.text)).toEqual(["%got = 5", "%got = 10"]);
  });

  it("ends where a launch is too long to be executed twice, and says where", async () => {
    await load("mov.u32 %i, 0;\nloop: add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, 9;\n@%p bra loop;\n");
    await move("run");
    const course = new Course(debugging.standing(), async (motion) => whole(motion), 10);
    expect((await course.strip()).end).toBe(10);
    const { position, lines } = (await course.values()) ?? {};
    expect([position, lines?.find(({ line }) => line === 2)?.text]).toEqual([10, "%i = 3"]);
    course.close();
  });

  it("is a sample of the steps of a long launch, with each of its warps and each instruction of a loop", () => {
    const strip = new StripRecord();
    for (let step = 0; step < 300_000; step++) strip.add(step, step === 7 ? 9 : step % 3, step % 16, 1);
    // Executed again.
    strip.add(5, 0, 99, 1);
    const { grain, positions, warps, pcs } = strip.upTo(299_000);
    expect(grain).toBe(8);
    expect(positions.length).toBeGreaterThan(2 ** 15);
    expect(positions.length).toBeLessThanOrEqual(2 ** 16);
    expect(new Set(warps)).toEqual(new Set([0, 1, 2, 9]));
    expect([...new Set(pcs)].sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, pc) => pc));
    expect(positions.at(-1)).toBeLessThan(299_000);
    expect([...positions].every((position, at) => at === 0 || position > positions[at - 1]!)).toBe(true);
  });

  it("runs with vISA, too", async () => {
    await load(file("visa/loop.visaasm"), { values: { A: "1,2", B: "3,4" } }, "loop.visaasm");
    await move("run");
    expect(Object.keys(await texts()).length).toBeGreaterThan(3);
  });
});

describe("what wrote a value", () => {
  const element = (index: number): ValuePlace => ({
    kind: "memory",
    space: "global",
    address: 0x4f0000001000n + BigInt(index * 4),
    bytes: 4,
  });

  it("is an instruction by one thread: of memory a store, of a register what has it as its result", async () => {
    await load(store, { block: "40", values: { out: "f32x41" } });
    await move("run");
    const thread = { block: 0, warp: 1, lane: 5 };
    const { position = 0 } = (await debugging.origin(element(37), "f32")) ?? {};
    expect(await debugging.origin(element(37), "f32")).toEqual({ position, thread });
    await debugging.move({ kind: "goTo", position }, () => {});
    expect(debugging.focus(thread).line).toBe(12);
    await move("run");
    expect(
      await debugging.origin({ kind: "memory", space: "global", address: 0x4f0000001096n, bytes: 1 }, "b8"),
    ).toEqual({ position, thread });
    const made = await debugging.origin({ kind: "register", name: "%rd4", thread }, "b64");
    expect(made).toEqual({ position: position - 1, thread });
  });

  it("is nothing where no instruction has", async () => {
    await load(store, { block: "40", values: { out: "f32x41:iota" } });
    await move("run");
    expect(await debugging.origin(element(40), "f32")).toBeUndefined();
    expect(await debugging.origin(element(39), "f32")).toBeDefined();
  });
});

describe("an instruction in words", () => {
  beforeEach(async () => void (await load("mov.f32 a, 0f3f800000;\nadd.f32 b, a, a;\n")));

  it("is worked through with the thread's values", async () => {
    await move("step");
    const found = explain(debugging.standing());
    expect(found).toMatchObject({ text: "add.f32 b, a, a;", line: 2, syntax: expect.stringContaining("add{.rnd}") });
    expect(
      found?.rows.some(({ value }) => value?.type === "f32" && value.bits === 0x4000_0000n && value.width === 32),
    ).toBe(true);
  });

  it("may be any line, and none", () => {
    expect(explain(debugging.standing(), 1)?.text).toContain("mov.f32");
    expect(explain(debugging.standing(), 77)).toBeUndefined();
  });

  it("has no values when the thread has ended", async () => {
    await move("run");
    expect(explain(debugging.standing())).toBeUndefined();
    expect(explain(debugging.standing(), 1)?.rows[0]?.text).toContain("ended");
  });
});

describe("language", () => {
  it("completes, and says what a word is", () => {
    const text = "add.rn.f";
    expect(complete({ name: "a.ptx", text }, text.length)).toMatchObject({ from: 6 });
    expect(complete({ name: "a.ptx", text }, text.length)?.items.map(({ label }) => label)).toContain(".f32");
    const found = hover({ name: "a.ptx", text: "add.u32 %a, %b, 1;\n" }, 2);
    expect(found?.lines[0]).toEqual({ kind: "code", text: "add{.sat}.type d, a, b" });
    expect(found?.lines.every(({ text: line }) => !/[`[\]]|https?:/.test(line))).toBe(true);
  });

  it("follows what is typed", () => {
    expect(problems({ name: "a.ptx", text: "ad.u32 %a, %b, 1;\n" })[0]?.code).toBe("PTX1201");
    expect(problems({ name: "a.ptx", text: "add.u32 %a, %b, 1;\n" })).toEqual([]);
    expect(problems({ name: "b.visaasm", text: ".version 4.1\nnonsense\n" }).length).toBeGreaterThanOrEqual(0);
  });

  it("has a page for each code", () => {
    expect(codePage("ptx1201")).toMatchObject({
      code: "PTX1201",
      title: expect.any(String),
      wrong: expect.any(String),
    });
    expect(codePage("PTX0000")).toBeUndefined();
  });
});
