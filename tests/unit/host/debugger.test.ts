import { describe, expect, test } from "vitest";
import { Debugger } from "../../../src/host/debugger/debugger.ts";
import { countSession } from "../../../src/host/stats/stats.ts";
import { type Buffer, Device, type Kernel, type LaunchOptions, must } from "../../../src/index.ts";
import { Random } from "../../../src/interp/contract/launch/random.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { MachineView } from "../../../src/interp/index.ts";
import { Source } from "../../../src/source/source.ts";
import { draws } from "../../share.ts";
import { fingerprint, launch } from "../interp/everything.ts";

/** Thread t counts to t + 1, leaves that in shared memory, waits, and stores twice its neighbour's count. */
const counting = `.version 9.0
.target sm_90
.address_size 64
.func (.reg .b32 d) twice(.reg .b32 a)
{
  add.u32 d, a, a;
  ret;
}
.entry k(.param .b64 out)
{
  .shared .align 4 .b32 tile[64];
  .reg .b32 t, i, at, other, d; .reg .b64 o, w; .reg .f32 inf, x; .reg .pred p;
  ld.param.b64 o, [out];
  mov.u32 t, %tid.x;
  mov.u32 i, 0;
loop:
  add.u32 i, i, 1;
  setp.le.u32 p, i, t;
  @p bra loop;
  shl.b32 at, t, 2;
  st.shared.b32 [at], i;
  bar.sync 0;
  xor.b32 at, at, 4;
  ld.shared.b32 other, [at];
  call (d), twice, (other);
  mov.b32 inf, 0f7f800000;
  sub.f32 x, inf, inf;
  add.f32 x, x, inf;
  mad.wide.u32 w, t, 4, o;
  st.global.b32 [w], d;
  ret;
}
`;

function begin(options: LaunchOptions = {}, text = counting) {
  const outs: Buffer[] = [];
  const kernels: Kernel[] = [];
  const made = Debugger.begin({
    start: () => {
      const device = new Device();
      const out = device.buffer(new Uint32Array(64), { name: "out" });
      outs.push(out);
      const kernel = must(must(device.module(text)).kernel("k"));
      kernels.push(kernel);
      return kernel.session({ block: 64, args: [out], ...options });
    },
  });
  const d = must(made);
  const { code } = d.session.program;
  const pc = (opcode: string): number => code.findIndex((each) => each.opcode === opcode);
  const inject = (line: string) => d.inject(must(kernels.at(-1)!.injected(new Source("line", line))));
  return { d, pc, inject, result: () => outs.at(-1)!.toArray("u32") };
}

const at = (lane: number, warp = 0): ThreadId => ({ block: 0, warp, lane });
const register = (name: string, thread: ThreadId) => ({ kind: "register", name, thread }) as const;
const word = (index: number) =>
  ({ kind: "memory", space: "shared", address: BigInt(4 * index), bytes: 4, thread: at(0) }) as const;
const expected = Array.from({ length: 64 }, (_, t) => 2 * ((t ^ 1) + 1));

describe("a debugger's steps", () => {
  test.each(["into", "over", "out"] as const)("%s are those of a session", (stepping) => {
    const plain = launch(3).session;
    const d = must(Debugger.begin({ start: () => ({ value: launch(3).session, diagnostics: [] }) }));
    const thread = at(5, 1);
    d.focus = thread;
    for (let count = 0; count < 400 && d.stop.reason !== "exit"; count++) {
      const gone = !new MachineView(plain).lives(thread);
      if (gone) break;
      const stop = plain.run({ stepping, thread });
      const mine = { into: () => d.step(), over: () => d.next(), out: () => d.finish() }[stepping]();
      expect([mine.reason, d.position]).toEqual([stop.reason, plain.steps]);
      if (stop.reason === "step") expect([mine.thread, mine.pc]).toEqual([stop.at, stop.pc]);
    }
    expect(d.position).toBeGreaterThan(100);
  });

  test("are taken back one by one, and many at once", () => {
    const { d } = begin();
    d.focus = at(9, 1);
    const places: number[] = [];
    for (let count = 0; count < 30; count++) places.push(d.step().step);
    for (const place of places.reverse()) expect(d.stepBack()).toMatchObject({ thread: at(9, 1), step: place - 1 });
    d.step(29);
    d.stepBack(29);
    expect(d.pcOf()).toBe(0);
    expect(d.stepBack(5)).toMatchObject({ reason: "start", step: 0 });
  });

  test("go over calls and out of them, in both directions", () => {
    const { d, pc } = begin();
    const call = pc("call");
    expect(d.until(call)).toMatchObject({ reason: "step", pc: call, thread: at(0) });
    const before = d.position;
    expect(d.next().pc).toBe(call + 1);
    expect(d.nextBack()).toMatchObject({ pc: call, step: before });
    expect(d.step().pc).toBe(d.session.program.functions[0]!.entry);
    expect(d.where().map((frame) => [frame.name, frame.pc])).toEqual([
      ["twice", d.pcOf()],
      ["k", call],
    ]);
    expect(d.registers().map(({ name }) => name)).toEqual(["d", "a"]);
    expect(d.finishBack()).toMatchObject({ pc: call, step: before });
    d.step(2);
    expect(d.finish().pc).toBe(call + 1);
    expect(d.where().map(({ name }) => name)).toEqual(["k"]);
  });
});

