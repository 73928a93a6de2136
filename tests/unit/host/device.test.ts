import { describe, expect, it } from "vitest";
import { Device, HostError, hasErrors, type LaunchOptions, lint, must } from "../../../src/index.ts";
import { twice } from "../cli/world.ts";

const counter = `.version 8.0
.target sm_80
.address_size 64
.global .align 4 .f32 values[2] = {1.5, 2.5};
.global .align 8 .u64 pointer = values;
.visible .entry step(.param .u64 out, .param .f32 add)
{
  .reg .b64 %rd<4>; .reg .f32 %f<4>;
  ld.param.u64 %rd1, [out];
  ld.global.u64 %rd2, [pointer];
  ld.global.f32 %f1, [%rd2];
  ld.param.f32 %f2, [add];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd2], %f3;
  st.global.f32 [%rd1], %f3;
  ret;
}
`;

describe("a device", () => {
  it("runs a kernel over buffers", () => {
    const device = new Device();
    const kernel = must(must(device.module(twice)).kernel("twice"));
    const x = device.buffer(new Float32Array([1, 2, 3]));
    const y = device.buffer(12);
    const { stop, findings } = must(kernel.launch({ block: 32, args: [x, y, 3] }));
    expect(stop).toEqual({ reason: "exit" });
    expect(findings).toEqual([]);
    expect(y.toArray("f32")).toEqual([2, 4, 6]);
    expect(y.toBits("f32")).toEqual([0x40000000n, 0x40800000n, 0x40c00000n]);
  });

  it("takes arguments by name, and extents as numbers or lists", () => {
    const device = new Device();
    const kernel = must(must(device.module(twice)).kernel("twice"));
    const x = device.buffer(new Float32Array([1]));
    const args = new Map<string, number | typeof x>([
      ["n", 1],
      ["y", x],
      ["x", x],
    ]);
    expect(must(kernel.launch({ grid: [1], block: [1, 1, 1], args })).stop.reason).toBe("exit");
    expect(x.toArray("f32")).toEqual([2]);
  });

  it("keeps module variables from launch to launch, addresses in initialisers included", () => {
    const device = new Device();
    const module = must(device.module({ name: "counter.ptx", text: counter }));
    const kernel = must(module.kernel("step"));
    const out = device.buffer(4);
    must(kernel.launch({ args: [out, 1] }));
    must(kernel.launch({ args: [out, 0.25] }));
    expect(out.toArray("f32")).toEqual([2.75]);
    const values = module.variable("values");
    expect(values?.toArray("f32")).toEqual([2.75, 2.5]);
    values?.write(new Float32Array([-1]), 4);
    expect(values?.toArray("f32")).toEqual([2.75, -1]);
    expect(module.variable("pointer")?.toBits("u64")).toEqual([values?.address]);
    expect(module.variables).toEqual(["values", "pointer"]);
    expect(module.entries).toEqual(["step"]);
  });

  it("runs a snippet with registers", () => {
    const kernel = must(new Device().snippet("add.cc.u32 d, a, b;"));
    const registers = new Map([
      ["a", 0xffff_ffffn],
      ["b", 1n],
    ]);
    const { session } = must(kernel.launch({ registers }));
    const thread = { block: 0, warp: 0, lane: 0 };
    expect(session.registers(thread).find(({ name }) => name === "d")?.bits).toEqual([0n]);
    expect(session.carry(thread)).toBe(1);
  });

  it("hands out a session that has not run", () => {
    const session = must(must(new Device().snippet("not.b32 d, a;")).session({ registers: new Map([["a", 1n]]) }));
    expect(session.steps).toBe(0);
    expect(session.run({ budget: 1 }).reason).toBe("budget");
    expect(session.run().reason).toBe("exit");
  });

  it("gives a fault as a stop", () => {
    const device = new Device();
    const kernel = must(must(device.module(twice)).kernel("twice"));
    const x = device.buffer(new Float32Array([1]), { name: "x" });
    const { stop } = must(kernel.launch({ block: 2, args: [x, x, 2] }));
    expect(stop).toMatchObject({ reason: "trap", diagnostic: { code: "PTX3002" } });
    x.free();
    expect(must(kernel.launch({ args: [x, x, 1] })).stop).toMatchObject({ reason: "trap" });
  });
});

