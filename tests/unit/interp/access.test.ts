import { describe, expect, test } from "vitest";
import type { Space } from "../../../src/interp/contract/space.ts";
import { addressIn, Memory, type SessionOptions } from "../../../src/interp/index.ts";
import { a, b as b_, plus, times } from "../../../src/numeric/operation/build.ts";
import { Build, message, sink, thread, value, values, vector } from "./build.ts";
import { from32, into64, on32 } from "./operations.ts";

/** A memory with one buffer of 64 bytes, 0 to 63. */
function buffer(space: "global" | "const" = "global") {
  const memory = new Memory({ limit: 64 << 20 });
  const at = memory.allocate({ name: "in", bytes: 64, space })!;
  memory.write(
    at,
    Uint8Array.from({ length: 64 }, (_, byte) => byte),
  );
  return { memory, at };
}

test("loads of every width, with both extensions", () => {
  const { memory, at } = buffer();
  memory.write(at + 32n, Uint8Array.of(0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa, 0xf9, 0xf8));
  const b = new Build();
  const p = b.constant(at, 64);
  for (const bits of [8, 16, 32] as const) {
    b.load(b.reg(`u${bits}`), "global", bits, p, 32n);
    b.load(b.reg(`s${bits}`), "global", bits, p, 32n, true);
    b.load(b.reg(`U${bits}`, 64), "global", bits, p, 32n);
    b.load(b.reg(`S${bits}`, 64), "global", bits, p, 32n, true);
  }
  b.load(b.reg("h8", 16), "global", 8, p, 32n, true);
  b.load(b.reg("q", 64), "global", 64, p, 32n);
  b.load(b.reg("x", 128), "global", 128, p, 16n);
  const session = b.session({ memory });
  expect(session.run()).toEqual({ reason: "exit" });
  const read = (name: string) => value(session, name);
  expect([read("u8"), read("u16"), read("u32")]).toEqual([0xffn, 0xfeffn, 0xfcfdfeffn]);
  expect([read("s8"), read("s16"), read("s32")]).toEqual([0xffff_ffffn, 0xffff_feffn, 0xfcfdfeffn]);
  expect([read("U8"), read("U16"), read("U32")]).toEqual([0xffn, 0xfeffn, 0xfcfdfeffn]);
  expect([read("S8"), read("S16"), read("S32")]).toEqual([
    0xffff_ffff_ffff_ffffn,
    0xffff_ffff_ffff_feffn,
    0xffff_ffff_fcfd_feffn,
  ]);
  expect(read("h8")).toBe(0xffffn);
  expect(read("q")).toBe(0xf8f9fafbfcfdfeffn);
  expect(read("x")).toBe(0x1f1e1d1c_1b1a1918_17161514_13121110n);
});

test("stores of every width take the register's low bits", () => {
  const { memory, at } = buffer();
  const b = new Build();
  const p = b.constant(at, 64);
  const narrow = b.constant(0xaabb_ccdd);
  const wide = b.constant(0x1122_3344_5566_7788n, 64);
  b.store("global", 8, p, narrow).store("global", 16, p, narrow, 2n).store("global", 32, p, narrow, 4n);
  b.store("global", 8, p, wide, 8n).store("global", 16, p, wide, 10n).store("global", 32, p, wide, 12n);
  b.store("global", 64, p, wide, 16n);
  const session = b.session({ memory });
  expect(session.run()).toEqual({ reason: "exit" });
  expect(Buffer.from(memory.read(at, 24)).toString("hex")).toBe(
    ["dd01ddcc", "ddccbbaa", "88098877", "88776655", "8877665544332211"].join(""),
  );
});

