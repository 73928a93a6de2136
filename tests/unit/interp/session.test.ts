import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Memory, type Session, type SessionOptions } from "../../../src/interp/index.ts";
import { a, b as b_, plus, times } from "../../../src/numeric/operation/build.ts";
import { carryOf } from "../numeric/entry.ts";
import { address, Build, message, not, thread, value, values } from "./build.ts";
import { add, bit, compute, into64, less, on32 } from "./operations.ts";

const element = (base: bigint) => into64(plus(base, times(4, a)));

/** Each thread counts to its index and leaves the count in global memory, by way of shared and local memory. */
function counting(options: Partial<SessionOptions> = {}) {
  const memory = new Memory({ limit: 64 << 20 });
  const out = memory.allocate({ name: "out", bytes: 4096 })!;
  const b = new Build();
  b.sharedBytes = 4;
  b.localBytes = 4;
  const [tid, i, p, where] = [b.special("tid.x"), b.reg("i"), b.pred("p"), b.reg("where", 64)];
  const all = b.reg("all");
  b.do(compute(on32(plus(a, times(40, b_)))), all, tid, b.special("ctaid.x"));
  b.do(compute(element(out)), where, all);
  b.label("loop").store("local", 32, undefined, i).store("shared", 32, undefined, i);
  b.do(compute(less), p, i, tid).when(not(p)).branch("done");
  b.do(compute(add), i, i, b.constant(1)).branch("loop");
  b.label("done").load(i, "local", 32, undefined).store("global", 32, where, i);
  b.do(carryOf("add.cc.u32"), i, i, i);
  const session = b.session({ memory, grid: [3, 1, 1], block: [40, 1, 1], ...options });
  return { session, memory, out };
}

/** Everything that can be seen of a launch, as one number. */
function hash(session: Session, memory: Memory, out: bigint): string {
  const seen = createHash("sha256");
  for (let block = 0; block < 3; block++)
    for (let warp = 0; warp < 2; warp++)
      for (let lane = 0; lane < 8; lane++) {
        const views = session.registers({ block, warp, lane });
        seen.update(JSON.stringify(views, (_key, bits) => (typeof bits === "bigint" ? bits.toString(16) : bits)));
        seen.update(`${session.carry({ block, warp, lane })}`);
      }
  seen.update(memory.read(out, 4096)).update(memory.shadow.u8.slice(0, 65536)).update(`${session.steps}`);
  return seen.digest("hex");
}

const expected = Array.from({ length: 120 }, (_, at) => at % 40);

test("a run in pieces is the same as a run in one", () => {
  const whole = counting();
  expect(message(whole.session.run())).toBe("exit");
  expect([...new Uint32Array(whole.memory.read(whole.out, 480).buffer)]).toEqual(expected);
  for (const budget of [1, 7, 100]) {
    const pieces = counting();
    let stop = pieces.session.run({ budget });
    for (; stop.reason === "budget"; stop = pieces.session.run({ budget }));
    expect(stop.reason).toBe("exit");
    expect(hash(pieces.session, pieces.memory, pieces.out)).toBe(hash(whole.session, whole.memory, whole.out));
  }
});

test("stepping and observing change nothing", () => {
  const whole = counting();
  whole.session.run();
  const stepped = counting();
  stepped.session.observe({});
  while (stepped.session.run({ stepping: "into" }).reason === "step");
  expect(hash(stepped.session, stepped.memory, stepped.out)).toBe(hash(whole.session, whole.memory, whole.out));
});

test("a snapshot brings everything back, as often as one likes", () => {
  const { session, memory, out } = counting();
  session.run({ budget: 333 });
  const early = session.snapshot();
  const then = hash(session, memory, out);
  session.run({ budget: 500 });
  const middle = session.snapshot();
  const later = hash(session, memory, out);
  session.run();
  const end = hash(session, memory, out);
  expect(new Set([then, later, end]).size).toBe(3);
  for (let round = 0; round < 2; round++) {
    session.restore(early);
    expect(hash(session, memory, out)).toBe(then);
    expect(session.run({ budget: 500 }).reason).toBe("budget");
    expect(hash(session, memory, out)).toBe(later);
    session.restore(middle);
    expect(session.run()).toEqual({ reason: "exit" });
    expect(hash(session, memory, out)).toBe(end);
  }
});

