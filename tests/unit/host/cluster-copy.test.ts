import { describe, expect, it } from "vitest";
import { Device, type LaunchOptions, must } from "../../../src/index.ts";

const head = `.version 8.8 .target sm_100a .address_size 64
  .shared .align 128 .b32 tile[64]; .shared .align 16 .b64 answer[2]; .shared .align 8 .b64 bar;`;
const registers = ".reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .b16 %h<3>; .reg .pred %p<4>; .reg .b128 %rq<2>;";
/** `%rd1`: in, `%rd2`: this block's eight words of out, `%r1`: rank. */
const begin = `${registers} ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %cluster_ctarank;
  mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd3, %r2, 32; add.u64 %rd2, %rd2, %rd3;
  mbarrier.init.shared::cta.b64 [bar], 1; fence.mbarrier_init.release.cluster;`;
const meet = "barrier.cluster.arrive; barrier.cluster.wait;";
const wait = (parity = 0): string =>
  `W${parity}: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], ${parity}; @!%p1 bra W${parity};`;
const show = "ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [tile]; st.global.v4.b32 [%rd2], {%r3, %r4, %r5, %r6};";

function run(body: string, blocks: number, launch: LaunchOptions = {}) {
  const device = new Device({ maxMemory: 4 << 20 });
  const given = device.buffer(Uint32Array.from({ length: 256 }, (_, at) => at + 1));
  const out = device.buffer(new Uint8Array(32 * blocks));
  const text = `${head} .entry k(.param .u64 in, .param .u64 out) { ${begin} ${body} ret; }`;
  const done = must(
    must(must(device.module(text)).kernel("k")).launch({ grid: blocks, args: [given, out], ...launch }),
  );
  const words = [...new Uint32Array(out.read().buffer)];
  const said = done.findings.map(({ code }) => code);
  return { words, said, fault: done.stop.reason === "trap" ? done.stop.diagnostic : undefined };
}
const rows = (words: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: words.length / 8 }, (_, at) => words.slice(8 * at, 8 * at + 4));

describe("copies within a cluster", () => {
  it("multicast gives each block of the mask the same bytes, at the same place, and tells its own barrier", () => {
    const expect16 = "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;";
    const { words, said } = run(
      `setp.eq.u32 %p2, %r1, 2; @!%p2 ${expect16} ${meet} setp.eq.u32 %p1, %r1, 1;
       @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [tile], [%rd1+16], 16, [bar], 0xb;
       @%p2 bra E; ${wait()} ${show} E: ${meet}`,
      4,
      { cluster: 4 },
    );
    expect([rows(words), said]).toEqual([
      [
        [5, 6, 7, 8],
        [5, 6, 7, 8],
        [0, 0, 0, 0],
        [5, 6, 7, 8],
      ],
      [],
    ]);
  });

  it("a mask with a rank that the cluster has not is a fault, and so is an empty one", () => {
    const copy = (mask: number): string =>
      `cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [tile], [%rd1], 16, [bar], ${mask};`;
    expect(run(copy(5), 2, { cluster: 2 }).fault?.message).toMatch(
      /copies to ranks 0x5 of a cluster of 2, in thread \(0,0,0\)/,
    );
    expect(run(copy(0), 2, { cluster: 2 }).fault?.code).toBe("PTX3050");
  });

  it("a copy and a reduction to the next block's shared memory arrive there", () => {
    const remote =
      "add.u32 %r7, %r1, 1; and.b32 %r7, %r7, 1; mov.u32 %r8, tile; mapa.shared::cluster.u32 %r9, %r8, %r7; mov.u32 %r8, bar; mapa.shared::cluster.u32 %r10, %r8, %r7;";
    const fill =
      "mul.lo.u32 %r3, %r1, 10; add.u32 %r4, %r3, 1; st.shared.v4.b32 [tile+64], {%r3, %r4, %r3, %r4}; st.shared.v4.b32 [tile], {1, 1, 1, 1}; fence.proxy.async.shared::cta;";
    const go = (copy: string): string =>
      `${fill} ${remote} mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16; ${meet} ${copy} ${wait()} ${show} ${meet}`;
    const source = "mov.u32 %r11, tile; add.u32 %r11, %r11, 64;";
    const copied = run(
      go(`${source} cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r9], [%r11], 16, [%r10];`),
      2,
      { cluster: 2 },
    );
    expect([rows(copied.words), copied.said]).toEqual([
      [
        [10, 11, 10, 11],
        [0, 1, 0, 1],
      ],
      [],
    ]);
    const added = run(
      go(
        `${source} cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r9], [%r11], 16, [%r10];`,
      ),
      2,
      { cluster: 2 },
    );
    expect([rows(added.words), added.said]).toEqual([
      [
        [11, 12, 11, 12],
        [1, 2, 1, 2],
      ],
      [],
    ]);
    const own = run(
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [tile], [tile], 16, [bar];",
      1,
    );
    expect(own.fault?.message).toMatch(/in the shared memory of its own block; this copy is for another one/);
  });
});

describe("cluster launch control", () => {
  const ask = (all: string) =>
    `clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes${all}.b128 [answer], [bar];`;
  const expect16 = "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;";
  /** Takes blocks away one after the other, and writes 1 for each that it works for. */
  const persistent = `ld.param.u64 %rd2, [out]; mov.u32 %r12, %ctaid.x; mov.u32 %r13, 0;
    L: mul.wide.u32 %rd3, %r12, 32; add.u64 %rd3, %rd3, %rd2; atom.global.add.u32 %r3, [%rd3], 1;
    ${expect16} ${ask("")}
    V: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], %r13; @!%p1 bra V; xor.b32 %r13, %r13, 1;
    ld.shared.b128 %rq0, [answer]; fence.proxy.async.shared::cta;
    clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %rq0;
    @!%p2 bra D; clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r12, %rq0; bra L; D:`;

  it("each block of the grid is worked for once, whoever begins", () => {
    for (const launch of [{}, { schedule: { seed: 1 } }, { schedule: { seed: 2 } }]) {
      const { words, said } = run(persistent, 40, launch);
      expect([rows(words).map(([first]) => first), said]).toEqual([Array.from({ length: 40 }, () => 1), []]);
    }
  });

  it("with ::all each block of the cluster gets the ctaid of the first block of another", () => {
    const { words, said } = run(
      `${expect16} ${meet} setp.eq.u32 %p2, %r1, 0; @%p2 ${ask(".multicast::cluster::all")} ${wait()}
       ld.shared.b128 %rq0, [answer]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, %rq0;
       @%p3 clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r3, %r4, %r5, _}, %rq0;
       @!%p3 mov.u32 %r3, 99; st.global.b32 [%rd2], %r3; ${meet}`,
      6,
      { cluster: 2 },
    );
    // The first cluster takes the second away, so that its blocks write nothing; for the third none is left.
    expect([rows(words).map(([first]) => first), said]).toEqual([[2, 2, 0, 0, 99, 99], []]);
  });

  it("to ask for the ctaid of no cluster is a finding", () => {
    const { said } = run(
      `${expect16} ${ask("")} ${wait()} ld.shared.b128 %rq0, [answer]; clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r3, %rq0;`,
      1,
    );
    expect(said).toEqual(["PTX4041"]);
  });
});
