import { describe, expect, it } from "vitest";
import { executors } from "../../../../src/interp/create-session.ts";
import { kernel, same, work } from "./several-workers.ts";

const [js, wasm] = [executors.get("js")!, executors.get("wasm")!];

/** `%rd4`: the address of one of 64 cells of 8 bytes; `%rd7`, `%r7`: a value of this thread's. */
const values = `${work} mul.lo.u32 %r7, %r3, 0x9e3779b1; mul.wide.u32 %rd7, %r7, %r7; xor.b32 %r8, %r3, %r1;
  and.b32 %r8, %r8, 63; mul.wide.u32 %rd4, %r8, 8; add.u64 %rd4, %rd1, %rd4;`;

const all32 = ["add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32"];
const all64 = ["add.u64", "min.u64", "min.s64", "max.u64", "max.s64", "and.b64", "or.b64", "xor.b64"];
const all = [...all32.map((op) => [op, "%r7"] as const), ...all64.map((op) => [op, "%rd7"] as const)];

/** Where they all run on workers, in whatever order. */
const free = { alone: "", workers: 2 };

describe("reductions by several workers", () => {
  it.each(all)("of red.global.%s commute", (op, value) => {
    const { blocks, seen, ...how } = same(kernel(`${values} red.global.${op} [%rd4], ${value};`), { executor: js });
    expect(how).toMatchObject(free);
    expect(blocks).toBeGreaterThan(20);
    expect(seen.stop.reason).toBe("exit");
  });

  it.each(["add.u32", "max.s64", "xor.b64"])("of red.global.%s commute in compiled code", (op) => {
    const value = op.endsWith("64") ? "%rd7" : "%r7";
    const text = kernel(`${values} setp.lt.u32 %p2, %r2, 50; @%p2 red.global.${op} [%rd4], ${value};`);
    expect(same(text, { executor: wasm, readableRegisters: false })).toMatchObject(free);
  });

  it.each([js, wasm])("of generic addresses commute, and go to shared memory where the address does", (executor) => {
    const text = kernel(
      `${work} cvta.global.u64 %rd5, %rd1; mov.u32 %r8, tile; cvt.u64.u32 %rd6, %r8; cvta.shared.u64 %rd6, %rd6;
       st.shared.u32 [tile], 0; bar.sync 0; and.b32 %r9, %r2, 1; setp.eq.u32 %p2, %r9, 0; selp.b64 %rd7, %rd5, %rd6, %p2;
       red.add.u32 [%rd7], %r3; bar.sync 0; ld.shared.u32 %r10, [tile]; setp.eq.u32 %p3, %r2, 0;
       @%p3 red.add.u32 [%rd5+64], %r10;`,
    );
    expect(same(text, { executor })).toMatchObject(free);
  });

  it("commute where atom gives its result to nobody", () => {
    expect(same(kernel(`${values} atom.global.add.u32 _, [%rd4], %r7;`))).toMatchObject(free);
    const unread = kernel(`${values} atom.global.add.u32 %r12, [%rd4], %r7;`);
    for (const executor of [js, wasm]) expect(same(unread, { readableRegisters: false, executor })).toMatchObject(free);
    // Somebody may look at the register.
    const why = "atom.global.add.u32 depends on the order of blocks";
    expect(same(unread, { readableRegisters: true })).toMatchObject({ alone: why, workers: 1 });
    const read = kernel(`${values} atom.global.add.u32 %r12, [%rd4], %r7; add.u32 %r13, %r12, 1;`);
    expect(same(read, { readableRegisters: false }).alone).toBe(why);
  });

  it("commute beside other stores to the same page, and others of other cells of one block", () => {
    const text = kernel(
      `${values} red.global.add.u32 [%rd4], %r7; red.global.max.u32 [%rd4+4], %r7; st.global.u32 [%rd3+4096], %r7;
       ld.global.u32 %r10, [%rd1+1024]; st.global.u32 [%rd3+2048], %r10;`,
    );
    // A row of cells is added to, the next one not; what is read stands behind them.
    for (const executor of [js, wasm]) expect(same(text, { executor })).toMatchObject({ workers: 2 });
  });

  it.each([js, wasm])("do not hide from other accesses of the same block, before and behind them", (executor) => {
    // Each block has four words of its own.
    const own = `${work} mul.wide.u32 %rd4, %r1, 16; add.u64 %rd4, %rd1, %rd4; bar.sync 0;`;
    const text = (body: string): string => kernel(`${own} ${body}`);
    for (const body of [
      "red.global.add.u32 [%rd4], %r2; bar.sync 0; ld.global.u32 %r10, [%rd4]; st.global.u32 [%rd4+4], %r10;",
      "red.global.add.u64 [%rd4], -1; bar.sync 0; ld.global.u32 %r10, [%rd4+4]; st.global.u32 [%rd4+8], %r10;",
      "red.global.xor.b32 [%rd4], %r3; bar.sync 0; st.global.u8 [%rd4+1], %r2; ld.global.u16 %r10, [%rd4]; st.global.u32 [%rd4+8], %r10;",
      "red.global.max.u32 [%rd4], %r3; red.global.add.u32 [%rd4], 1; red.global.min.u64 [%rd4], 77; red.global.add.f32 [%rd4+4], 0f3f800000;",
      "ld.global.u32 %r10, [%rd4]; bar.sync 0; red.global.add.u32 [%rd4], %r10;",
      "st.global.u32 [%rd4], %r1; bar.sync 0; red.global.add.u32 [%rd4], 3; red.global.add.u32 [%rd4+4], 1; bar.sync 0; ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd4]; st.global.u32 [%rd4+8], %r11;",
      "red.global.inc.u32 [%rd4], 9; red.global.add.u32 [%rd4], 1;",
    ])
      expect(same(text(body), { executor, readableRegisters: executor === js }).blocks).toBeGreaterThan(0);
  });

  it.each([
    [
      "a load",
      "@%p2 ld.global.u32 %r10, [%rd1]; @%p2 st.global.u32 [%rd3+64], %r10; @!%p2 red.global.add.u32 [%rd1], 1;",
    ],
    ["a store", "@%p2 st.global.u32 [%rd1], %r1; @!%p2 red.global.add.u32 [%rd1], 1;"],
    ["another operation", "@%p2 red.global.max.u32 [%rd1], %r3; @!%p2 red.global.add.u32 [%rd1], 1;"],
    ["another width", "@%p2 red.global.add.u64 [%rd1], %rd2; @!%p2 red.global.add.u32 [%rd1], -1;"],
    [
      "one whose result is read",
      "@%p2 atom.add.u32 %r10, [%rd5], 1; @%p2 st.global.u32 [%rd3+64], %r10; @!%p2 red.global.add.u32 [%rd1], 1;",
    ],
    ["one that depends on order", "@%p2 red.global.inc.u32 [%rd1], 1000; @!%p2 red.global.add.u32 [%rd1], 1;"],
  ])("are in order with %s of other blocks", (_, body) => {
    // The fifth block in each row of eight does something else than the others.
    const text = kernel(`${work} cvta.global.u64 %rd5, %rd1; and.b32 %r8, %r1, 7; setp.eq.u32 %p2, %r8, 5; ${body}`);
    for (const executor of [js, wasm]) same(text, { executor, readableRegisters: executor === js });
  });

  it("find what nothing has written, once, and go on", () => {
    const { seen } = same(
      kernel(`// raw\n ${work} red.global.add.u32 [%rd1+128], 1; red.global.add.u32 [%rd3+1024], 5;`),
    );
    expect(seen.findings.join("\n")).toMatch(/PTX4001.*updates 4 bytes/);
    expect(seen.raw[32]).toBe(2560n);
  });

  it("fault as one by itself does", () => {
    for (const place of ["[%rd1+65536]", "[%rd1+2]", "[%rd3+9000]"])
      expect(
        same(kernel(`${values} red.global.add.u32 [%rd4], 1; red.global.add.u32 ${place}, 1;`)).seen.stop.reason,
      ).toBe("trap");
  });
});