describe("points", () => {
  test("stop a run where their condition holds for a lane, and move the focus there", () => {
    const { d, pc } = begin();
    const i = (thread: ThreadId) => d.reader(register("i", thread))();
    const id = d.breakAt(pc("setp.le.u32"), { condition: (_d, thread) => thread.lane === 30 && i(thread) === 40n });
    expect(d.continue()).toMatchObject({ reason: "breakpoint", id, thread: at(30, 1), pc: pc("setp.le.u32") });
    expect(d.focus).toEqual(at(30, 1));
    expect(i(d.focus)).toBe(40n);
    expect(d.points).toMatchObject([{ id, kind: "break", hits: 1, conditional: true, enabled: true }]);
    expect(d.continue().reason).toBe("exit");
  });

  test("are ignored, deleted when hit, disabled and deleted", () => {
    const { d, pc } = begin();
    const store = pc("st.global.b32");
    const once = d.breakAt(store, { temporary: true });
    const later = d.breakAt(0, { ignore: 1 });
    expect(d.continue()).toMatchObject({ reason: "breakpoint", id: later, step: expect.any(Number) });
    expect(d.focus).toEqual(at(0, 1));
    expect(d.continue()).toMatchObject({ reason: "breakpoint", id: once });
    expect(d.points.map(({ id, hits }) => [id, hits])).toEqual([[later, 2]]);
    expect([d.disable(later), d.disable(99), d.ignore(later, 3)]).toEqual([true, false, true]);
    expect(d.run().reason).toBe("exit");
    expect(d.points).toMatchObject([{ enabled: false, ignore: 3, hits: 2 }]);
    d.enable(later);
    d.ignore(later, 0);
    expect(d.run()).toMatchObject({ reason: "breakpoint", step: 0 });
    expect(d.delete(later)).toBe(true);
    expect(d.continue().reason).toBe("exit");
    expect(() => d.breakAt(1000)).toThrow(RangeError);
  });

  test("see a value change, by whom, in both directions", () => {
    const { d, pc } = begin();
    const target = word(42);
    const id = d.watch(d.reader(target), { target });
    const writer = pc("st.shared.b32");
    const hit = d.continue();
    expect(hit).toMatchObject({ reason: "watchpoint", id, old: 0n, new: 43n, thread: at(10, 1), writer });
    const { step } = hit;
    expect(d.continue().reason).toBe("exit");
    expect(d.continueBack()).toMatchObject({ reason: "watchpoint", id, old: 43n, new: 0n, step: step - 1, writer });
    expect(d.reader(target)()).toBe(0n);
    expect(d.continueBack()).toMatchObject({ reason: "start", step: 0 });
  });

  test("hold going back, the last one first", () => {
    const { d, pc } = begin();
    const store = pc("st.shared.b32");
    const id = d.breakAt(store);
    const forward: number[] = [];
    while (d.continue().reason === "breakpoint") forward.push(d.position);
    const back: number[] = [];
    while (d.continueBack().reason === "breakpoint") back.push(d.position);
    expect(forward.length).toBe(2);
    expect(back).toEqual(forward.reverse());
    expect(d.points).toMatchObject([{ id, hits: 2 }]);
  });

  test("catch NaNs that come from none, lanes that go apart, barriers and faults", () => {
    const { d, pc } = begin();
    const nan = d.catch("nan");
    const sub = pc("sub.f32");
    expect(d.continue()).toMatchObject({ reason: "catch", id: nan, event: "nan", cause: sub, pc: sub + 1 });
    // add.f32 makes a NaN of a NaN: only the other warp's subtraction is left.
    expect(d.continue()).toMatchObject({ event: "nan", cause: sub });
    expect(d.continue().reason).toBe("exit");
    d.delete(nan);
    d.catch("divergence");
    expect(d.run()).toMatchObject({ event: "divergence", cause: pc("bra"), step: expect.any(Number) });
    expect(d.warps()[0]!.groups.map(({ mask }) => mask)).toEqual([0xffff_fffe, 1]);
    d.delete(2);
    d.catch("barrier");
    expect(d.run()).toMatchObject({ event: "barrier", pc: pc("bar.sync") });
    d.step();
    expect(d.barriers()).toMatchObject([{ block: 0, number: 0, threads: 64, arrived: [0xffff_ffff, 0] }]);
    expect(d.warps()[0]!.groups).toMatchObject([{ state: "barrier", barrier: 0, pc: pc("bar.sync") }]);
    const bad = begin({}, counting.replace("ld.shared.b32 other, [at]", "ld.shared.b32 other, [at + 4096]"));
    const fault = bad.d.catch("fault");
    expect(bad.d.continue()).toMatchObject({ reason: "trap", id: fault, diagnostic: { code: "PTX3002" } });
  });
});

