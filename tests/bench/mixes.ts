/**
 * Loops of 16 instructions, 13 of one kind and 3 that count, for 1024 threads in four blocks: about three
 * million thread-instructions, beside which a launch costs little. Every thread stores what it has computed, so an interpreter that leaves something out is found.
 */
export const BLOCKS = 4;
export const THREADS = 256;
const TRIPS = 200;
/** Bytes of the buffer that is the only parameter: eight a thread. */
export const BYTES = BLOCKS * THREADS * 8;

interface Mix {
  /** Before the loop; `%r1` is the thread's index in the grid and `%rd1` the address of its eight bytes. */
  readonly before: string;
  readonly loop: string;
  readonly after: string;
}

const sources: Readonly<Record<string, Mix>> = {
  integer: {
    before: "mov.u32 %r4, 12345; mov.u32 %r5, 1;",
    loop: `
      mad.lo.u32 %r4, %r4, 1664525, %r1;
      xor.b32 %r6, %r4, %r5;
      shl.b32 %r7, %r6, 5;
      add.u32 %r5, %r5, %r7;
      shr.u32 %r7, %r5, 7;
      xor.b32 %r5, %r5, %r7;
      mul.lo.u32 %r6, %r6, %r5;
      setp.lt.u32 %p1, %r6, %r4;
      selp.b32 %r7, %r6, %r5, %p1;
      sub.u32 %r5, %r7, %r4;
      and.b32 %r6, %r5, 255;
      setp.ne.u32 %p2, %r6, 3;
      @%p2 add.u32 %r4, %r4, %r6;`,
    after: "st.global.u32 [%rd1], %r4; st.global.u32 [%rd1+4], %r5;",
  },
  // Every value stays near 1: nothing overflows, and no NaN or subnormal makes the loop another one.
  f32: {
    before: `cvt.rn.f32.u32 %f1, %r1; fma.rn.f32 %f1, %f1, 0f3A800000, 0f3F800000;
      mov.f32 %f2, 0f3F000000; mov.f32 %f3, 0f3F8CCCCD;`,
    loop: `
      mul.f32 %f4, %f1, 0f3F000000;
      fma.rn.f32 %f2, %f2, 0f3F400000, %f4;
      add.f32 %f5, %f4, 0f3E800000;
      sub.f32 %f6, %f2, %f5;
      mul.f32 %f6, %f6, 0f3E000000;
      fma.rn.f32 %f3, %f6, %f3, 0f3F8CCCCD;
      setp.lt.f32 %p1, %f2, %f3;
      add.f32 %f1, %f5, %f6;
      fma.rn.f32 %f4, %f3, 0f3E800000, %f1;
      mul.f32 %f5, %f4, %f3;
      fma.rn.f32 %f1, %f5, 0f3E800000, 0f3F000000;
      add.f32 %f1, %f1, %f6;
      @%p1 mul.f32 %f2, %f2, 0f3F600000;`,
    after: "st.global.f32 [%rd1], %f1; st.global.f32 [%rd1+4], %f2;",
  },
  f64: {
    before: `cvt.rn.f64.u32 %fd1, %r1; fma.rn.f64 %fd1, %fd1, 0d3F50000000000000, 0d3FF0000000000000;
      mov.f64 %fd2, 0d3FE0000000000000; mov.f64 %fd3, 0d3FF199999999999A;`,
    loop: `
      mul.f64 %fd4, %fd1, 0d3FE0000000000000;
      fma.rn.f64 %fd2, %fd2, 0d3FE8000000000000, %fd4;
      add.f64 %fd5, %fd4, 0d3FD0000000000000;
      sub.f64 %fd6, %fd2, %fd5;
      mul.f64 %fd6, %fd6, 0d3FC0000000000000;
      fma.rn.f64 %fd3, %fd6, %fd3, 0d3FF199999999999A;
      setp.lt.f64 %p1, %fd2, %fd3;
      add.f64 %fd1, %fd5, %fd6;
      fma.rn.f64 %fd4, %fd3, 0d3FD0000000000000, %fd1;
      mul.f64 %fd5, %fd4, %fd3;
      fma.rn.f64 %fd1, %fd5, 0d3FD0000000000000, 0d3FE0000000000000;
      add.f64 %fd1, %fd1, %fd6;
      @%p1 mul.f64 %fd2, %fd2, 0d3FEC000000000000;`,
    after: "st.global.f64 [%rd1], %fd1;",
  },
  addressing: {
    before: "mov.u32 %r4, 0;",
    loop: `
      and.b32 %r5, %r4, 1;
      mad.wide.u32 %rd3, %r5, 4, %rd1;
      ld.global.u32 %r6, [%rd3];
      add.u32 %r4, %r4, %r6;
      cvt.u64.u32 %rd4, %r5;
      shl.b64 %rd5, %rd4, 2;
      add.s64 %rd6, %rd1, %rd5;
      add.u32 %r4, %r4, 1;
      st.global.u32 [%rd6], %r4;
      mul.wide.u32 %rd7, %r5, 4;
      add.s64 %rd8, %rd1, %rd7;
      ld.global.u32 %r7, [%rd8];
      xor.b32 %r4, %r7, %r6;`,
    after: "st.global.u32 [%rd1], %r4;",
  },
  f16x2: {
    before: "or.b32 %r4, %r1, 0x3C003C00; mov.b32 %r5, 0x38003A00; mov.b32 %r8, 0x2E662E66; mov.b32 %r9, 0x38003800;",
    loop: `
      fma.rn.f16x2 %r6, %r4, %r5, %r8;
      add.f16x2 %r7, %r6, %r8;
      fma.rn.f16x2 %r4, %r7, %r5, %r6;
      mul.f16x2 %r4, %r4, %r9;
      fma.rn.f16x2 %r6, %r4, %r4, %r8;
      sub.f16x2 %r7, %r6, %r5;
      fma.rn.f16x2 %r5, %r7, %r8, %r5;
      fma.rn.f16x2 %r6, %r5, %r4, %r6;
      add.f16x2 %r4, %r6, %r8;
      fma.rn.f16x2 %r6, %r4, %r8, %r7;
      fma.rn.f16x2 %r5, %r6, %r8, %r9;
      mul.f16x2 %r4, %r4, %r9;
      fma.rn.f16x2 %r4, %r4, %r5, %r8;`,
    after: "st.global.u32 [%rd1], %r4; st.global.u32 [%rd1+4], %r5;",
  },
  "64-bit integer": {
    before: "cvt.u64.u32 %rd3, %r1; mov.u64 %rd4, 0x9E3779B97F4A7C15;",
    loop: `
      mad.lo.u64 %rd3, %rd3, 6364136223846793005, %rd4;
      shr.u64 %rd5, %rd3, 18;
      xor.b64 %rd5, %rd5, %rd3;
      shl.b64 %rd6, %rd5, 7;
      add.u64 %rd4, %rd4, %rd6;
      mul.hi.u64 %rd7, %rd5, %rd4;
      sub.u64 %rd4, %rd4, %rd7;
      setp.lt.u64 %p1, %rd3, %rd4;
      selp.b64 %rd5, %rd6, %rd7, %p1;
      or.b64 %rd5, %rd5, 1;
      mul.lo.u64 %rd4, %rd4, %rd5;
      min.u64 %rd6, %rd4, %rd3;
      xor.b64 %rd3, %rd3, %rd6;`,
    after: "st.global.u64 [%rd1], %rd3;",
  },
};

const text = ({ before, loop, after }: Mix): string => `
.version 8.0
.target sm_90
.address_size 64
.visible .entry mix(.param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b32 %r<10>;
  .reg .f32 %f<8>;
  .reg .f64 %fd<8>;
  .reg .b64 %rd<10>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r1, %r2, ${THREADS}, %r1;
  ld.param.u64 %rd1, [out];
  mul.wide.u32 %rd2, %r1, 8;
  add.s64 %rd1, %rd1, %rd2;
  mov.u32 %r3, 0;
  ${before}
LOOP:
  ${loop}
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p3, %r3, ${TRIPS};
  @%p3 bra LOOP;
  ${after}
  exit;
}`;

/** By name, a PTX module with one entry. */
export const mixes: ReadonlyMap<string, string> = new Map(
  Object.entries(sources).map(([name, mix]) => [name, text(mix)]),
);
