import { describe, expect, test } from "vitest";
import { runKernel } from "./on-device.ts";

describe("what cannot go on is a fault", () => {
  const fault = (body: string, threads: number, launch: object = {}) => {
    const { diagnostic } = runKernel(body, threads, { launch: { block: threads, ...launch } });
    const related = (diagnostic?.related ?? []).map(({ message }) => message);
    return { code: diagnostic?.code, message: diagnostic?.message, related };
  };
  const ways = (body: string, threads: number, maxSteps?: number) => {
    const launch = { block: threads, ...(maxSteps && { maxSteps }), sanitize: { mem: true, init: false } };
    const { diagnostic } = runKernel(body, threads, { launch, module: ".shared .u32 flag;" });
    return [diagnostic?.message, ...(diagnostic?.related ?? []), ...(diagnostic?.help ?? [])].map((each) =>
      typeof each === "object" ? each.message : each,
    );
  };

  test("an aligned barrier in divergent code", () => {
    const body = "setp.lt.u32 %p1, %lane, 16; @%p1 bra A; bar.sync 0; ret; A: bar.sync 0; ret;";
    expect(fault(body, 64)).toEqual({
      code: "PTX3010",
      message:
        "bar.sync is executed by only part of the warp, and the others wait elsewhere, in thread (16,0,0) of block (0,0,0)",
      related: [
        "lanes 16 to 31 of warp 0, block (0,0,0), wait at barrier 0",
        "lanes 0 to 15 of warp 0, block (0,0,0), wait at barrier 0",
      ],
    });
  });

  test("an aligned barrier that waits for lanes that wait for others", () => {
    const body = "setp.eq.u32 %p1, %lane, 3; @%p1 bra A; bar.sync 0; ret; A: bar.warp.sync -1; ret;";
    expect(fault(body, 32)).toMatchObject({
      code: "PTX3010",
      related: [
        "lanes 0 to 2, 4 to 31 of warp 0, block (0,0,0), wait at barrier 0",
        "lane 3 of warp 0, block (0,0,0), wait at bar.warp.sync for the lanes of 0xffffffff",
      ],
    });
  });

  test("a barrier that too few come to", () => {
    expect(fault("bar.sync 2, 96; ret;", 64)).toEqual({
      code: "PTX3011",
      message: "bar.sync waits forever: barrier 2 needs 96 threads, and the block has 64: 64 have arrived",
      related: ["lanes 0 to 31 of warps 0 to 1, block (0,0,0), wait at barrier 2"],
    });
  });

  test("a count that the block does not have, and threads that have exited", () => {
    expect(ways("setp.lt.u32 %p1, %lane, 16; @%p1 bra A; barrier.sync 1, 64; A: ret;", 32)).toEqual([
      "barrier.sync waits forever: barrier 1 needs 64 threads, and the block has 32: 16 have arrived, 16 have exited",
      "lanes 16 to 31 of warp 0, block (0,0,0), wait at barrier 1",
      "64 threads never come to barrier 1 in a block of 32: lower its count, or launch larger blocks",
      "threads that exit do not arrive at barrier 1: have them come to it first, or leave them out of its count",
    ]);
  });

  test("two barriers in crossing order", () => {
    const body =
      "setp.lt.u32 %p1, %me, 32; @%p1 bra A; bar.sync 1, 64; bar.sync 2, 64; ret; A: bar.sync 2, 64; bar.sync 1, 64; ret;";
    const [message, , , help] = ways(body, 64);
    expect(message).toBe(
      "bar.sync waits forever: barrier 2 needs 64 threads: 32 have arrived, 32 wait at barrier 1; barrier 1 needs 64 threads: 32 have arrived, 32 wait at barrier 2",
    );
    expect(help).toContain("threads at barriers 2 and 1 wait for each other");
  });

  test("lanes that wait at a barrier for lanes that poll", () => {
    const body = `setp.lt.u32 %p1, %me, 16; @%p1 bra A;
  S: ld.volatile.shared.u32 %r1, [flag]; setp.eq.u32 %p2, %r1, 0; @%p2 bra S; A: barrier.sync 0; ret;`;
    expect(ways(body, 32, 10_000)).toEqual([
      "stopped after 10000 steps, the limit: thread (16,0,0) of block (0,0,0) is at setp.eq.u32",
      "the loop reads this again and again: 0x0, the start of flag",
      "lanes 0 to 15 of warp 0, block (0,0,0), wait at barrier 0 for 16 more threads",
      "barrier 0 waits for this thread too: what it loops for must not come after that barrier",
      "a thread that does not wait itself has to write 0x0, the start of flag: the loop does nothing but read it",
      "to let it run longer, allow more: --max-steps 100K",
    ]);
  });

  test("different barriers, in more groups than the message lists", () => {
    const found = fault("shr.u32 %r1, %me, 5; bar.sync %r1; ret;", 512, { grid: 2 });
    expect(found.code).toBe("PTX3011");
    expect(found.message).toContain("all 1024 threads of 2 blocks wait");
    expect(found.related).toHaveLength(13);
    expect(found.related[12]).toBe("and 20 more groups of lanes");
  });

  test("lanes that wait for lanes that wait elsewhere", () => {
    const body = `setp.lt.u32 %p1, %lane, 16; @%p1 bra A;
  shfl.sync.idx.b32 %r1, %r2, 0, 31, -1; ret; A: vote.sync.all.pred %p2, 1, -1; ret;`;
    expect(fault(body, 32)).toMatchObject({ code: "PTX3011", related: [{}, {}] });
  });

  test("a lane outside its own membermask", () => {
    expect(fault("shfl.sync.idx.b32 %r1, %me, 0, 31, 0xffff; ret;", 32)).toMatchObject({
      code: "PTX3013",
      message:
        "shfl.sync.idx.b32 is executed by a lane outside its membermask 0x0000ffff, in thread (16,0,0) of block (0,0,0)",
    });
  });

  test.each([
    ["mov.u32 %r1, 16; bar.sync %r1;", "names barrier 16, and a block has 0 to 15"],
    ["mov.u32 %r1, 33; bar.sync 0, %r1;", "waits for 33 threads, which is not a multiple of 32"],
    ["mov.u32 %r1, 0; bar.arrive 0, %r1;", "arrives without a count"],
    [
      "shr.u32 %r1, %me, 5; add.u32 %r1, %r1, 2; shl.b32 %r1, %r1, 5; bar.sync 0, %r1;",
      "waits for 96 threads at barrier 0, where others wait for 64",
    ],
    [
      "setp.lt.u32 %p1, %me, 32; @%p1 bra A; bar.sync 0; A: bar.red.or.pred %p2, 0, %p1;",
      "meets another kind of barrier instruction at barrier 0",
    ],
    ["bar.arrive 0, 96; bar.sync 0, 96;", "arrives at barrier 0 again before the others have completed it"],
    ["barrier.cluster.wait;", "waits without having arrived"],
    ["barrier.cluster.arrive; barrier.cluster.arrive;", "arrives twice without a barrier.cluster.wait between"],
  ])("%s", (instructions, says) => {
    const { code, message } = fault(`${instructions} ret;`, 96);
    expect([code, message]).toEqual(["PTX3012", expect.stringContaining(says)]);
  });
});
