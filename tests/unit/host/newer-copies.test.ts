import { describe, expect, it } from "vitest";
import { Device, type LaunchOptions, must } from "../../../src/index.ts";

const settings: readonly LaunchOptions[] = [
  { async: { when: "late" } },
  { async: { when: "early" } },
  ...[1, 2, 3].map((seed): LaunchOptions => ({ async: { when: "random", seed } })),
];
const head = (target: string): string => `.version 9.4 .target ${target} .address_size 64
  .shared .align 128 .b32 tile[64]; .shared .align 8 .b64 bar;`;
const registers =
  ".reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .b16 %h<3>; .reg .pred %p<4>; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [out];";

function run(body: string, launch: LaunchOptions = {}, target = "sm_100a") {
  const device = new Device({ maxMemory: 4 << 20 });
  const x = device.multicast(
    Uint32Array.from({ length: 8 }, (_, at) => at + 1),
    { devices: 3 },
  );
  const out = device.buffer(new Uint32Array(8));
  const text = `${head(target)} .entry k(.param .u64 x, .param .u64 out) { ${registers} ${body} ret; }`;
  const { stop, findings } = must(must(must(device.module(text)).kernel("k")).launch({ args: [x, out], ...launch }));
  return {
    replicas: x.replicas.map((replica) => [...new Uint32Array(replica.read().buffer)]),
    words: [...new Uint32Array(out.read().buffer)],
    said: findings.map(({ code, message }) => `${code} ${message}`),
    fault: stop.reason === "trap" ? `${stop.diagnostic.code} ${stop.diagnostic.message}` : undefined,
  };
}
const fill = "st.shared.v4.b32 [tile], {10, 20, 30, 40}; fence.proxy.async.shared::cta;";
const done = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
const all = (...words: readonly number[]) => [words, words, words];

describe("bulk copies to a multimem address", () => {
  it.each([
    ["multimem.cp.async.bulk.global.shared::cta.bulk_group [%rd1+16], [tile], 16;", all(1, 2, 3, 4, 10, 20, 30, 40)],
    [
      "multimem.cp.async.bulk.relaxed.sys.global.shared::cta.bulk_group.b128 [%rd1], [tile], 16;",
      all(10, 20, 30, 40, 5, 6, 7, 8),
    ],
    [
      "multimem.cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd1], [tile], 16, 0xf00f;",
      all(10, 2, 3, 40, 5, 6, 7, 8),
    ],
    [
      "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [tile], 16;",
      all(11, 22, 33, 44, 5, 6, 7, 8),
    ],
    [
      "multimem.cp.reduce.async.bulk.relaxed.gpu.global.shared::cta.bulk_group.inc.u32 [%rd1], [tile], 16;",
      all(2, 3, 4, 5, 5, 6, 7, 8),
    ],
    // Subnormals stay.
    [
      "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f32 [%rd1], [tile], 16;",
      all(11, 22, 33, 44, 5, 6, 7, 8),
    ],
  ])("%s reaches each replica, whenever data move", (copy, replicas) => {
    for (const setting of settings) {
      const { said, fault, ...left } = run(`${fill} ${copy} ${done}`, setting);
      expect([setting, left.replicas, said, fault]).toEqual([setting, replicas, [], undefined]);
    }
  });

  const copy = "multimem.cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 16;";
  it("are found in flight by what touches their source, and at the end of a block that has not waited", () => {
    for (const setting of settings) {
      expect(run(`${fill} ${copy} st.shared.b32 [tile], 1; ${done}`, setting).said[0]).toMatch(/^PTX4021/);
      expect(run(`${fill} ${copy}`, setting).said[0]).toMatch(/^PTX4024/);
      expect(run(`st.shared.v4.b32 [tile], {1, 2, 3, 4}; ${copy} ${done}`, setting).said[0]).toMatch(/^PTX4025/);
    }
    const again = `${fill} ${copy} ${copy.replace("[%rd1]", "[%rd1+16]")}`;
    expect(run(`${again} ${done}`).said).toEqual([]);
    expect(
      run(
        `${fill} st.shared.v4.b32 [tile+16], {1, 2, 3, 4}; fence.proxy.async; ${copy} ${copy.replace("[tile]", "[tile+16]")} ${done}`,
      ).said[0],
    ).toMatch(/^PTX4022/);
  });

  it("are a fault elsewhere, or where the address is no multiple of 16", () => {
    expect(run(`${fill} ${copy.replace("%rd1", "%rd2")} ${done}`).fault).toMatch(/^PTX3053/);
    expect(run(`${fill} ${copy.replace("%rd1", "%rd1+24")} ${done}`).fault).toMatch(/^PTX3053/);
    expect(run(`${fill} ${copy.replace("%rd1", "%rd1+8")} ${done}`).fault).toMatch(/^PTX3001/);
  });
});