describe("what a host does wrong", () => {
  const device = new Device({ maxMemory: 2 ** 20 });
  const module = must(device.module(twice));
  const kernel = must(module.kernel("twice"));
  const x = device.buffer(4);
  const codesOf = (staged: { readonly diagnostics: readonly { readonly code: string }[] }) =>
    staged.diagnostics.map(({ code }) => code);

  it("comes as diagnostics without a value", () => {
    expect(codesOf(device.module("add"))).not.toEqual([]);
    expect(device.module(".version 8.0\n.target sm_80\n.foo\n").value).toBeUndefined();
    expect(codesOf(device.snippet("add.rz.f16 d, a, b;"))).toEqual(["PTX1203"]);
    expect(codesOf(module.kernel("twce"))).toEqual(["PTX2203"]);
    expect(codesOf(kernel.launch({ args: [x, x] }))).toEqual(["PTX2205"]);
    expect(codesOf(kernel.launch({ args: [x, x, 1, 2] }))).toEqual(["PTX2202"]);
    expect(codesOf(kernel.launch({ args: new Map([["z", 1]]) }))).toContain("PTX2202");
    expect(codesOf(kernel.launch({ args: [x, x, 1.5] }))).toEqual(["PTX2206"]);
    expect(codesOf(kernel.launch({ args: [x, x, 2 ** 32] }))).toEqual(["PTX2206"]);
    expect(codesOf(kernel.launch({ args: [x, x, x] }))).toEqual(["PTX2206"]);
    expect(codesOf(kernel.launch({ args: [x, x, Uint8Array.of(1)] }))).toEqual(["PTX2206"]);
    expect(codesOf(kernel.launch({ args: [x, x, { bits: 1n << 32n }] }))).toEqual(["PTX2206"]);
    expect(codesOf(kernel.launch({ args: [x, x, 1], block: [32, 64] }))).toEqual(["PTX2207"]);
    expect(codesOf(kernel.launch({ args: [x, x, 1], grid: 0 }))).toEqual(["PTX2207"]);
    expect(codesOf(kernel.launch({ args: [x, x, 1], registers: new Map([["%r9", 1n]]) }))).toEqual(["PTX2201"]);
    expect(codesOf(kernel.launch({ args: [x, x, 1], registers: new Map([["%r1", 1n << 32n]]) }))).toEqual(["PTX2102"]);
  });

  it("respects .maxntid and .reqntid", () => {
    const bounded = (directive: string) =>
      must(must(device.module(twice.replace(".param .u32 n)", `.param .u32 n) ${directive}`))).kernel("twice"));
    expect(codesOf(bounded(".maxntid 16, 2").launch({ args: [x, x, 0], block: 33 }))).toEqual(["PTX2207"]);
    expect(codesOf(bounded(".maxntid 16, 2").launch({ args: [x, x, 0], block: 32 }))).toEqual([]);
    expect(codesOf(bounded(".reqntid 8").launch({ args: [x, x, 0], block: 4 }))).toEqual(["PTX2207"]);
  });

  it("takes the block from .reqntid and the grid from the cluster where the launch says nothing, but none from .maxntid", () => {
    const size = (directives: string, options: LaunchOptions = {}) => {
      const text = `.version 9.0\n.target sm_90\n.address_size 64
        .entry k(.param .u64 out) ${directives} {
          .reg .b64 %rd1; .reg .b32 %r1;
          ld.param.u64 %rd1, [out]; atom.global.add.u32 %r1, [%rd1], 1; mov.u32 %r1, %nctaid.x;
          st.global.u32 [%rd1+4], %r1; mov.u32 %r1, %ntid.y; st.global.u32 [%rd1+8], %r1; ret;
        }`;
      const counts = device.buffer(new Uint32Array(3));
      must(must(must(device.module(text)).kernel("k")).launch({ args: [counts], ...options }));
      return counts.toArray("u32");
    };
    expect(size(".reqntid 8, 2")).toEqual([16, 1, 2]);
    expect(size(".reqntid 8, 2", { grid: 3 })).toEqual([48, 3, 2]);
    expect(size(".maxntid 8, 2")).toEqual([1, 1, 1]);
    expect(size(".reqntid 8 .reqnctapercluster 2")).toEqual([16, 2, 1]);
    expect(size("", { cluster: 4 })).toEqual([4, 4, 1]);
  });

  it("takes clusters from .reqnctapercluster, and no others", () => {
    const text = `.version 9.0\n.target sm_90\n.address_size 64
      .entry k(.param .u64 out) .reqnctapercluster 2 {
        .reg .b64 %rd1; .reg .b32 %r1;
        ld.param.u64 %rd1, [out]; mov.u32 %r1, %cluster_nctarank; st.global.u32 [%rd1], %r1; ret;
      }`;
    const kernel = must(must(device.module(text)).kernel("k"));
    expect(codesOf(kernel.launch({ args: [x], grid: 3 }))).toEqual(["PTX2207"]);
    expect(codesOf(kernel.launch({ args: [x], grid: 4, cluster: 4 }))).toEqual(["PTX2207"]);
    expect(codesOf(kernel.launch({ args: [x], grid: 4 }))).toEqual([]);
    expect(x.toArray("u32")[0]).toBe(2);
  });

  it("is an exception only where the caller asks for one", () => {
    expect(() => must(module.kernel("other"))).toThrow(HostError);
    expect(() => must(module.kernel("other"))).toThrow("PTX2203: the module has no kernel other");
    expect(() => device.buffer(2 ** 24)).toThrow("PTX6003");
    expect(device.allocate(2 ** 24)).toBeUndefined();
    expect(() => x.read(2, 4)).toThrow(RangeError);
    expect(() => x.write(new Uint8Array(5))).toThrow(RangeError);
  });
});

describe("lint", () => {
  it("looks into every body, and finds each thing once", () => {
    const text = twice.replace("add.f32 %f2", "add.rx.f32 %f2").replace("mul.wide.u32 %rd3", "mul.wide.u32 %rd9");
    const found = lint({ name: "twice.ptx", text });
    expect(hasErrors(found)).toBe(true);
    const errors = found.filter(({ severity }) => severity === "error");
    expect(errors).toHaveLength(2);
    expect(errors.map(({ source, span }) => source.position(span.start).line)).toEqual(
      [15, 19].map((line) => line - 1),
    );
  });

  it("finds nothing in what is right", () => {
    expect(lint(twice).filter(({ severity }) => severity !== "note")).toEqual([]);
    expect(lint("add.f16 d, a, b;")).toEqual([]);
  });
});
