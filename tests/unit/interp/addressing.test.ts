import { expect, test } from "vitest";
import type { Operand } from "../../../src/interp/contract/operand.ts";
import { addressIn, Memory } from "../../../src/interp/index.ts";
import { operationOf } from "../numeric/entry.ts";
import { address, Build, message, value, values } from "./build.ts";

test("isspacep tells the windows apart; parameters lie within global memory", () => {
  const memory = new Memory({ limit: 1 << 20 });
  const global = memory.allocate({ name: "g", bytes: 4 })!;
  const constant = memory.allocate({ name: "c", bytes: 4, space: "const" })!;
  const asked = [global, constant, addressIn("shared", 0), addressIn("local", 8), addressIn("param", 0), 0n, 16n];
  const spaces = ["global", "const", "shared", "local", "param"] as const;
  const found = spaces.map((space) => {
    const b = new Build();
    const p = asked.map((at, index) => {
      const predicate = b.pred(`p${index}`);
      b.do({ shape: "within", space }, predicate, b.constant(at, 64));
      return predicate;
    });
    const short = b.pred("short");
    b.do({ shape: "within", space }, short, b.constant(0));
    const session = b.session({ memory });
    session.run();
    return [...p.keys()]
      .filter((index) => value(session, `p${index}`) === 1n)
      .concat(value(session, "short") === 1n ? [9] : []);
  });
  expect(found).toEqual([[0, 4], [1], [2], [3], [4]]);
});

test("isspacep leaves the predicates of other lanes alone", () => {
  const b = new Build();
  const [p, only] = [b.pred("p"), b.pred("only")];
  b.move(p, b.truth(1n));
  b.do({ shape: "compare", op: operationOf("setp.lt.u32") }, only, undefined, b.special("tid.x"), b.constant(2));
  b.when(only).do({ shape: "within", space: "shared" }, p, b.constant(0n, 64));
  const session = b.session({ block: [4, 1, 1] });
  session.run();
  expect(values(session, "p", 4)).toEqual([0, 0, 1, 1]);
});

test("cvta adds an offset and a window, and takes the window away", () => {
  const b = new Build();
  const at = b.constant(0x40, 64);
  b.do({ shape: "address", space: "shared", to: "generic", bits: 64 }, b.reg("g", 64), address(at, -8n));
  b.do(
    { shape: "address", space: "local", to: "space", bits: 64 },
    b.reg("l", 64),
    b.constant(addressIn("local", 12), 64),
  );
  b.do({ shape: "address", space: "shared", to: "generic", bits: 32 }, b.reg("n"), address(b.constant(0x40), -8n));
  const session = b.session();
  session.run();
  expect(value(session, "g")).toBe(addressIn("shared", 0x38));
  expect(value(session, "l")).toBe(12n);
  expect(value(session, "n")).toBe(0x38n);
});

test("getctarank reads a rank out of an address, and knows the block's own", () => {
  const b = new Build();
  b.do({ shape: "rank" }, b.reg("own"), b.constant(0x10));
  b.do({ shape: "rank" }, b.reg("third"), b.constant(addressIn("shared", 0x0300_0010), 64));
  const session = b.session({ grid: [4, 2, 1], cluster: [2, 2, 1] });
  session.run();
  const own = Array.from({ length: 8 }, (_, block) => Number(value(session, "own", 0, 0, block)));
  expect(own).toEqual([0, 1, 0, 1, 2, 3, 2, 3]);
  expect(value(session, "third", 0, 0, 5)).toBe(2n);
});

/** `array[of + plus]` of elements of `scale` bytes. */
const element = (of: Operand & { kind: "slot" }, plus: number, scale: number, array = 8n): Operand => ({
  ...(address(undefined, array) as Operand & { kind: "address" }),
  index: { of, plus, scale },
});

test("an element's distance is computed in 32 bits, whatever the index is", () => {
  const b = new Build();
  b.sharedBytes = 64;
  b.store("shared", 32, undefined, b.constant(77), 16n);
  const shared = { shape: "load", space: "shared", cell: { bits: 32, signed: false } } as const;
  b.do(shared, b.reg("a"), element(b.constant(1), 1, 4));
  b.do(shared, b.reg("b"), element(b.constant(0xffff_ffff), 3, 4));
  b.do(shared, b.reg("c"), element(b.constant(0x5_0000_0002n, 64), 0, 4));
  const session = b.session();
  expect(session.run()).toEqual({ reason: "exit" });
  expect(["a", "b", "c"].map((name) => value(session, name))).toEqual([77n, 77n, 77n]);
});

test("an element's distance carries into the high word of its address", () => {
  const memory = new Memory({ limit: 1 << 20 });
  const at = memory.allocate({ name: "g", bytes: 8, initialised: true })!;
  memory.write(at, Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0));
  const low = Number(BigInt.asUintN(32, at));
  const load = { shape: "load", space: "global", cell: { bits: 32, signed: false } } as const;
  const b = new Build();
  const below = addressIn("global", 0) - 8n;
  b.do(load, b.reg("first"), element(b.constant(low / 4 + 2), 0, 4, below));
  b.do(load, b.reg("second"), element(b.constant(low / 4), 3, 4, below));
  // The last word before the window: no carry.
  b.do(load, b.reg("outside"), element(b.constant(1), 0, 4, below));
  const session = b.session({ memory });
  expect(message(session.run())).toContain(`PTX3002: load reads 4 bytes at 0x${(below + 4n).toString(16)}`);
  expect(["first", "second"].map((name) => value(session, name))).toEqual([1n, 2n]);
});

test("an element behind its array is a fault at its own address", () => {
  const b = new Build();
  b.sharedBytes = 64;
  b.do(
    { shape: "load", space: "shared", cell: { bits: 32, signed: false } },
    b.reg("a"),
    element(b.constant(14), 0, 4),
  );
  expect(message(b.session().run())).toMatch(
    /^PTX3002: load reads 4 bytes at 0x40, just past the end of shared memory \(64 bytes\)/,
  );
});

test("a 16-bit register is an address below 65536", () => {
  const b = new Build();
  b.sharedBytes = 40_000;
  b.store("shared", 32, undefined, b.constant(5), 0x9000n);
  b.load(b.reg("d"), "shared", 32, b.constant(0x9000, 16));
  const session = b.session();
  session.run();
  expect(value(session, "d")).toBe(5n);
});
