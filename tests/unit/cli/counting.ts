import { World } from "./world.ts";

/**
 * A world with `count.ptx`: each thread counts for a while and adds that to its word, then does `end`, with what it has
 * counted in %r5, its block in %r1 and the buffer in %rd1. `parameter`: a second one besides the buffer, `load`: how it is
 * loaded; `turns`: how often each thread goes round.
 */
export const countingWorld = (parameter: string, load: string, end: string, turns: number = 30_000): World =>
  new World().write(
    "count.ptx",
    `.version 8.0
.target sm_80
.address_size 64
.visible .entry count(.param .u64 x, ${parameter})
{
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [x];
  ${load}
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;
  mov.u32 %r5, 0;
L: mad.lo.u32 %r5, %r5, 3, %r4;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p1, %r6, ${turns};
  @%p1 bra L;
  ld.global.u32 %r8, [%rd3]; add.u32 %r8, %r8, %r5; st.global.u32 [%rd3], %r8;
  ${end}
  ret;
}
`,
  );

/** Launches it, with one word for each thread; further arguments follow. */
export const counting: readonly string[] = [
  ...["count.ptx", "--grid", "512", "--block", "64", "-a", "u32x32768:iota", "--max-steps", "1000M", "-v", "--json"],
];