describe("asynchronous stores and reductions at a multimem address", () => {
  it("reach each replica, whenever data move", () => {
    for (const setting of settings) {
      const { replicas, said } = run(
        `multimem.st.async.release.gpu.global.b32 [%rd1], 9; multimem.red.async.release.sys.add.u32 [%rd1+4], 5;
         mov.b64 %rd3, 7; multimem.red.async.release.gpu.global.add.u64 [%rd1+8], %rd3; mov.b16 %h1, 0x1234;
         multimem.st.async.release.gpu.global.b16 [%rd1+16], %h1;`,
        setting,
      );
      expect([setting, replicas, said]).toEqual([setting, all(9, 7, 10, 4, 0x1234, 6, 7, 8), []]);
    }
  });

  it("are a fault on ordinary memory", () => {
    expect(run("multimem.st.async.release.gpu.global.b32 [%rd2], 9;").fault).toMatch(/^PTX3053/);
  });
});

describe("a mask of 32 bits", () => {
  const copy = (mask: string): string =>
    `mbarrier.init.shared::cta.b64 [bar], 1; fence.mbarrier_init.release.cluster; mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16; mov.u32 %r1, ${mask}; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster::32b [tile], [%rd2], 16, [bar], %r1; W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra W;`;
  it("names the blocks of a cluster, and all of its bits count", () => {
    expect(run(copy("1"), {}, "sm_107a")).toMatchObject({ said: [], fault: undefined });
    expect(run(copy("0x10001"), {}, "sm_107a").fault).toMatch(/copies to ranks 0x10001 of a cluster of 1/);
  });
});