test("a snapshot survives memory that has grown since, and forgets a fault", () => {
  const memory = new Memory({ limit: 64 << 20 });
  const at = memory.allocate({ name: "a", bytes: 4 })!;
  const b = new Build();
  b.move(b.reg("d"), b.constant(5)).store("global", 32, b.constant(at, 64), b.constant(1), 4n);
  const session = b.session({ memory });
  session.run({ budget: 1 });
  const before = session.snapshot();
  expect(session.run().reason).toBe("trap");
  memory.allocate({ name: "big", bytes: 32 << 20 });
  session.restore(before);
  expect(value(session, "d")).toBe(5n);
  expect(session.run().reason).toBe("trap");
});

test("memory may grow between two runs", () => {
  const { session, memory, out } = counting();
  session.run({ budget: 200 });
  memory.allocate({ name: "more", bytes: 20 << 20 });
  session.run({ budget: 200 });
  memory.allocate({ name: "more", bytes: 20 << 20 });
  expect(message(session.run())).toBe("exit");
  expect([...new Uint32Array(memory.read(out, 480).buffer)]).toEqual(expected);
});

test("breakpoints stop before their instruction, once a visit", () => {
  const b = new Build();
  const [i, p] = [b.reg("i"), b.pred("p")];
  b.label("loop").do(compute(add), i, i, b.constant(1));
  b.do(compute(less), p, i, b.constant(3)).when(p).branch("loop");
  const session = b.session();
  const id = session.breakAt(1);
  for (const count of [1n, 2n]) {
    expect(session.run()).toEqual({ reason: "breakpoint", at: thread(), pc: 1, id });
    expect(value(session, "i")).toBe(count);
  }
  session.clear(id);
  expect(session.run()).toEqual({ reason: "exit" });
});

test("stepping follows a thread", () => {
  const b = new Build();
  const p = b.pred("p");
  b.do(compute(bit(0)), p, b.special("tid.x"));
  b.when(p).branch("odd");
  b.move(b.reg("even"), b.constant(1)).exit();
  b.label("odd").move(b.reg("odd"), b.constant(1)).exit();
  const session = b.session({ block: [40, 1, 1] });
  const me = thread(1, 1);
  const pcs: number[] = [];
  for (let stop = session.run({ stepping: "over", thread: me }); stop.reason === "step"; ) {
    expect(stop.at).toEqual(me);
    pcs.push(stop.pc);
    if (pcs.length === 3) break;
    stop = session.run({ stepping: "over", thread: me });
  }
  expect(pcs).toEqual([1, 4, 5]);
  // The first warp has run before, as it does without stepping.
  expect(value(session, "even", 0, 0)).toBe(1n);
  expect(session.run({ stepping: "out", thread: me })).toEqual({ reason: "exit" });
});

test("observers hear instructions, loads and stores", () => {
  const memory = new Memory({ limit: 1 << 20 });
  const at = memory.allocate({ name: "a", bytes: 16 })!;
  const b = new Build();
  const pointer = b.reg("pointer", 64);
  b.do(compute(element(at)), pointer, b.special("tid.x"));
  b.store("global", 32, pointer, b.constant(1));
  b.load(b.reg("d"), "global", 32, pointer);
  const session = b.session({ memory, block: [2, 1, 1] });
  const heard: unknown[] = [];
  session.observe({
    instruction: (block, warp, pc, active) => heard.push([block, warp, pc, active]),
    load: (who, space, where, bytes) => heard.push(["load", who.lane, space, where - at, bytes]),
    store: (who, space, where, bytes) => heard.push(["store", who.lane, space, where - at, bytes]),
  });
  session.run();
  expect(heard).toEqual([
    [0, 0, 0, 3],
    [0, 0, 1, 3],
    ["store", 0, "global", 0n, 4],
    ["store", 1, "global", 4n, 4],
    [0, 0, 2, 3],
    ["load", 0, "global", 0n, 4],
    ["load", 1, "global", 4n, 4],
  ]);
});

