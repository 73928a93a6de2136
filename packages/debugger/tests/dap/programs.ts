/** Lines are counted by tests: the numbers stand behind the instructions. */

/** Adds up what its threads read, through a function and shared memory. */
export const walk = `.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 total = 7;
.const .align 4 .u32 table[4] = {1, 2, 3, 4};
.func (.param .u32 out) twice(.param .u32 in)
{
  .reg .u32 %t<3>;
  ld.param.u32 %t1, [in]; // 9
  add.u32 %t2, %t1, %t1; // 10
  st.param.u32 [out], %t2; // 11
  ret; // 12
}
.visible .entry walk(.param .u64 x, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .u32 %r<9>;
  .reg .u64 %rd<4>;
  .shared .align 4 .u32 tile[32];
  mov.u32 %r1, %tid.x; // 20
  ld.param.u64 %rd1, [x]; // 21
  mul.wide.u32 %rd2, %r1, 4; // 22
  add.u64 %rd1, %rd1, %rd2; // 23
  ld.global.u32 %r2, [%rd1]; // 24
  mov.u32 %r3, 0; // 25
  mov.u32 %r4, 0; // 26
again:
  add.u32 %r3, %r3, %r2; // 28
  add.u32 %r4, %r4, 1; // 29
  setp.lt.u32 %p1, %r4, 3; // 30
  @%p1 bra again; // 31
  {
    .param .u32 a;
    .param .u32 b;
    st.param.u32 [a], %r3; // 35
    call.uni (b), twice, (a); // 36
    ld.param.u32 %r5, [b]; // 37
  }
  mov.u32 %r6, tile; // 39
  mad.lo.u32 %r6, %r1, 4, %r6; // 40
  st.shared.u32 [%r6], %r5; // 41
  bar.sync 0; // 42
  st.global.u32 [%rd1], %r5; // 43
  ret; // 44
}
`;

/** What \`walk\` is launched with: one warp, x holds 0 to 31. */
export const walking = { arg: { x: "u32x32:iota", n: 32 }, block: 32 };

/** Counts up without an end. */
export const endless = `.version 8.0
.target sm_80
.address_size 64
.visible .entry endless()
{
  .reg .u32 %r<2>;
  mov.u32 %r1, 0; // 7
again:
  add.u32 %r1, %r1, 1; // 9
  bra again; // 10
}
`;

/** Odd lanes go another way. */
export const parting = `.version 8.0
.target sm_80
.address_size 64
.visible .entry parting()
{
  .reg .pred %p<2>;
  .reg .u32 %r<4>;
  mov.u32 %r1, %tid.x; // 8
  and.b32 %r2, %r1, 1; // 9
  setp.eq.u32 %p1, %r2, 1; // 10
  @%p1 bra odd; // 11
  mov.u32 %r3, 2; // 12
  bra end; // 13
odd:
  mov.u32 %r3, 1; // 15
end:
  bar.sync 0; // 17
  ret; // 18
}
`;

/** Gives a NaN, then reads where nothing is. */
export const failing = `.version 8.0
.target sm_80
.address_size 64
.visible .entry failing()
{
  .reg .f32 %f<4>;
  .reg .u64 %rd<2>;
  mov.f32 %f1, 0f7F800000; // 8
  sub.f32 %f2, %f1, %f1; // 9
  mov.u64 %rd1, 64; // 10
  ld.global.f32 %f3, [%rd1]; // 11
  ret; // 12
}
`;

/** All threads write one word. */
export const racing = `.version 8.0
.target sm_80
.address_size 64
.visible .entry racing(.param .u64 x)
{
  .reg .u32 %r<2>;
  .reg .u64 %rd<2>;
  ld.param.u64 %rd1, [x]; // 8
  mov.u32 %r1, %tid.x; // 9
  st.global.u32 [%rd1], %r1; // 10
  ret; // 11
}
`;

/** The program that it was compiled from: its source has three lines. */
export const compiled = `.version 8.0
.target sm_80
.address_size 64
.visible .entry line()
{
  .reg .u32 %r<4>;
  .loc 1 2 3
  mov.u32 %r1, 1; // 8
  add.u32 %r2, %r1, 1; // 9
  .loc 1 3 3
  add.u32 %r3, %r2, 1; // 11
  .loc 1 4 1
  ret; // 13
}
.file 1 "line.cu"
`;