describe("the past", () => {
  test("says who wrote a register, a word, the carry flag last", () => {
    const { d, pc } = begin();
    d.continue();
    const end = d.position;
    expect(d.lastWrite(word(7))).toMatchObject({ thread: at(7), pc: pc("st.shared.b32"), old: 0n, new: 8n });
    const write = d.lastWrite(register("i", at(3)))!;
    expect(write).toMatchObject({ thread: at(3), pc: pc("add.u32"), old: 3n, new: 4n });
    expect(d.lastWrite(register("i", at(3)), write.step)).toMatchObject({ old: 2n, new: 3n });
    // A result comes to its register when the function returns.
    const ret = d.session.program.code.findLastIndex(({ opcode }) => opcode === "ret");
    expect(d.lastWrite(register("d", at(3, 1)))).toMatchObject({
      thread: at(3, 1),
      pc: ret,
      new: BigInt(expected[35]!),
    });
    expect(d.lastWrite({ kind: "carry", thread: at(0) })).toBeUndefined();
    expect(d.lastWrite(register("i", at(3)), 0)).toBeUndefined();
    expect([d.position, d.stop.reason]).toEqual([end, "exit"]);
    expect(() => d.lastWrite(register("nobody", at(0)))).toThrow(RangeError);
  });

  test("can be changed: another course begins, and stays", () => {
    const { d, pc, result } = begin();
    d.continue();
    expect(result()).toEqual(expected);
    const end = d.position;
    d.breakAt(pc("st.global.b32"));
    d.continueBack();
    d.continueBack();
    const place = d.position;
    d.writeRegister("d", [99n], { ...d.focus, lane: 5 });
    const other = expected.map((value, t) => (t === 32 * d.focus.warp + 5 ? 99 : value));
    expect(d.furthest).toBe(place);
    d.delete(1);
    expect(d.continue()).toMatchObject({ reason: "exit", step: end });
    expect(result()).toEqual(other);
    d.goTo(10);
    expect(d.position).toBe(10);
    d.continue();
    expect(result()).toEqual(other);
    expect(d.position).toBe(end);
    d.goTo(10);
    d.write("shared", 0n, new Uint8Array(4));
    d.continue();
    expect(result()).toEqual(expected);
  });

  test("has the changes that were made by hand, each at its position", () => {
    const { d, inject } = begin();
    const i = register("i", at(0));
    const read = d.reader(i);
    d.step(6);
    const place = d.position;
    const before = read();
    d.writeRegister("i", [40n]);
    inject("add.u32 i, i, 2;");
    d.step(20);
    const { position } = d;
    const later = read();
    // A question moves nothing, and finds what was changed by hand.
    expect(d.lastWrite(register("t", at(0)))).toMatchObject({ step: expect.any(Number) });
    expect([d.position, read()]).toEqual([position, later]);
    expect(d.lastWrite(i, place)).toMatchObject({ step: place, old: 40n, new: 42n, edit: { kind: "instructions" } });
    expect(d.edits.map(({ step, edit }) => [step, edit.kind])).toEqual([
      [place, "register"],
      [place, "instructions"],
    ]);
    d.goTo(place - 1);
    expect(read()).toBe(before);
    d.goTo(place);
    expect(read()).toBe(42n);
    d.goTo(0);
    d.goTo(position);
    expect(read()).toBe(later);
    // A change in the past cuts off those behind it.
    d.goTo(place - 1);
    d.writeCarry(1);
    expect(d.edits.map(({ step, edit }) => [step, edit.kind])).toEqual([[place - 1, "carry"]]);
    d.goTo(place);
    expect(read()).toBe(before);
  });

  test("is told from what a person changes: no watchpoint stops for that, in either direction", () => {
    const { d, pc } = begin();
    d.step(6);
    const read = d.reader(register("x", at(0)));
    d.writeRegister("x", [7n]);
    d.step(3);
    d.watch(read);
    expect(d.continueBack()).toMatchObject({ reason: "start", step: 0 });
    d.goTo(0);
    expect(d.continue()).toMatchObject({ reason: "watchpoint", old: 7n, writer: pc("sub.f32") });
  });

  test("of a fault is the same whichever way one comes there, and none of it is done", () => {
    const some = counting.replace("bar.sync 0;", "mul.lo.u32 d, t, 1000;\nst.shared.b32 [d], t;\nbar.sync 0;");
    const torn = counting.replace("bar.sync 0;", "setp.lt.u32 p, t, 3;\n@p bra low;\nbar.sync 0;\nlow: bar.sync 1;");
    for (const text of [some, torn]) {
      const { d } = begin({}, text);
      const stop = d.continue();
      expect(stop.reason).toBe("trap");
      const seen = () => JSON.stringify([d.warps(), d.barriers(), d.session.steps, String(d.reader(word(0))())]);
      const state = seen();
      // Lane 0 would have stored its 0 there before lane 1 failed.
      expect(d.reader(word(0))()).toBe(1n);
      d.goTo(0);
      d.goTo(stop.step);
      expect(seen()).toBe(state);
      expect(d.step()).toEqual(stop);
      expect(seen()).toBe(state);
      d.stepBack();
      expect(d.goTo(stop.step + 1)).toEqual(stop);
      expect(seen()).toBe(state);
    }
    // Where nobody can go on, that is what the position is.
    const { d } = begin({}, counting.replace("bar.sync 0;", "barrier.sync 1, 96;"));
    const stop = d.continue();
    expect(stop).toMatchObject({ reason: "trap", diagnostic: { code: "PTX3011" } });
    expect(d.goTo(stop.step)).toEqual(stop);
    d.stepBack();
    expect(d.goTo(stop.step)).toEqual(stop);
    d.goTo(0);
    expect(d.goTo(stop.step)).toEqual(stop);
  });

  test("lets a fault be mended and tried again", () => {
    const { d, pc, result } = begin({}, counting.replace("add.f32 x, x, inf;", "@p trap;"));
    const trap = pc("trap");
    d.breakAt(trap);
    d.continue();
    for (let lane = 0; lane < 32; lane++) d.writeRegister("p", [lane === 4 ? 1n : 0n], { ...d.focus, lane });
    d.delete(1);
    const stop = d.continue();
    expect(stop).toMatchObject({ reason: "trap", pc: trap });
    expect(d.stepBack()).toMatchObject({ reason: "step", pc: trap - 1 });
    expect(d.goTo(stop.step)).toMatchObject({ reason: "step", pc: trap });
    expect(d.continue()).toMatchObject({ reason: "trap", step: stop.step });
    d.writeRegister("p", [0n], { ...d.focus, lane: 4 });
    expect(d.stop.reason).toBe("step");
    expect(d.continue().reason).toBe("exit");
    expect(result()).toEqual(expected);
  });

  test("is not printed again, and is once it has changed", () => {
    const text = `.version 9.0
.target sm_90
.address_size 64
.global .align 1 .b8 text[4] = { 37, 100, 10, 0 };
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.entry k(.param .b64 out)
{
  .local .align 8 .b8 room[8];
  .reg .b64 f, a; .reg .b32 i; .reg .pred p;
  mov.u64 f, text; mov.u64 a, room; cvta.local.u64 a, a; mov.u32 i, 0;
again:
  st.local.b32 [room], i;
  { .param .b64 x, y; .param .b32 z; st.param.b64 [x], f; st.param.b64 [y], a; call (z), vprintf, (x, y); }
  add.u32 i, i, 1;
  setp.lt.u32 p, i, 4;
  @p bra again;
  ret;
}`;
    const printed: string[] = [];
    const { d, pc } = begin({ block: 1, print: (line) => void printed.push(line) }, text);
    d.continue();
    expect(printed).toEqual(["0\n", "1\n", "2\n", "3\n"]);
    d.breakAt(pc("add.u32"));
    d.continueBack();
    d.continueBack();
    d.goTo(0);
    d.lastWrite(register("i", at(0)));
    d.goTo(1000);
    expect(printed.length).toBe(4);
    d.continueBack();
    d.continueBack();
    expect(d.reader(register("i", at(0)))()).toBe(2n);
    d.delete(1);
    d.writeRegister("i", [0n]);
    d.continue();
    expect(printed.slice(4)).toEqual(["1\n", "2\n", "3\n"]);
  });

  test("marks the registers that the last travel has changed", () => {
    const { d } = begin();
    d.step(2);
    d.step();
    const changed = () => d.registers().flatMap(({ name, changed }) => (changed ? [name] : []));
    d.step();
    expect(changed()).toEqual(["i"]);
    d.step();
    expect(changed()).toEqual([]);
    d.stepBack(2);
    expect(changed()).toEqual(["i"]);
  });
});