test("registers say whether anything has been written to them", () => {
  const b = new Build();
  const [a, p, g, late] = [b.reg("a"), b.pred("p"), b.reg("g"), b.reg("late")];
  b.reg("never");
  b.reg("host");
  b.do(compute(bit(0)), p, b.special("tid.x"));
  b.when(p).move(g, b.constant(0));
  b.move(a, b.constant(0)).when(p).branch("skip");
  b.move(late, b.constant(0));
  b.label("skip").exit();
  const session = b.session({ block: [2, 1, 1], registers: new Map([["host", [0n]]]) });
  const written = (lane: number) =>
    session
      .registers(thread(lane))
      .filter((view) => view.written)
      .map(({ name }) => name);
  expect(written(0)).toEqual(["host"]);
  session.run({ budget: 3 });
  expect(written(0)).toEqual(["a", "p", "host"]);
  session.run();
  expect(written(0)).toEqual(["a", "p", "late", "host"]);
  expect(written(1)).toEqual(["a", "p", "g", "host"]);
});

test("registers and flags can be set while the program runs", () => {
  const b = new Build();
  const [d, p] = [b.reg("d"), b.pred("p")];
  b.do({ shape: "nothing", why: "of the test" })
    .do(compute(add), d, d, b.constant(1))
    .when(p)
    .move(b.reg("e", 128), b.reg("x", 128));
  const session = b.session({ block: [2, 1, 1] });
  session.run({ budget: 1 });
  session.writeRegister(thread(1), "d", [41n]);
  session.writeRegister(thread(1), "p", [1n]);
  session.writeRegister(thread(1), "x", [1n << 100n]);
  session.writeCarry(thread(1), 1);
  session.run();
  expect(values(session, "d", 2)).toEqual([1, 42]);
  expect([value(session, "e", 0), value(session, "e", 1)]).toEqual([0n, 1n << 100n]);
  expect([session.carry(thread(0)), session.carry(thread(1))]).toEqual([0, 1]);
});

test("memory of a later block is fresh although it has the same room", () => {
  const b = new Build();
  b.sharedBytes = 4;
  const d = b.reg("d");
  b.load(d, "shared", 32, undefined).store("shared", 32, undefined, b.constant(7));
  const session = b.session({ grid: [3, 1, 1] });
  session.run();
  expect([0, 1, 2].map((block) => value(session, "d", 0, 0, block))).toEqual([0n, 0n, 0n]);
  expect(session.findings).toHaveLength(1);
  expect([...session.read("shared", 0n, 1, thread(0, 0, 2))]).toEqual([7]);
  expect(() => session.read("shared", 0n, 1, thread(0, 0, 0))).toThrow(RangeError);
});

test("a large grid keeps at least the first block's registers", () => {
  const b = new Build();
  for (let at = 0; at < 64; at++) b.move(b.reg(`r${at}`), b.special("ctaid.x"));
  const session = b.session({ grid: [1000, 1, 1], block: [512, 1, 1] });
  session.run();
  expect(value(session, "r63", 31, 15, 0)).toBe(0n);
  expect(value(session, "r0", 0, 0, 1)).toBe(1n);
  expect(value(session, "r0", 0, 0, 999)).toBe(999n);
  expect(session.registers(thread(0, 0, 900))).toEqual([]);
});

test("a launch that memory cannot hold says so", () => {
  const b = new Build();
  b.localBytes = 1 << 20;
  const session = b.session({ block: [1024, 1, 1] });
  expect(message(session.run())).toBe(
    "PTX6002: test needs more memory than the limit of 67108864 bytes leaves: a block takes 1074006016 bytes",
  );
  expect(session.registers(thread())).toEqual([]);
  expect(() => session.read("local", 0n, 1, thread())).toThrow(RangeError);
});

test("closing gives the launch's memory back", () => {
  const memory = new Memory({ limit: 4 << 20 });
  for (let launch = 0; launch < 50; launch++) {
    const b = new Build();
    b.localBytes = 4096;
    b.parameterBytes = 8;
    const session = b.move(b.reg("d"), b.constant(launch)).session({ memory, block: [64, 1, 1] });
    expect(session.run()).toEqual({ reason: "exit" });
    session.close();
    session.close();
    expect(value(session, "d")).toBe(BigInt(launch));
  }
  expect(memory.allocations.live).toHaveLength(0);
});

test("an absolute address needs no base", () => {
  const memory = new Memory({ limit: 1 << 20 });
  const at = memory.allocate({ name: "a", bytes: 4, initialised: true })!;
  const b = new Build();
  b.do({ shape: "load", space: "global", cell: { bits: 32, signed: false } }, b.reg("d"), address(undefined, at));
  expect(b.session({ memory }).run()).toEqual({ reason: "exit" });
});