describe("what overrides a tensor map", () => {
  const device = new Device({ maxMemory: 4 << 20 });
  const numbers = (from: number): Uint32Array => Uint32Array.from({ length: 4096 }, (_, at) => from + at);
  /** A copy of a 2D box of 4 x 2 elements, of the map's tensor or another one; both tensors have 64 elements a row. */
  function tensors(
    body: string,
    target = "sm_107a",
    dims: readonly number[] = [64, 64],
    box: readonly number[] = [4, 2],
  ) {
    const [tensor, other] = [device.buffer(numbers(0)), device.buffer(numbers(10_000))];
    const out = device.buffer(new Uint32Array(8));
    const map = device.tensorMap({ tensor, type: "u32", dims, box });
    const text = `${head(target)} .entry k(.param .align 64 .b8 map[128], .param .u64 other, .param .u64 out) {
      .reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .b16 %h<9>; .reg .b8 %b<9>; .reg .pred %p<4>;
      mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd2, [other]; ld.param.u64 %rd3, [out];
      mbarrier.init.shared::cta.b64 [bar], 1; fence.proxy.async.shared::cta; ${body} ret; }`;
    const { stop, findings } = must(must(must(device.module(text)).kernel("k")).launch({ args: [map, other, out] }));
    return {
      words: [...new Uint32Array(out.read().buffer)],
      tensor: new Uint32Array(tensor.read().buffer),
      other: new Uint32Array(other.read().buffer),
      said: findings.map(({ code }) => code),
      fault: stop.reason === "trap" ? `${stop.diagnostic.code} ${stop.diagnostic.message}` : undefined,
    };
  }
  const expecting = (bytes: number) => `mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], ${bytes};`;
  const show = `W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra W;
    ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [tile]; st.global.v4.b32 [%rd3], {%r1, %r2, %r3, %r4};
    ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [tile+16]; st.global.v4.b32 [%rd3+16], {%r1, %r2, %r3, %r4};`;
  const load = (words: string, place: string, dim = "2d") =>
    `${expecting(dim === "2d" ? 32 : 16)} cp.async.bulk.tensor.${dim}.shared::cta.global.tile.mbarrier::complete_tx::bytes${words} [tile], ${place}, [bar]; ${show}`;

  it("is another address, from where the map's box is taken", () => {
    const { words, said, fault } = tensors(load(".override::global_address", "[%rd1, %rd2, {1, 2}]"));
    expect([words, said, fault]).toEqual([
      [10_129, 10_130, 10_131, 10_132, 10_193, 10_194, 10_195, 10_196],
      [],
      undefined,
    ]);
  });

  it("are sizes and strides, by 8-bit and 16-bit registers, beside zeros as coordinates", () => {
    const sizes = "mov.b16 %h1, 0x7703; mov.b16 %h2, 2; mov.u32 %r9, 2; mov.b16 %h3, 0;";
    const all = ".override::global_address.override::global_dim_stride";
    const { words, said, fault } = tensors(`${sizes} ${load(all, "[%rd1, %rd2, {%h1, %h2}, {%r9}, %h3, {0, 0}]")}`);
    // Three columns of a row of 8 elements (32 bytes are two units of 16): the fourth is outside of the tensor.
    expect([words, said, fault]).toEqual([[10_000, 10_001, 10_002, 0, 10_008, 10_009, 10_010, 0], [], undefined]);
    const bytes = "cvt.u8.u32 %b1, 3; cvt.u8.u32 %b2, 1; mov.u32 %r9, 2; mov.b16 %h3, 0;";
    expect(
      tensors(
        `mov.u32 %r5, 3; mov.u32 %r6, 1; cvt.u8.u32 %b1, %r5; cvt.u8.u32 %b2, %r6; ${bytes.slice(bytes.indexOf("mov"))} ${load(all, "[%rd1, %rd2, {%b1, %b2}, {%r9}, %h3, {0, 0}]")}`,
      ).words,
    ).toEqual([10_000, 10_001, 10_002, 0, 0, 0, 0, 0]);
  });

  it("is the size of a tensor of one dimension", () => {
    const { words, fault } = tensors(
      `mov.b16 %h1, 2; ${load(".override::global_address.override::global_dim", "[%rd1, %rd2, {%h1}, {0}]", "1d")}`,
      "sm_107f",
      [64],
      [4],
    );
    expect([words.slice(0, 4), fault]).toEqual([[10_000, 10_001, 0, 0], undefined]);
  });

  it("holds for stores and reductions", () => {
    const fill =
      "st.shared.v4.b32 [tile], {1, 2, 3, 4}; st.shared.v4.b32 [tile+16], {5, 6, 7, 8}; fence.proxy.async.shared::cta;";
    const { other, tensor, fault } = tensors(`${fill}
      cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.override::global_address [%rd1, %rd2, {0, 0}], [tile];
      cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
      cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group.override::global_address [%rd1, %rd2, {0, 0}], [tile];
      cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;`);
    expect([[...other.slice(0, 5)], [...other.slice(64, 68)], [...tensor.slice(0, 4)], fault]).toEqual([
      [2, 4, 6, 8, 10_004],
      [10, 12, 14, 16],
      [0, 1, 2, 3],
      undefined,
    ]);
  });

  it.each([
    [
      load(".override::global_address", "[%rd1, %rd4, {0, 0}]"),
      "add.u64 %rd4, %rd2, 8;",
      /^PTX3052 .*a multiple of 16|^PTX3052 .*address/,
    ],
    [load(".override::global_address", "[%rd1, %rd4, {0, 0}]"), "mov.b64 %rd4, 0x10000;", /^PTX3002/],
    [
      load(".override::global_address.override::global_dim_stride", "[%rd1, %rd2, {%h1, %h1}, {%r9}, %h3, {1, 0}]"),
      "mov.b16 %h1, 4; mov.b16 %h3, 0; mov.u32 %r9, 2;",
      /^PTX3052 .*coordinates are not all 0/,
    ],
    [
      load(".override::global_address.override::global_dim_stride", "[%rd1, %rd2, {%h3, %h1}, {%r9}, %h3, {0, 0}]"),
      "mov.b16 %h1, 4; mov.b16 %h3, 0; mov.u32 %r9, 2;",
      /^PTX3052 .*dimension 0 has 0 elements/,
    ],
  ])("that is not sound ends the run: %#", (copy, before, says) => {
    expect(tensors(`${before} ${copy}`).fault).toMatch(says);
  });
});