test("vectors of two, four and eight, a 128-bit pair, and a sink", () => {
  const { memory, at } = buffer();
  const out = memory.allocate({ name: "out", bytes: 64 })!;
  const b = new Build();
  const [p, o] = [b.constant(at, 64), b.constant(out, 64)];
  const regs = Array.from({ length: 8 }, (_, i) => b.reg(`r${i}`));
  b.load(vector(...regs), "global", 32, p, 32n);
  b.store("global", 32, o, vector(...regs));
  b.load(vector(b.reg("a", 16), sink), "global", 16, p);
  const [x, y] = [b.reg("x", 64), b.reg("y", 64)];
  b.load(vector(x, y), "global", 64, p, 16n);
  b.store("global", 64, o, vector(y, x), 32n);
  const wide = b.reg("w", 128);
  b.load(wide, "global", 128, p).store("global", 128, o, wide, 48n);
  const session = b.session({ memory });
  expect(message(session.run())).toBe("exit");
  const bytes = Array.from({ length: 64 }, (_, byte) => byte);
  expect([...memory.read(out, 64)]).toEqual([
    ...bytes.slice(32, 64),
    ...bytes.slice(24, 32),
    ...bytes.slice(16, 24),
    ...bytes.slice(0, 16),
  ]);
  expect(value(session, "a")).toBe(0x100n);
});

test("shared memory belongs to a block, local memory to a thread, and both have generic addresses", () => {
  const b = new Build();
  b.sharedBytes = 128;
  b.localBytes = 8;
  const tid = b.special("tid.x");
  const zero = b.constant(0);
  b.store("local", 32, zero, tid, 4n);
  b.load(b.reg("mine"), "local", 32, undefined, 4n);
  const generic = b.reg("generic", 64);
  b.do({ shape: "address", space: "local", to: "generic", bits: 64 }, generic, b.constant(4, 64));
  b.load(b.reg("again"), "generic", 32, generic);
  const back = b.reg("back", 64);
  b.do({ shape: "address", space: "local", to: "space", bits: 64 }, back, generic);
  const lane4 = from32(times(4, a));
  const at = b.reg("at");
  b.do({ shape: "compute", op: lane4 }, at, tid);
  b.store("shared", 32, at, tid);
  b.load(b.reg("last"), "shared", 32, undefined, 124n);
  const shared = b.reg("shared", 64);
  b.do({ shape: "address", space: "shared", to: "generic", bits: 64 }, shared, b.constant(8, 64));
  b.load(b.reg("third"), "generic", 32, shared);
  const session = b.session({ block: [32, 1, 1] });
  expect(message(session.run())).toBe("exit");
  const lanes = Array.from({ length: 32 }, (_, lane) => lane);
  expect(values(session, "mine")).toEqual(lanes);
  expect(values(session, "again")).toEqual(lanes);
  expect(values(session, "last")).toEqual(lanes.map(() => 31));
  expect(values(session, "third")).toEqual(lanes.map(() => 2));
  expect(value(session, "generic")).toBe(addressIn("local", 4));
  expect(value(session, "back")).toBe(4n);
  expect(session.findings).toEqual([]);
  expect([...session.read("shared", 12n, 4, thread())]).toEqual([3, 0, 0, 0]);
  expect([...session.read("local", 4n, 4, thread(7))]).toEqual([7, 0, 0, 0]);
  expect([...session.read("generic", addressIn("local", 4), 1, thread(9))]).toEqual([9]);
});

test("parameters are read from the launch's block, and by generic address", () => {
  const b = new Build();
  b.parameterBytes = 16;
  b.load(b.reg("a", 64), "param", 64, undefined, 8n);
  b.load(b.reg("g", 64), "generic", 64, b.constant(addressIn("param", 8), 64));
  const session = b.session({ parameters: Uint8Array.from({ length: 16 }, (_, byte) => byte) });
  expect(message(session.run())).toBe("exit");
  expect(value(session, "a")).toBe(0x0f0e0d0c0b0a0908n);
  expect(value(session, "g")).toBe(0x0f0e0d0c0b0a0908n);
});