test("wherever one comes from, a place is the same", () => {
  const whole = launch(3).session;
  whole.run();
  const end = whole.steps;
  const other = launch(3);
  const d = must(Debugger.begin({ start: () => ({ value: other.session, diagnostics: [] }), history: 1 << 20 }));
  const random = new Random(11);
  for (const opcode of ["bar.sync", "malloc", "call"])
    for (const [pc, each] of d.session.program.code.entries()) if (each.opcode === opcode) d.breakAt(pc);
  d.watch(d.reader({ kind: "memory", space: "shared", address: 0n, bytes: 4, thread: at(0) }), { ignore: 3 });
  const few = () => 1 + random.below(20);
  const deeds = [
    () => d.step(few()),
    () => d.next(few()),
    () => d.finish(),
    () => d.continue(),
    () => d.stepBack(few()),
    () => d.nextBack(few()),
    () => d.finishBack(),
    () => d.continueBack(),
    () => d.goTo(random.below(end)),
    () => d.lastWrite(register("i", d.focus)),
  ];
  const seen: { readonly step: number; readonly print: string }[] = [];
  for (let count = 0; count < draws(60, 300); count++) {
    deeds[random.below(deeds.length)]!();
    if (d.position < end) seen.push({ step: d.position, print: fingerprint(other.session, other.memory) });
    expect(d.stop.step).toBe(d.position);
  }
  // The same places in a launch that only goes on.
  const plain = launch(3);
  let print = fingerprint(plain.session, plain.memory);
  for (const each of seen.sort((a, b) => a.step - b.step)) {
    const budget = each.step - plain.session.steps;
    if (budget > 0) {
      plain.session.run({ budget });
      print = fingerprint(plain.session, plain.memory);
    }
    expect(each, `step ${each.step}`).toEqual({ step: plain.session.steps, print });
  }
  expect(new Set(seen.map(({ step }) => step)).size).toBeGreaterThan(draws(20, 100));
});

