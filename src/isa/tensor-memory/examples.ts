// Lines around the instruction of a worked example: a warp that allocates columns of tensor memory at `t`, and frees
// them.

/** `t` has `columns` columns. */
export const allocated = (body: string, columns = 32): string => `.shared .align 128 .b8 m[256];
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [m+128], ${columns};
ld.shared.b32 t, [m+128];
${body}
tcgen05.dealloc.cta_group::1.sync.aligned.b32 t, ${columns};`;

/**
 * The same for operations that complete at an mbarrier: thread 0 executes `asked`, and the warp reads column 0 into
 * `d`. 128 bytes of shared memory hold `word` again and again; the descriptor `s` says that a matrix is nothing else:
 * both of its strides are 0.
 */
export const committed = (word: number, before: string, asked: string, columns = 32): string =>
  allocated(
    `mov.u32 l, %laneid;
setp.eq.u32 p, l, 0;
mad.lo.u32 a, l, 4, 0;
st.shared.b32 [a], ${word};
@p mbarrier.init.shared::cta.b64 [m+136], 1;
mov.b64 s, 0x400000000000;
${before}
tcgen05.wait::st.sync.aligned;
fence.proxy.async.shared::cta;
bar.warp.sync -1;
@p ${asked}
@p tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [m+136];
L: mbarrier.try_wait.parity.shared::cta.b64 q, [m+136], 0;
@!q bra L;
tcgen05.fence::after_thread_sync;
tcgen05.ld.sync.aligned.32x32b.x1.b32 {d}, [t];
tcgen05.wait::ld.sync.aligned;`,
    columns,
  );

/** Column `at` of 32 lanes gets a word. */
export const stored = (at: number, word: number): string =>
  `mov.b32 w, ${word}; tcgen05.st.sync.aligned.32x32b.x1.b32 [t+${at}], {w};`;

/** Two f16 of 1.0, and four e4m3. */
export const halves = 0x3c00_3c00;
export const quarters = 0x3838_3838;
/** Scale factors of 1.0 and 2.0 (ue8m0). */
export const ones = 0x7f7f_7f7f;
export const twos = 0x8080_8080;
/** Metadata: the first two of each four elements are there. */
export const firstTwo = 0x4444_4444;
/** 4.0, 16.0, 18.0 and 64.0 as f32. */
export const four = 0x4080_0000;
export const sixteen = 0x4180_0000;
export const eighteen = 0x4190_0000;
export const sixtyFour = 0x4280_0000;