test("constant memory is read through .const and generic addresses", () => {
  const { memory, at } = buffer("const");
  const b = new Build();
  const p = b.variable("table", 4n);
  b.load(b.reg("a"), "const", 32, p).load(b.reg("g"), "generic", 32, p);
  const session = b.session({ memory, addressOf: (name) => (name === "table" ? at : 0n) });
  expect(message(session.run())).toBe("exit");
  expect([value(session, "a"), value(session, "g")]).toEqual([0x07060504n, 0x07060504n]);
});

describe("faults say what, where and who", () => {
  const fault = (
    build: (b: Build, at: bigint) => void,
    options: Partial<SessionOptions> = {},
    space: "global" | "const" = "global",
  ): string => {
    const { memory, at } = buffer(space);
    const b = new Build();
    build(b, at);
    return message(b.session({ memory, ...options }).run()).replaceAll(at.toString(16), "AT");
  };
  const hex = (at: bigint) => `0x${at.toString(16)}`;

  test.each<[string, Space, number, number, string]>([
    ["just past the end", "global", 64, 32, "PTX3002: load reads 4 bytes at 0x%, just past the end of in (64 bytes)"],
    ["past the end", "global", 72, 32, "PTX3002: load reads 4 bytes at 0x%, 8 bytes past the end of in (64 bytes)"],
    ["before", "global", -4, 32, "PTX3002: load reads 4 bytes at 0x%, 4 bytes before in (64 bytes)"],
    [
      "misaligned",
      "global",
      2,
      32,
      "PTX3001: load reads 4 bytes at 0x%, which is not a multiple of 4: 2 bytes into in (64 bytes)",
    ],
    [
      "misaligned pair",
      "global",
      4,
      64,
      "PTX3001: load reads 8 bytes at 0x%, which is not a multiple of 8: 4 bytes into in (64 bytes)",
    ],
  ])("%s", (_name, space, offset, bits, expected) => {
    let at = 0n;
    const got = fault((b, base) => {
      at = base + BigInt(offset);
      b.load(b.reg("d", bits === 64 ? 64 : 32), space, bits as 32 | 64, b.constant(base, 64), BigInt(offset));
    });
    const where = ", in thread (0,0,0) of block (0,0,0)";
    expect(got.replace("AT", "%").replace(at.toString(16), "%")).toBe(expected + where);
  });

  test("an access of which only part is inside", () => {
    const memory = new Memory({ limit: 1 << 20 });
    const at = memory.allocate({ name: "odd", bytes: 6, initialised: true })!;
    const b = new Build();
    b.load(b.reg("d"), "global", 32, b.constant(at, 64), 4n);
    expect(message(b.session({ memory }).run())).toBe(
      `PTX3002: load reads 4 bytes at ${hex(at + 4n)}, 2 bytes of them past the end of odd (6 bytes), in thread (0,0,0) of block (0,0,0)`,
    );
  });

  test("null, 32-bit and foreign pointers", () => {
    expect(fault((b) => b.store("global", 32, b.constant(8, 64), b.constant(1)))).toMatch(
      /^PTX3002: store writes 4 bytes at 0x8, 8 bytes past a null pointer, in thread/,
    );
    expect(fault((b, at) => b.load(b.reg("d"), "global", 32, b.constant(at & 0xffff_ffffn)))).toMatch(
      /which looks like an address of in \(64 bytes\) cut to 32 bits/,
    );
    expect(fault((b, at) => b.load(b.reg("d"), "global", 32, b.constant(at, 64)), {}, "const")).toMatch(
      /which is an address of constant memory, not of global memory/,
    );
    expect(fault((b) => b.load(b.reg("d"), "generic", 32, b.constant(1n << 60n, 64)))).toMatch(
      /outside every allocation/,
    );
    const window = (high: bigint, space: "shared" | "generic") =>
      fault((b) => {
        b.sharedBytes = 8192;
        b.load(b.reg("d"), space, 32, b.constant((high << 32n) | 6144n, 64));
      });
    expect(window(0x4f01n, "shared")).toMatch(/which is a generic address: cvta.to.shared makes one of shared memory/);
    expect(window(0n, "generic")).toMatch(
      /looks like an address of shared memory that cvta.shared has not made generic/,
    );
    expect(window(0x4f05n, "generic")).toMatch(/which is the address of a function/);
    expect(fault((b) => b.load(b.reg("d"), "generic", 32, b.constant(1n << 31n, 64)))).toMatch(
      /which looks like an address cut to 32 bits/,
    );
  });

  test("read-only memory", () => {
    expect(fault((b, at) => b.store("generic", 32, b.constant(at, 64), b.constant(1)), {}, "const")).toBe(
      "PTX3003: store writes 4 bytes at 0xAT, which is read-only: the start of in (64 bytes), in thread (0,0,0) of block (0,0,0)",
    );
    expect(
      fault((b) => {
        b.parameterBytes = 8;
        b.store("param", 32, undefined, b.constant(1));
      }),
    ).toMatch(/^PTX3003: store writes 4 bytes at 0x0, which is read-only/);
  });

  test("shared, local and parameter windows have an end", () => {
    const build = (space: "shared" | "local" | "param") => (b: Build) => {
      b.sharedBytes = b.localBytes = b.parameterBytes = 8;
      b.variables = [{ name: "tile", space: "shared", type: "b32", offset: 4, bytes: 4 }];
      b.load(b.reg("d"), space, 32, b.constant(8));
    };
    const parameters = new Uint8Array(8);
    expect(fault(build("shared"), { parameters })).toMatch(
      /4 bytes at 0x8, just past the end of shared memory \(8 bytes\), after tile \(4 bytes\)/,
    );
    expect(fault(build("local"), { parameters })).toMatch(/just past the end of local memory \(8 bytes\)/);
    expect(fault(build("param"), { parameters })).toMatch(/just past the end of the parameters \(8 bytes\)/);
  });

  test("a wild pointer does not reach the machine's own state", () => {
    const { memory, at } = buffer();
    for (const space of ["global", "generic"] as const)
      for (let page = 0n; page < 16n; page++) {
        const b = new Build();
        b.sharedBytes = 64;
        const where = addressIn("global", 0) + page * 4096n;
        if (where <= at && at < where + 4096n) continue;
        b.store(space, 32, b.constant(where, 64), b.constant(-1));
        expect(message(b.session({ memory }).run())).toMatch(/^PTX3002/);
      }
  });

  test("freed memory", () => {
    const { memory, at } = buffer();
    memory.free(at);
    const b = new Build();
    b.load(b.reg("d"), "global", 32, b.constant(at, 64));
    expect(message(b.session({ memory }).run())).toMatch(/^PTX3005: .*in in \(64 bytes\), which the host has freed/);
  });

  test("lanes before the faulting one have completed, and the thread is named", () => {
    const memory = new Memory({ limit: 1 << 20 });
    const at = memory.allocate({ name: "out", bytes: 4 * 37 })!;
    const b = new Build();
    const where = b.reg("where", 64);
    const index = into64(plus(at, times(4, a)));
    const tid = b.special("tid.x");
    const linear = on32(plus(a, times(8, b_)));
    const all = b.reg("all");
    b.do({ shape: "compute", op: linear }, all, tid, b.special("tid.y"));
    b.do({ shape: "compute", op: index }, where, all);
    b.store("global", 32, where, b.constant(7));
    const session = b.session({ memory, block: [8, 8, 1] });
    const stop = session.run();
    expect(message(stop)).toMatch(/just past the end of out \(148 bytes\), in thread \(5,4,0\) of block \(0,0,0\)$/);
    expect(stop).toMatchObject({ at: { block: 0, warp: 1, lane: 5 }, pc: 2 });
    expect([...new Uint32Array(memory.read(at, 148).buffer)]).toEqual(Array.from({ length: 37 }, () => 7));
    expect(session.run()).toBe(stop);
  });
});