describe("cp.reduce.async.bulk.tensor", () => {
  it.each([
    ["f32", [2, 0x0080_0000]],
    ["f32.ftz", [0, 0]],
  ] as const)("adds subnormals of %s", (type, sums) => {
    const device = new Device({ maxMemory: 4 << 20 });
    const tensor = device.buffer(Uint32Array.of(1, 0x007f_ffff, 0, 0));
    const map = device.tensorMap({ tensor, type, dims: [4], box: [4] });
    const text = `${head("sm_90a")} .entry k(.param .align 64 .b8 map[128]) {
      .reg .b64 %rd<2>; mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1;
      st.shared.v4.b32 [tile], {1, 1, 0, 0}; fence.proxy.async.shared::cta;
      cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%rd1, {0}], [tile]; ${done} ret; }`;
    const { stop, findings } = must(must(must(device.module(text)).kernel("k")).launch({ args: [map] }));
    expect([stop.reason, findings, [...new Uint32Array(tensor.read().buffer)]]).toEqual(["exit", [], [...sums, 0, 0]]);
  });

  it("begins before the tensor with .tile::scatter4 on sm_107 alone", () => {
    const stored = (target: string): readonly unknown[] => {
      const device = new Device({ maxMemory: 4 << 20 });
      const tensor = device.buffer(Uint32Array.from({ length: 16 }, (_, at) => at));
      const map = device.tensorMap({ tensor, type: "u32", dims: [4, 4], box: [4, 1] });
      const text = `${head(target)} .entry k(.param .align 64 .b8 map[128]) {
        .reg .b64 %rd<2>; mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1;
        st.shared.v4.b32 [tile], {90, 91, 92, 93}; st.shared.v4.b32 [tile+16], {80, 81, 82, 83};
        st.shared.v4.b32 [tile+32], {70, 71, 72, 73}; st.shared.v4.b32 [tile+48], {60, 61, 62, 63}; fence.proxy.async.shared::cta;
        cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%rd1, {-1, -1, 2, 7, 0}], [tile]; ${done} ret; }`;
      const { stop } = must(must(must(device.module(text)).kernel("k")).launch({ args: [map] }));
      return stop.reason === "trap" ? [stop.diagnostic.message] : [...new Uint32Array(tensor.read().buffer)];
    };
    // Of each row the first element is left out, and of row -1 and row 7 all are.
    expect(stored("sm_107a")).toEqual([61, 62, 63, 3, 4, 5, 6, 7, 81, 82, 83, 11, 12, 13, 14, 15]);
    expect(stored("sm_100a")[0]).toMatch(/a store begins at the coordinate -1/);
  });
});

