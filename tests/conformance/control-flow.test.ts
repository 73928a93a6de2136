import { describe, expect, it } from "vitest";
import { Device, type Extent, must } from "../../src/index.ts";

/** Runs a body of which every thread stores %r0 at its linear index; gives what was stored, a word a thread. */
function run(body: string, { grid = 1, block = 1 }: { grid?: Extent; block?: Extent }, threads: number): number[] {
  const device = new Device({ maxMemory: 2 ** 20 });
  const text = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<4>;
  .shared .align 4 .b32 tile[64]; .local .align 4 .b32 own[4];
  mov.u32 %r10, %tid.x; mov.u32 %r11, %tid.y; mov.u32 %r12, %tid.z;
  mov.u32 %r13, %ntid.x; mov.u32 %r14, %ntid.y; mov.u32 %r15, %ntid.z;
  mad.lo.u32 %r11, %r12, %r14, %r11; mad.lo.u32 %r10, %r11, %r13, %r10;
  mul.lo.u32 %r13, %r13, %r14; mul.lo.u32 %r13, %r13, %r15;
  mov.u32 %r14, %ctaid.x; mov.u32 %r15, %ctaid.y; mov.u32 %r12, %nctaid.x; mad.lo.u32 %r14, %r15, %r12, %r14;
  mad.lo.u32 %r11, %r14, %r13, %r10;
  ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r11, 4; add.u64 %rd1, %rd1, %rd2;
  mov.u32 %r0, 0;
  // %r10: the thread in its block; %r11: the thread in the grid; %r14: the block.
  ${body}
  st.global.u32 [%rd1], %r0;
  ret;
}
`;
  const out = device.buffer(new Uint32Array(threads));
  const { stop, findings } = must(must(must(device.module(text)).kernel("k")).launch({ grid, block, args: [out] }));
  expect([stop, findings]).toEqual([{ reason: "exit" }, []]);
  return out.toArray("u32").map(Number);
}

const upTo = (count: number, value: (thread: number) => number): number[] =>
  Array.from({ length: count }, (_, at) => value(at));

describe("lanes that go apart", () => {
  it("leave a loop after trips of their own", () => {
    const collatz = (start: number): number => {
      let steps = 0;
      for (let n = start; n !== 1; steps++) n = n % 2 === 0 ? n / 2 : 3 * n + 1;
      return steps;
    };
    const body = `add.u32 %r1, %r11, 1;
  LOOP: setp.eq.u32 %p1, %r1, 1; @%p1 bra DONE;
  and.b32 %r2, %r1, 1; setp.eq.u32 %p2, %r2, 0; @%p2 bra EVEN;
  mad.lo.u32 %r1, %r1, 3, 1; bra.uni NEXT;
  EVEN: shr.u32 %r1, %r1, 1;
  NEXT: add.u32 %r0, %r0, 1; bra LOOP;
  DONE:`;
    expect(run(body, { block: 100 }, 100)).toEqual(upTo(100, (thread) => collatz(thread + 1)));
  });

  it("run loops within loops within branches", () => {
    const body = `and.b32 %r1, %r10, 3; setp.lt.u32 %p1, %r1, 2; @%p1 bra FEW;
  mov.u32 %r2, %r1;
  OUTER: mov.u32 %r3, %r2;
  INNER: add.u32 %r0, %r0, 1; sub.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0; @%p2 bra INNER;
  sub.u32 %r2, %r2, 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra OUTER;
  bra ALL;
  FEW: setp.eq.u32 %p3, %r1, 0; @%p3 bra ALL; mov.u32 %r0, 100;
  ALL: add.u32 %r0, %r0, 1000;`;
    const expected = [1000, 1100, 1003, 1006];
    expect(run(body, { block: 64 }, 64)).toEqual(upTo(64, (thread) => expected[thread % 4] ?? -1));
  });

  it("exit or return from within, and the others go on", () => {
    const body = `mov.u32 %r0, 1; and.b32 %r1, %r10, 3;
  setp.eq.u32 %p1, %r1, 0; @%p1 exit;
  setp.eq.u32 %p1, %r1, 1; @!%p1 bra ON;
  mov.u32 %r0, 2; st.global.u32 [%rd1], %r0; ret;
  ON: setp.eq.u32 %p2, %r1, 2; @%p2 ret; add.u32 %r0, %r0, 6;`;
    const expected = [0, 2, 0, 7];
    expect(run(body, { block: 40 }, 40)).toEqual(upTo(40, (thread) => expected[thread % 4] ?? -1));
  });
});

describe("blocks and grids", () => {
  it.each([1, 2, 31, 32, 33, 63, 64, 65, 255, 1000, 1023, 1024])("a block of %d threads", (threads) => {
    const body = "mov.u32 %r1, %laneid; mov.u32 %r2, %warpid; mad.lo.u32 %r0, %r2, 100, %r1;";
    expect(run(body, { block: threads }, threads)).toEqual(
      upTo(threads, (thread) => 100 * Math.floor(thread / 32) + (thread % 32)),
    );
  });

  it.each<[number, number, number]>([
    [1, 1, 64],
    [7, 5, 3],
    [32, 32, 1],
    [2, 8, 64],
    [1, 1024, 1],
  ])("a block of %d by %d by %d", (x, y, z) => {
    const body = `mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
  mad.lo.u32 %r0, %r2, 100, %r1; mad.lo.u32 %r0, %r3, 200000, %r0;`;
    expect(run(body, { block: [x, y, z] }, x * y * z)).toEqual(
      upTo(x * y * z, (thread) => {
        const [tx, ty, tz] = [thread % x, Math.floor(thread / x) % y, Math.floor(thread / (x * y))];
        return tx + 100 * ty + 200_000 * tz;
      }),
    );
  });

  it("3000 blocks use the same memory one after the other, and none sees another's", () => {
    const body = `mul.wide.u32 %rd2, %r10, 4; cvt.u32.u64 %r1, %rd2; mov.u32 %r2, tile; add.u32 %r2, %r2, %r1;
  st.shared.u32 [%r2], %r14; st.local.u32 [own+4], %r10;
  ld.shared.u32 %r3, [%r2]; ld.local.u32 %r4, [own+4]; mad.lo.u32 %r0, %r3, 64, %r4;`;
    expect(run(body, { grid: [60, 50], block: 33 }, 99_000)).toEqual(
      upTo(99_000, (thread) => 64 * Math.floor(thread / 33) + (thread % 33)),
    );
  });
});

describe("special registers that tell the time or the place", () => {
  it("count on, and say the same again in the next run", () => {
    const body = `mov.u32 %r1, %clock; mov.u64 %rd3, %globaltimer; mov.u32 %r2, %clock; sub.u32 %r0, %r2, %r1;
  setp.lt.u64 %p1, %rd3, 1; selp.b32 %r3, 1000, 0, %p1; add.u32 %r0, %r0, %r3;
  mov.u32 %r4, %smid; mov.u32 %r5, %nsmid; setp.ge.u32 %p1, %r4, %r5; selp.b32 %r3, 1000, 0, %p1; add.u32 %r0, %r0, %r3;`;
    const first = run(body, { grid: 3, block: 64 }, 192);
    expect(first).toEqual(upTo(192, () => 2));
    expect(run(body, { grid: 3, block: 64 }, 192)).toEqual(first);
  });
});
