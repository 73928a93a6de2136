import { describe, expect, test } from "vitest";
import type { Plan } from "../../../src/interp/contract/plan/plan.ts";
import { addressIn, Memory } from "../../../src/interp/index.ts";
import type { Operation } from "../../../src/numeric/operation/operation.ts";
import { widthOf } from "../../../src/numeric/operation/type.ts";
import { operationOf } from "../numeric/entry.ts";
import { address, Build, message, sink, value, values, vector } from "./build.ts";

type Atomic = Plan & { shape: "atomic" };
const plan = (op: Operation, more: Partial<Atomic> = {}): Atomic => ({
  shape: "atomic",
  space: "global",
  op,
  bits: widthOf(op.gives) as 32,
  gives: true,
  sem: "relaxed",
  scope: "gpu",
  ...more,
});

/** A buffer of 64 bytes that begins with these words. */
function buffer(...words: number[]) {
  const memory = new Memory({ limit: 64 << 20 });
  const at = memory.allocate({ name: "cell", bytes: 64, initialised: true })!;
  words.forEach((word, index) => void memory.write(at + BigInt(4 * index), wordBytes(word)));
  const read = (index: number): number =>
    new DataView(memory.read(at + BigInt(4 * index), 4).buffer).getUint32(0, true);
  return { memory, at, read };
}
const wordBytes = (word: number): Uint8Array => Uint8Array.of(word, word >>> 8, word >>> 16, word >>> 24);

describe("lanes act in their order", () => {
  test("each sees what those before it left", () => {
    const { memory, at, read } = buffer(100);
    const b = new Build();
    b.do(plan(operationOf("atom.global.add.u32")), b.reg("d"), address(b.constant(at, 64)), b.special("tid.x"));
    const session = b.session({ memory, block: [5, 1, 1] });
    expect(session.run()).toEqual({ reason: "exit" });
    expect(values(session, "d", 5)).toEqual([100, 100, 101, 103, 106]);
    expect(read(0)).toBe(110);
  });

  test("a lane that faults leaves those before it done and those behind it not", () => {
    const { memory, at, read } = buffer(0, 0);
    const b = new Build();
    const pointer = b.reg("pointer", 64);
    b.do({ shape: "compute", op: operationOf("add.u64") }, pointer, b.constant(at, 64), b.reg("step", 64));
    b.do(plan(operationOf("atom.global.add.u32"), { gives: false }), address(pointer), b.constant(1));
    const session = b.session({ memory, block: [3, 1, 1] });
    for (const lane of [0, 1, 2]) session.writeRegister({ block: 0, warp: 0, lane }, "step", [lane === 1 ? 62n : 0n]);
    expect(message(session.run())).toMatch(
      /^PTX3001: atomic updates 4 bytes at 0x\w+, which is not a multiple of 4: 62 bytes into cell .* thread \(1,0,0\)/,
    );
    expect(read(0)).toBe(1);
  });

  test("a result may overwrite the operand of another element, and nobody need want it", () => {
    const { memory, at, read } = buffer(10, 20, 30);
    const b = new Build();
    const [x, y] = [b.reg("x"), b.reg("y")];
    b.move(x, b.constant(1)).move(y, b.constant(2));
    b.do(plan(operationOf("atom.global.add.u32")), vector(y, x), address(b.constant(at, 64)), vector(x, y));
    b.do(plan(operationOf("atom.global.exch.b32")), sink, address(b.constant(at + 8n, 64)), x);
    const session = b.session({ memory });
    expect(session.run()).toEqual({ reason: "exit" });
    expect([value(session, "x"), value(session, "y")]).toEqual([20n, 10n]);
    expect([read(0), read(1), read(2)]).toEqual([11, 22, 20]);
  });
});

describe("checks are those of a load and a store", () => {
  const fault = (at: bigint, memory: Memory): string => {
    const b = new Build();
    b.do(
      plan(operationOf("atom.global.add.u32"), { space: "generic" }),
      b.reg("d"),
      address(b.constant(at, 64)),
      b.constant(1),
    );
    return message(b.session({ memory }).run());
  };

  test("bounds and read-only memory", () => {
    const { memory, at } = buffer();
    expect(fault(at + 64n, memory)).toMatch(
      /^PTX3002: atomic updates 4 bytes at 0x\w+, just past the end of cell \(64 bytes\)/,
    );
    const constant = memory.allocate({ name: "table", bytes: 4, space: "const", initialised: true })!;
    expect(fault(constant, memory)).toMatch(/^PTX3003: atomic updates .* which is read-only: the start of table/);
  });

  test("bytes that nobody has written are a finding, once; after it they are written", () => {
    const memory = new Memory({ limit: 1 << 20 });
    const at = memory.allocate({ name: "fresh", bytes: 4 })!;
    const b = new Build();
    b.do(plan(operationOf("atom.global.add.u32")), b.reg("d"), address(b.constant(at, 64)), b.constant(1));
    b.load(b.reg("e"), "global", 32, b.constant(at, 64));
    const session = b.session({ memory, block: [2, 1, 1] });
    expect(session.run()).toEqual({ reason: "exit" });
    expect(session.findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringMatching(/^PTX4001 atomic updates 4 bytes at 0x\w+, which nothing has written: the start of fresh/),
    ]);
    expect(values(session, "e", 2)).toEqual([2, 2]);
  });
});

test("add.f32 flushes subnormals in global memory and not in shared memory, also where the address decides", () => {
  const [flushing, keeping] = [operationOf("add.ftz.f32"), operationOf("add.f32")];
  for (const space of ["shared", "generic"] as const) {
    const { memory, at, read } = buffer(1);
    const b = new Build();
    b.sharedBytes = 16;
    const inShared = space === "shared" ? 0n : addressIn("shared", 0);
    b.store("shared", 32, undefined, b.constant(1));
    const wide = plan(flushing, { space, shared: keeping, gives: false });
    b.do(wide, address(b.constant(inShared, 64)), b.constant(2));
    const other = space === "generic" ? wide : plan(flushing, { shared: keeping, gives: false });
    b.do(other, address(b.constant(at, 64)), b.constant(2));
    b.load(b.reg("d"), "shared", 32, undefined);
    const session = b.session({ memory });
    expect(session.run()).toEqual({ reason: "exit" });
    expect([value(session, "d"), read(0)]).toEqual([3n, 0]);
  }
});