test("the last write is the one that somebody who listened has heard", () => {
  const plain = launch(6);
  const { session, out } = plain;
  const heard: { step: number; thread: ThreadId; pc: number; word: number; space: string }[] = [];
  const flags: { step: number; pc: number; lanes: number; block: number; warp: number }[] = [];
  let now = { step: 0, pc: 0 };
  const write = (thread: ThreadId, space: string, address: bigint) => {
    const word = space === "global" ? Number(address - out) : Number(address);
    heard.push({ ...now, thread, word, space });
  };
  session.observe({
    instruction: (block, warp, pc, lanes) => {
      now = { step: session.steps, pc };
      if (session.program.code[pc]!.opcode === "add.cc.u32") flags.push({ ...now, lanes, block, warp });
    },
    store: write,
    atomic: write,
  });
  session.run();
  const end = session.steps;
  const d = must(Debugger.begin({ start: () => ({ value: launch(6).session, diagnostics: [] }) }));
  d.continue();
  const random = new Random(5);
  for (let count = 0; count < draws(15, 60); count++) {
    const before = random.below(end);
    const last = heard.findLast(({ step, space }) => step < before && space === "global");
    const word = last?.word ?? 0;
    const found = d.lastWrite({ kind: "memory", space: "global", address: out + BigInt(word), bytes: 4 }, before);
    const { step, thread, pc } = last ?? {};
    expect(found && [found.step, found.thread, found.pc]).toEqual(last && [step, thread, pc]);
    const block = random.below(3);
    const flag = flags.findLast((each) => each.step < before && each.block === block && each.warp === 1);
    const carry = d.lastWrite({ kind: "carry", thread: { block, warp: 1, lane: 3 } }, before);
    expect(carry && [carry.step, carry.pc]).toEqual(flag && [flag.step, flag.pc]);
  }
  expect(d.stop.reason).toBe("exit");
});

