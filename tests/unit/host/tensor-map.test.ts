import { describe, expect, it } from "vitest";
import { type Buffer, Device, encodeTensorMap, must, type TensorMapOptions } from "../../../src/host/index.ts";
import { movedTensorMap } from "../../../src/host/memory/tensor-map.ts";

const device = new Device({ maxMemory: 4 << 20 });
const tensor: Buffer = device.buffer(Float32Array.from({ length: 4096 }, (_, at) => at));
const map = { tensor, type: "f32", dims: [64, 64], box: [32, 8] } as const;
const said = (more: Partial<TensorMapOptions>): readonly string[] =>
  encodeTensorMap({ ...map, ...more }).diagnostics.map(({ code, message }) => `${code}: ${message}`);

describe("a tensor map of the host", () => {
  it("is 128 bytes, the same for CUDA's name of the type", () => {
    const bytes = device.tensorMap(map);
    expect(bytes.length).toBe(128);
    expect(device.tensorMap({ ...map, type: "CU_TENSOR_MAP_DATA_TYPE_FLOAT32", strides: [256] })).toEqual(bytes);
  });

  it("has another address by itself", () => {
    const moved = movedTensorMap(device.tensorMap(map), tensor.address + 256n);
    expect(moved.value).toEqual(device.tensorMap({ ...map, offset: 256 }));
    expect(movedTensorMap(device.tensorMap(map), tensor.address + 8n).diagnostics[0]?.message).toContain(
      "address 0x4f00",
    );
    expect(movedTensorMap(new Uint8Array(128), 256n).diagnostics[0]?.message).toBe("bytes that are not a tensor map");
  });

  it.each([
    [{ type: "f31" }, "f31 is not a type of a tensor"],
    [{ dims: [64, 0] }, "dimension 1 has 0 elements"],
    [{ box: [257, 8] }, "the box has 257 elements in dimension 0"],
    [{ box: [32] }, "a box of 1 sizes for 2 dimensions"],
    [{ box: [33, 8] }, "the box has 132 bytes of f32 in dimension 0"],
    [{ strides: [260] }, "the stride of dimension 1 is 260 bytes"],
    [{ steps: [1, 9] }, "the element stride of dimension 1 is 9"],
    [{ offset: 8 }, /^PTX2220: the tensor's address 0x4f00/],
    [{ swizzle: "32B" }, "the box has 128 bytes in dimension 0 with a swizzle of 32B"],
    [{ swizzle: "64B/32B", box: [16, 8] }, "an atomicity of 32B with a swizzle of 64B"],
    [{ interleave: "16B" }, "a tensor of 2 dimensions in this mode"],
    [{ type: "u32", fill: "nan" }, "NaN fill for u32"],
    [{ type: "b4x16_p64", dims: [128, 64], box: [64, 8] }, "the box has 64 elements of b4x16_p64 in dimension 0"],
    [{ im2col: { lower: [0], upper: [0], channels: 8, pixels: 8 } }, "a tensor of 2 dimensions in this mode"],
    [
      { dims: [16, 8, 8, 2], im2col: { lower: [-200, 0], upper: [0, 0], channels: 8, pixels: 8 } },
      "-200 as an offset of the lower corner of a 4D tensor",
    ],
    [
      { dims: [16, 8, 8, 2], im2col: { lower: [0, 0], upper: [-8, 0], channels: 8, pixels: 8 } },
      "the bounding box is empty in dimension 1",
    ],
    [
      { dims: [16, 8, 2], im2col: { lower: [0], upper: [0], channels: 8, pixels: 8, wide: true } },
      "a swizzle of none in im2col::w",
    ],
  ] as const)("of %j is refused", (more, message) => {
    const [first = ""] = said(more as Partial<TensorMapOptions>);
    if (typeof message === "string") expect(first).toBe(`PTX2220: ${message}`);
    else expect(first).toMatch(message);
  });
});

const kernel = (params: string, body: string): string => `.version 8.8 .target sm_100a .address_size 64
  .shared .align 128 .b32 tile[256]; .shared .align 8 .b64 bar; .global .align 64 .b8 copy[128];
  .entry k(${params}) { .reg .b64 %rd<6>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b16 %h<9>; .reg .pred %p<3>; ${body} ret; }`;

describe("tensormap.replace", () => {
  const load = `mbarrier.init.shared::cta.b64 [bar], 1; fence.proxy.async.shared::cta; mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 1024;
    cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%rd3, {0, 0}], [bar];
    W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra W; ld.shared.b32 %r1, [tile]; st.global.b32 [%rd2], %r1;`;
  // A thread of each 4 bytes brings the parameter's map to global memory; lane 0 moves the tensor by a row.
  const change = `mov.u64 %rd3, copy; mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd2, [out];
    mov.u32 %r2, %tid.x; mul.wide.u32 %rd4, %r2, 4; add.u64 %rd5, %rd1, %rd4; ld.b32 %r3, [%rd5]; add.u64 %rd5, %rd3, %rd4; st.global.b32 [%rd5], %r3;
    bar.sync 0; setp.ne.u32 %p2, %r2, 0; @%p2 ret; ld.global.b64 %rd4, [%rd3]; add.u64 %rd4, %rd4, 256;
    tensormap.replace.tile.global_address.global.b1024.b64 [%rd3], %rd4; tensormap.replace.tile.global_dim.global.b1024.b32 [%rd3], 1, 63;`;
  const release = "fence.proxy.tensormap::generic.release.gpu;";
  const acquire = "fence.proxy.tensormap::generic.acquire.gpu [%rd3], 128;";
  const run = (fences: string) => {
    const out = device.buffer(new Uint8Array(4));
    const text = kernel(".param .align 64 .b8 map[128], .param .u64 out", `${change} ${fences} ${load}`);
    const { stop, findings } = must(
      must(must(device.module(text)).kernel("k")).launch({ block: 32, args: [device.tensorMap(map), out] }),
    );
    return {
      stop: stop.reason,
      said: findings.map(({ code, help = [] }) => `${code} ${help.map(({ message }) => message)}`),
      gives: out.toArray("f32"),
    };
  };

  it("moves the tensor for copies behind both fences", () => {
    expect(run(`${release} ${acquire}`)).toEqual({ stop: "exit", said: [], gives: [64] });
  });

  it("is a finding where a fence is missing, which the help names", () => {
    expect(run("").said).toEqual([expect.stringMatching(/^PTX4040 .*release after the change/)]);
    expect(run(release).said).toEqual([expect.stringMatching(/^PTX4040 write fence.proxy.tensormap::generic.acquire/)]);
    expect(run(acquire).said).toEqual([expect.stringMatching(/^PTX4040 .*release after the change/)]);
  });
});

describe("a tensor copy that cannot be", () => {
  const copy = (
    dim: number,
    place: string,
    more = "",
  ): string => `mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; mov.u32 %r1, tile; ${more}
    mbarrier.init.shared::cta.b64 [bar], 1; fence.proxy.async.shared::cta; cp.async.bulk.tensor.${dim}d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd1, ${place}], [bar];`;
  it.each([
    [copy(3, "{0, 0, 0}"), device.tensorMap(map), "PTX3052", /asks for .3d with a tensor map of 2 dimensions/],
    [
      copy(2, "{0, 0}", "add.u32 %r1, %r1, 16;"),
      device.tensorMap(map),
      "PTX3001",
      /writes 1024 bytes at 0x10, which is not a multiple of 128/,
    ],
    [copy(2, "{0, 0}"), new Uint8Array(128), "PTX3051", /finds no tensor map at its address/],
    [copy(2, "{0, 0}"), device.tensorMap({ ...map, tensor: tensor.address + 0x3ff0n }), "PTX3002", /reads 128 bytes/],
  ] as const)("ends the run: %#", (body, bytes, code, message) => {
    const { stop } = must(
      must(must(device.module(kernel(".param .align 64 .b8 map[128]", body))).kernel("k")).launch({ args: [bytes] }),
    );
    expect(stop.reason === "trap" && [stop.diagnostic.code, stop.diagnostic.message]).toEqual([
      code,
      expect.stringMatching(message),
    ]);
    expect(stop.reason === "trap" && stop.diagnostic.message).toMatch(/thread \(0,0,0\) of block \(0,0,0\)/);
  });
});

describe("multimem", () => {
  const body = `ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [out];
    multimem.red.relaxed.gpu.global.add.u32 [%rd1], 5; multimem.ld_reduce.global.add.u32 %r1, [%rd1];
    multimem.ld_reduce.global.max.s32 %r2, [%rd1+4]; multimem.ld_reduce.global.add.v2.f16x2 {%r3, %r4}, [%rd1+8];
    multimem.ld_reduce.global.add.acc::f32.f16x2 %r5, [%rd1+8]; multimem.st.global.v4.f32 [%rd1+16], {0f00000001, 0f40000000, 0f7fc00001, 0f3f800000};
    st.global.v4.b32 [%rd2], {%r1, %r2, %r3, %r4}; st.global.b32 [%rd2+16], %r5;`;

  it("works on each replica, in their order", () => {
    // 2048 in f16, and 0.5: added three times in f16 nothing is left of it, in f32 the half that rounds to even.
    const words = Uint32Array.from([7, 0xffff_fffe, 0x3800_6800, 0x4200_3c00, 1, 2, 3, 4]);
    const x = device.multicast(words, { devices: 3 });
    const out = device.buffer(new Uint8Array(20));
    const text = kernel(".param .u64 x, .param .u64 out", body);
    const { stop, findings } = must(must(must(device.module(text)).kernel("k")).launch({ args: [x, out] }));
    expect([stop.reason, findings]).toEqual(["exit", []]);
    expect(out.toBits("b32")).toEqual([36n, 0xffff_fffen, 0x3e00_6e00n, 0x4880_4200n, 0x3e00_6e00n]);
    for (const replica of x.replicas)
      expect(replica.toBits("b32")).toEqual([
        12n,
        0xffff_fffen,
        0x3800_6800n,
        0x4200_3c00n,
        1n,
        0x4000_0000n,
        0x7fc0_0001n,
        0x3f80_0000n,
      ]);
  });

  it("is a fault on ordinary memory, and so is an ordinary access to it", () => {
    const launch = (text: string, x: Buffer | ReturnType<Device["multicast"]>) => {
      const { stop } = must(must(must(device.module(kernel(".param .u64 x", text))).kernel("k")).launch({ args: [x] }));
      return stop.reason === "trap" ? `${stop.diagnostic.code} ${stop.diagnostic.message}` : stop.reason;
    };
    expect(launch("ld.param.u64 %rd1, [x]; multimem.st.global.u32 [%rd1], 1;", tensor)).toMatch(
      /^PTX3053 .*where there is no multimem memory/,
    );
    const x = device.multicast(16, { devices: 2 });
    expect(launch("ld.param.u64 %rd1, [x]; st.global.u32 [%rd1], 1;", x)).toMatch(
      /^PTX3002 .*which is a multimem address: only multimem instructions reach/,
    );
    expect(launch("ld.param.u64 %rd1, [x]; multimem.st.global.u32 [%rd1+16], 1;", x)).toMatch(/^PTX3053/);
  });
});