describe("im2col_no_offs::w", () => {
  const columns = { lower: [0], upper: [0], channels: 8, pixels: 4, wide: true } as const;
  it("stores pixels along W, as im2col::w without halo and offset loads them", () => {
    const device = new Device({ maxMemory: 4 << 20 });
    const tensor = device.buffer(Uint32Array.from({ length: 16 * 8 * 2 }, (_, at) => at));
    const map = device.tensorMap({ tensor, type: "u32", dims: [16, 8, 2], im2col: columns, swizzle: "128B" });
    const text = `${head("sm_107a").replace("tile[64]", "tile[256]").replace("128 .b32", "1024 .b32")} .entry k(.param .align 64 .b8 map[128]) {
      .reg .b64 %rd<3>; .reg .pred %p<3>; mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1;
      mbarrier.init.shared::cta.b64 [bar], 1; fence.proxy.async.shared::cta; mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
      cp.async.bulk.tensor.3d.shared::cta.global.im2col::w.mbarrier::complete_tx::bytes [tile], [%rd1, {0, 2, 0}], [bar], {0, 0};
      W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra W;
      cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs::w.bulk_group [%rd1, {8, 0, 1}], [tile];
      cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret; }`;
    const { stop, findings } = must(must(must(device.module(text)).kernel("k")).launch({ args: [map] }));
    expect([stop.reason === "trap" ? stop.diagnostic.message : stop.reason, findings]).toEqual(["exit", []]);
    const after = new Uint32Array(tensor.read().buffer);
    // Channels 0 to 7 of pixels 2 to 5 of image 0 are now channels 8 to 15 of pixels 0 to 3 of image 1.
    for (let at = 0; at < 256; at++) {
      const [channel, pixel, image] = [at % 16, (at >> 4) % 8, at >> 7];
      const moved = image === 1 && channel >= 8 && pixel < 4;
      expect([at, after[at]]).toEqual([at, moved ? channel - 8 + 16 * (pixel + 2) : at]);
    }
  });
});

describe("fabric", () => {
  const put =
    "fabric.try_put.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.b128 [%r1, %rd1], [tile], 16, [bar];";
  it("is checked, and a run ends at an operation on an endpoint", () => {
    expect(run(put).fault).toMatch(/^PTX5001 .*fabric.try_put/);
  });
  it("has nothing to submit and to wait for before", () => {
    expect(run("fabric.submit; fabric.wait.sync_restrict::reads; st.global.b32 [%rd2], 7;").words[0]).toBe(7);
  });
});

describe("the order of a bulk store", () => {
  /** Block 0 stores by a bulk copy and waits for it; block 1 stores to the same words with a scope of the device. */
  const races = (words: string, type: string): readonly string[] => {
    const device = new Device({ maxMemory: 4 << 20 });
    const out = device.buffer(new Uint32Array(8));
    const text = `${head("sm_100a")} .entry k(.param .u64 out) {
      .reg .b64 %rd<3>; .reg .b32 %r<3>; .reg .pred %p<3>; ld.param.u64 %rd1, [out];
      mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra S;
      ${fill} cp.async.bulk${words}.global.shared::cta.bulk_group${type} [%rd1], [tile], 16; ${done} ret;
      S: st.relaxed.gpu.global.b32 [%rd1], 1; ret; }`;
    const kernel = must(must(device.module(text)).kernel("k"));
    const { findings } = must(
      kernel.launch({ grid: 2, args: [out], sanitize: { mem: true, init: false, race: true } }),
    );
    return findings.map(({ code }) => code);
  };
  it("makes a race of it, unless it is strong enough", () => {
    expect(races("", "")).toEqual(["PTX4002"]);
    expect(races(".weak", "")).toEqual(["PTX4002"]);
    expect(races(".relaxed.cta", ".b128")).toEqual(["PTX4002"]);
    expect(races(".relaxed.gpu", ".b128")).toEqual([]);
    expect(races(".relaxed.sys", ".b128")).toEqual([]);
  });
});
