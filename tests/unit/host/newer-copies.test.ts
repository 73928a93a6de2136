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

it("a copy that reports on its data is checked and not executed", () => {
  expect(
    run(
      "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.mbarrier::report::validity::per_16bytes::8000 [tile], [%rd2], 16, [bar];",
      {},
      "sm_107a",
    ).fault,
  ).toMatch(/^PTX5001/);
});
