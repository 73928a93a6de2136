/**
 * The instructions of PTX 9.0, from the manual's index, whether the table has them or not: what the table lacks is a
 * gap, what is not here is a mistake. Adding an instruction to the table changes nothing here.
 */
const instructions = `
  abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx call
  clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit fence fma
  fns getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max mbarrier
  membar min mma mov movmatrix mul mul24 multimem nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red
  redux rem ret rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st stackrestore stacksave stmatrix
  sub subc suld suq sured sust szext tanh tcgen05 tensormap testp tex tld4 trap txq vabsdiff vabsdiff2 vabsdiff4 vadd
  vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin vmin2 vmin4 vote vset vset2 vset4 vshl vshr vsub vsub2 vsub4
  wgmma wmma xor`;

/** Dotted words of instructions that the table lacks; those that it has may stand here as well. */
const words = `
  1d 2d 2dms 3d a1d a2d a2dms acube cube 4d 5d a b abs aligned alias all alloc any acq_rel async async::generic base
  b4e b1024 ballot bfly block_scale bulk_group c cas channel_data_type channel_order clamp cluster col commit
  complete_tx cta_group::1 cta_group::2 d dealloc dec depth down ecl ecr exch expect_tx f4e fence::after_thread_sync
  fence::before_thread_sync fractional full g gl grad height idx im2col im2col::w im2col::w::128 im2col_no_offs inc
  interleave_layout inval kind::f16 kind::i8 kind::tf32 kind::f8f6f4 kind::mxf4 kind::mxf4nvf4 kind::mxf8f6f4 l
  launch_dependents level m8n8 m8n16 m16n16 mask mbarrier::arrive::one mbarrier::complete_tx::bytes
  multicast::cluster multicast::cluster::all noComplete noftz noinc normalized_coords num_mipmap_levels num_samples p
  pack pack::16b parity po popc proxy query_cancel r range rank rc16 rc8 read replace release acquire rna row rs
  samplerref satfinite sc scale_vec::1X scale_vec::2X scale_vec::4X shared::cluster shiftamt shr15 shr7
  sp::ordered_metadata spread128 surfref swizzle_mode sync sync_restrict::shared::cluster sync_restrict::shared::cta
  tensormap tensormap::generic test_wait texref tile tile::gather4 tile::scatter4 trans trap try_cancel try_wait
  unpack::16b up wait warp warpx4 width wrap x1 x2 x4 x8 x16 x32 x64 x128 zero rmi rni rpi rzi lt eq ge gt hi hs le lo
  ls ltu leu gtu geu equ neu ne num finite infinite normal notanumber number subnormal NaN and or xor add min max ftz
  sat relu oob xorsign approx cc rn rz rm rp global local shared const param v2 v4 v8 uni to volatile L1 L2
  L2::evict_unchanged nan`;

/** Words that name types of instructions; their order among themselves matters, nobody else's does. */
const types = `
  b1 b2 b4 b8 b16 b32 b64 b128 u2 u4 u8 u16 u32 u64 s2 s4 s8 s16 s32 s64 u16x2 s16x2 u8x4 s8x4 f16 f16x2 f32 f32x2 f64
  bf16 bf16x2 tf32 e4m3 e5m2 e3m2 e2m3 e2m1 ue8m0 ue4m3 e4m3x2 e5m2x2 e3m2x2 e2m3x2 e2m1x2 ue8m0x2 e4m3x4 e5m2x4 e3m2x4
  e2m3x4 e2m1x4 b8x16 b4x16_p64 b6x16_p32 pred`;

const split = (text: string): string[] => text.trim().split(/\s+/);

export const manualIndex: ReadonlySet<string> = new Set(split(instructions));
export const otherWords: ReadonlySet<string> = new Set(split(words));
export const typeWords: ReadonlySet<string> = new Set(split(types));
export const roundings: ReadonlySet<string> = new Set([
  "rn",
  "rz",
  "rm",
  "rp",
  "rna",
  "rs",
  "rni",
  "rzi",
  "rmi",
  "rpi",
]);

/** `.lo`, `.hi` and `.wide` belong to the name: `mul.lo`. They stand right behind the mnemonic and nowhere else. */
export const nameParts: ReadonlySet<string> = new Set(["lo", "hi", "wide"]);

/** Words that may be said twice without harm (measured with ptxas 13.0). */
export const repeatable: ReadonlySet<string> = new Set(["sat", "relu", "NaN", "approx", "cc"]);

/** What testp asks. ptxas takes one of these words on every other instruction as well and forgets it (measured). */
export const idleWords: ReadonlySet<string> = new Set([
  "finite",
  "infinite",
  "number",
  "notanumber",
  "normal",
  "subnormal",
]);