describe("uninitialised memory", () => {
  const build = () => {
    const b = new Build();
    b.sharedBytes = 16;
    const d = b.reg("d");
    b.store("shared", 16, b.constant(0), b.constant(0xffff_ffff));
    b.load(d, "shared", 32, b.constant(0)).load(d, "shared", 16, b.constant(0)).load(d, "shared", 32, undefined, 8n);
    return b;
  };

  test("a read of it is found once an instruction and gives zeros", () => {
    const session = build().session({ block: [4, 1, 1] });
    expect(session.run()).toEqual({ reason: "exit" });
    expect(session.findings.map(({ code, severity, message }) => [code, severity, message])).toEqual([
      ["PTX4001", "error", expect.stringMatching(/^load reads 4 bytes at 0x0, which nothing has written, in thread/)],
      ["PTX4001", "error", expect.stringMatching(/^load reads 4 bytes at 0x8/)],
    ]);
    expect(value(session, "d")).toBe(0n);
  });

  test("in local memory it is a note, by a generic address too", () => {
    const b = new Build();
    b.localBytes = 8;
    const [d, generic] = [b.reg("d"), b.reg("generic", 64)];
    b.do({ shape: "address", space: "local", to: "generic", bits: 64 }, generic, b.constant(4, 64));
    b.load(d, "local", 32, undefined, 0n).load(d, "generic", 32, generic);
    const session = b.session();
    expect(session.run()).toEqual({ reason: "exit" });
    expect(session.findings.map(({ code, severity }) => [code, severity])).toEqual([
      ["PTX4001", "note"],
      ["PTX4001", "note"],
    ]);
  });

  test("the check can be left out", () => {
    const session = build().session({ sanitize: { mem: true, init: false } });
    session.run();
    expect(session.findings).toEqual([]);
  });

  test("zeros that the host means are no finding", () => {
    const memory = new Memory({ limit: 1 << 20 });
    const at = memory.allocate({ name: "zeros", bytes: 8, initialised: true })!;
    const b = new Build();
    b.load(b.reg("d"), "global", 32, b.constant(at, 64));
    const session = b.session({ memory });
    session.run();
    expect(session.findings).toEqual([]);
  });
});

