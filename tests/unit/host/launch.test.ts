import { describe, expect, it } from "vitest";
import { Device, type LaunchOptions, must, type Session } from "../../../src/index.ts";
import { draws } from "../../share.ts";

const first = { block: 0, warp: 0, lane: 0 };
const MiB = 2 ** 20;
const LAUNCHES = draws(400, 2000);

const text = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{
  .reg .b64 %rd<2>; .reg .b32 %r<4>;
  .shared .align 4 .b32 s[256];
  .local .align 4 .b32 l[4];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  st.shared.b32 [s], %r1;
  st.local.b32 [l], %r1;
  add.cc.u32 %r2, %r1, 0xffffffff;
  st.global.u32 [%rd1], %r2;
  ret;
}
`;

function prepared(maxMemory: number) {
  const device = new Device({ maxMemory });
  const kernel = must(must(device.module(text)).kernel("k"));
  return { device, kernel, out: device.buffer(4) };
}

describe("launches one after the other", () => {
  it("leave no memory behind, and their registers stay readable", () => {
    // Little memory, which a launch of which a few bytes are left would soon have filled.
    const { kernel, out } = prepared(MiB / 16);
    for (let n = 0; n < LAUNCHES; n++) {
      const { stop, session } = must(kernel.launch({ args: [out, n] }));
      if (stop.reason !== "exit") expect(stop).toEqual({ reason: "exit" });
      const sum = session.registers(first).find(({ name }) => name === "%r2");
      if (sum?.bits[0] !== BigInt((n - 1) >>> 0)) expect(sum).toBe(n - 1);
      if (session.carry(first) !== (n === 0 ? 0 : 1)) expect(session.carry(first)).toBe(n);
    }
    expect(out.toBits("u32")).toEqual([BigInt(LAUNCHES - 2)]);
  });

  it("keep every block's registers", () => {
    const { kernel, out } = prepared(16 * MiB);
    const { session } = must(kernel.launch({ grid: 100, block: 64, args: [out, 7] }));
    for (const block of [0, 50, 99]) {
      const [, r1] = session.registers({ block, warp: 1, lane: 31 });
      expect(r1).toMatchObject({ name: "%r1", bits: [7n], written: true });
    }
  });

  it("keep no registers where nobody asked for those of many threads", () => {
    const { kernel, out } = prepared(16 * MiB);
    const many = { grid: 2000, block: 64, args: [out, 7] };
    const name = (options: LaunchOptions) => must(kernel.launch(options)).session.registers(first)[1]?.name;
    expect(name(many)).toBeUndefined();
    expect(name({ ...many, readableRegisters: true })).toBe("%r1");
    expect(name({ args: [out, 7] })).toBe("%r1");
    expect(name({ args: [out, 7], readableRegisters: false })).toBeUndefined();
    const session = must(kernel.session(many));
    session.run();
    expect(session.registers(first)[1]?.name).toBe("%r1");
    expect(session.carry(first)).toBe(1);
    session.close();
    const dropped = must(kernel.session({ ...many, readableRegisters: false }));
    dropped.run();
    expect(dropped.registers(first)).toEqual([]);
    expect(dropped.carry(first)).toBe(0);
    dropped.close();
  });

  it("keep their state after a fault until the next one", () => {
    const { kernel, out } = prepared(MiB / 16);
    for (let again = 0; again < 200; again++) {
      const { stop, session } = must(kernel.launch({ args: [4n, 9] }));
      if (stop.reason !== "trap") throw new Error("a store to address 4 went well");
      if (again > 1) continue;
      expect(stop.diagnostic.code).toBe("PTX3002");
      expect(session.read("shared", 0n, 1, first)).toEqual(new Uint8Array([9]));
      expect(session.read("local", 0n, 1, first)).toEqual(new Uint8Array([9]));
      expect(session.read("param", 8n, 1)).toEqual(new Uint8Array([9]));
      expect(must(kernel.launch({ args: [out, 1] })).stop).toEqual({ reason: "exit" });
      expect(() => session.read("shared", 0n, 1, first)).toThrow("of a launch that was closed");
      expect(() => session.read("param", 8n, 1)).toThrow("of a launch that was closed");
      expect(session.registers(first).find(({ name }) => name === "%r1")?.bits).toEqual([9n]);
      expect(session.run()).toBe(stop);
    }
  });

  it("give way to a buffer after a fault", () => {
    const { device, kernel } = prepared(MiB);
    const { session } = must(kernel.launch({ args: [4n, 9], dynamicShared: MiB / 2 }));
    expect(session.read("shared", 0n, 1, first)).toEqual(new Uint8Array([9]));
    expect(device.allocate(16)).toBeDefined();
    expect(session.read("shared", 0n, 1, first)).toEqual(new Uint8Array([9]));
    expect(device.allocate(MiB / 2)).toBeDefined();
    expect(() => session.read("shared", 0n, 1, first)).toThrow("of a launch that was closed");
    expect(device.allocate(MiB / 2)).toBeUndefined();
  });

  it("cannot be copied or put back once they are closed", () => {
    const { kernel, out } = prepared(MiB);
    const session = must(kernel.session({ args: [out, 5] }));
    const start = session.snapshot();
    session.run();
    session.restore(start);
    session.run({ budget: 2 });
    session.close();
    expect(() => session.restore(start)).toThrow("a closed session cannot be restored");
    expect(() => session.snapshot()).toThrow("a closed session has no state to copy");
    expect(() => session.run()).toThrow("a closed session cannot go on");
    expect(session.registers(first).find(({ name }) => name === "%r1")?.bits).toEqual([5n]);
  });
});

it("a launch may be closed whose slots a snapshot of another one, restored since, did not have yet", () => {
  const device = new Device({ maxMemory: MiB });
  // Nobody comes to the barrier: the next block begins.
  const waits = ".version 8.0 .target sm_80 .address_size 64 .entry waits() { bar.sync 0, 64; ret; }";
  const kernel = must(must(device.module(waits)).kernel("waits"));
  const [one, other] = [0, 1].map(() => must(kernel.session({ grid: 2 }))) as [Session, Session];
  const start = one.snapshot();
  other.run();
  one.restore(start);
  expect(() => other.close()).not.toThrow();
  one.close();
  expect(device.allocate(MiB / 2)).toBeDefined();
});

describe("the GPU whose tensor cores compute", () => {
  const matrices = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
  // Sixteen products of 2^-25: cut to nothing at 24 bits below the 1 of C, and 2^-21 at 25.
  const tiny = new Map([
    ["a", 0x39803980n],
    ["b", 0x39003900n],
    ["c", 0x3f800000n],
  ]);
  const run = (target: string | undefined, arch: string | undefined): bigint | undefined => {
    const snippet = `${matrices} {d, e, f, g}, {a, a, a, a}, {b, b}, {c, c, c, c};`;
    const kernel = must(new Device().snippet(snippet, target === undefined ? {} : { target }));
    const launched = must(kernel.launch({ block: 32, registers: tiny, ...(arch === undefined ? {} : { arch }) }));
    return launched.session.registers(first).find(({ name }) => name === "d")?.bits[0];
  };

  it("is that of the text's target, or the one that the launch names", () => {
    expect(run("sm_80", undefined)).toBe(0x3f800000n);
    expect(run("sm_90a", undefined)).toBe(0x3f800004n);
    expect(run(undefined, undefined)).toBe(0x3f800004n);
    expect(run("sm_80", "sm_90a")).toBe(0x3f800004n);
    expect(run("sm_90a", "sm_86")).toBe(0x3f800000n);
  });

  it("is refused where there is none of that name, or it has no tensor cores", () => {
    expect(() => run("sm_80", "sm_91")).toThrow("PTX2003: unknown target sm_91");
    expect(() => run("sm_80", "sm_61")).toThrow("PTX2003: sm_61 has no tensor cores");
  });
});