test("a race is found where it happens, and again whenever one comes there", () => {
  const { d } = begin({ sanitize: { mem: true, init: true, race: true } }, counting.replace("bar.sync 0;", ""));
  d.continue();
  const codes = () => d.session.findings.map(({ code }) => code);
  expect(codes()).toContain("PTX4002");
  const all = codes();
  d.goTo(0);
  expect(codes()).toEqual([]);
  d.continue();
  expect(codes()).toEqual(all);
  // What came before the place that one goes back to is known there.
  const pc = d.session.program.code.findIndex(({ opcode }) => opcode === "ld.shared.b32");
  d.goTo(0);
  d.breakAt(pc);
  d.continue();
  const { position } = d;
  d.delete(1);
  d.continue();
  d.goTo(position);
  expect(codes()).not.toContain("PTX4002");
  d.continue();
  expect(codes()).toEqual(all);
});

test("a fault of lanes that can never meet counts the steps before it", () => {
  const { d, pc } = begin(
    {},
    counting.replace("bar.sync 0;", "setp.lt.u32 p, t, 3;\n@p bra low;\nbar.sync 0;\nlow: bar.sync 1;"),
  );
  const stop = d.continue();
  expect(stop).toMatchObject({ reason: "trap", pc: pc("bar.sync"), diagnostic: { code: "PTX3010" } });
  expect(d.goTo(stop.step - 1)).toMatchObject({ reason: "step" });
  expect(d.continue()).toEqual(stop);
});

test("what was counted belongs to a position, too", () => {
  const plain = launch(3);
  const straight = countSession(plain.session);
  plain.session.run({ budget: 700 });
  const should = straight();
  plain.session.run();
  const other = launch(3);
  let counted: typeof straight | undefined;
  const start = () => {
    counted = countSession(other.session);
    return { value: other.session, diagnostics: [] };
  };
  const d = must(Debugger.begin({ start }));
  d.continue();
  expect(counted?.()).toEqual(straight());
  d.goTo(400);
  d.lastWrite(register("i", d.focus));
  d.goTo(700);
  expect(counted?.()).toEqual(should);
});

test("no steps are none, in either direction", () => {
  const { d } = begin();
  d.step(5);
  const { position } = d;
  for (const move of [() => d.step(0), () => d.next(0), () => d.stepBack(0), () => d.nextBack(0)])
    expect(move()).toMatchObject({ reason: "step", step: position });
});

test("a breakpoint at the first instruction stops who continues from there, however one came there", () => {
  const { d } = begin();
  d.continue();
  d.goTo(0);
  const id = d.breakAt(0);
  expect(d.continue()).toMatchObject({ reason: "breakpoint", id, step: 0 });
  expect(d.continue()).not.toMatchObject({ step: 0 });
  d.stepBack(1_000_000);
  expect(d.continue()).toMatchObject({ reason: "breakpoint", id, step: 0 });
});

test("travels end when they are interrupted", () => {
  const { d } = begin({}, counting.replace("setp.le.u32 p, i, t;", "setp.ge.u32 p, i, 0;"));
  let asked = 0;
  const interrupt = () => ++asked === 3;
  expect(d.continue({ interrupt })).toMatchObject({ reason: "interrupt" });
  const { position } = d;
  expect(position).toBeGreaterThan(1000);
  asked = 0;
  expect(d.step(1_000_000, { interrupt }).reason).toBe("interrupt");
  expect(d.position).toBeGreaterThan(position);
  asked = 0;
  const there = d.position;
  d.breakAt(0);
  d.goTo(there);
  expect(d.continueBack({ interrupt: () => true })).toMatchObject({ reason: "interrupt", step: there });
  expect(d.stepBack().step).toBeLessThan(there);
});

test("a launch that cannot begin is an error like any other", () => {
  const tiny = Debugger.begin({
    start: () => {
      const device = new Device({ maxMemory: 4096 });
      return must(must(device.module(counting)).kernel("k")).session({ block: 64, args: [0n] });
    },
  });
  expect([tiny.value, tiny.diagnostics.map(({ code }) => code)]).toEqual([undefined, ["PTX6002"]]);
});