test("without the bounds check, gaps can be used but nobody else's memory", () => {
  const { memory, at } = buffer();
  const b = new Build();
  b.store("global", 32, b.constant(at, 64), b.constant(5), 64n).load(b.reg("d"), "global", 32, b.constant(at, 64), 64n);
  const session = b.session({ memory, sanitize: { mem: false, init: true } });
  expect(message(session.run())).toBe("exit");
  expect(value(session, "d")).toBe(5n);
});

describe("without the bounds check, memory still has a beginning and an end", () => {
  const unchecked = (kind: "load" | "store", offset: bigint): string => {
    const { memory, at } = buffer();
    const b = new Build();
    if (kind === "load") b.load(b.reg("d"), "global", 32, b.constant(at, 64), offset);
    else b.store("global", 32, b.constant(at, 64), b.constant(5), offset);
    return message(b.session({ memory, sanitize: { mem: false, init: false } }).run());
  };

  test("nobody reaches what lies before the first allocation, where an executor keeps notes", () => {
    const why = ", 16 bytes before in (64 bytes), in thread (0,0,0) of block (0,0,0)";
    expect(unchecked("load", -16n)).toBe(`PTX3002: load reads 4 bytes at 0x4f0000000ff0${why}`);
    expect(unchecked("store", -16n)).toBe(`PTX3002: store writes 4 bytes at 0x4f0000000ff0${why}`);
    expect(unchecked("store", -4096n)).toMatch(/^PTX3002: store writes 4 bytes at 0x4f0000000000, 4096 bytes before/);
  });

  test("nor what lies behind all of it", () => {
    expect(unchecked("load", (64n << 20n) - 4100n)).toBe("exit");
    expect(unchecked("load", (64n << 20n) - 4096n)).toMatch(/^PTX3002: /);
  });
});
