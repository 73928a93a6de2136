/** Names of instructions in other languages and assemblers, and their PTX counterparts. */
export const otherSpellings: ReadonlyMap<string, string> = new Map([
  ["load", "ld"], ["store", "st"], ["move", "mov"], ["jmp", "bra"], ["jump", "bra"], ["branch", "bra"], ["goto", "bra"],
  ["return", "ret"], ["halt", "exit"], ["inc", "add"], ["dec", "sub"], ["log", "lg2"], ["log2", "lg2"], ["exp", "ex2"],
  ["exp2", "ex2"], ["pow", "lg2, mul and ex2"], ["floor", "cvt.rmi"], ["ceil", "cvt.rpi"], ["round", "cvt.rni"],
  ["trunc", "cvt.rzi"], ["mod", "rem"], ["cmp", "setp"], ["select", "selp"], ["cmov", "selp"], ["sync", "bar.sync"],
  ["lea", "mad.wide"], ["nop", "no such instruction: leave it out"],
  // CUDA's functions.
  ["__syncthreads", "bar.sync 0"], ["__syncwarp", "bar.warp.sync"], ["__threadfence", "membar.gl"],
  ["__threadfence_block", "membar.cta"], ["__threadfence_system", "membar.sys"],
  ["atomicadd", "atom.add"], ["atomicsub", "neg and atom.add"], ["atomiccas", "atom.cas"], ["atomicexch", "atom.exch"], ["atomicmin", "atom.min"],
  ["atomicmax", "atom.max"], ["atomicand", "atom.and"], ["atomicor", "atom.or"], ["atomicxor", "atom.xor"], ["atomicinc", "atom.inc"],
  ["__shfl_sync", "shfl.sync.idx"], ["__shfl_down_sync", "shfl.sync.down"], ["__shfl_up_sync", "shfl.sync.up"],
  ["__shfl_xor_sync", "shfl.sync.bfly"], ["__ballot_sync", "vote.sync.ballot"], ["ballot", "vote.sync.ballot"],
  ["__any_sync", "vote.sync.any"], ["__all_sync", "vote.sync.all"], ["__activemask", "activemask"],
  ["__popc", "popc"], ["__clz", "clz"], ["__brev", "brev"], ["__ldg", "ld.global.nc"], ["printf", "a call of vprintf"], ["assert", "a call of __assertfail"],
  ["fadd", "add.f32"], ["fsub", "sub.f32"], ["fmul", "mul.f32"], ["fdiv", "div.rn.f32"], ["fmadd", "fma.rn.f32"], ["fmac", "fma.rn.f32"],
  ["sqrtf", "sqrt.rn.f32"], ["expf", "mul and ex2"], ["logf", "lg2 and mul"], ["sinf", "sin.approx.f32"], ["cosf", "cos.approx.f32"],
  ["fmaf", "fma.rn.f32"], ["fabsf", "abs.f32"], ["fminf", "min.f32"], ["fmaxf", "max.f32"], ["rsqrtf", "rsqrt.approx.f32"],
]); // biome-ignore format: pairs

/** What words of other languages, and of other instructions, mean as modifiers. */
const otherWords: ReadonlyMap<string, readonly string[]> = new Map([
  ["int", ["s32"]], ["i32", ["s32", "u32"]], ["int32", ["s32"]], ["uint", ["u32"]], ["unsigned", ["u32"]], ["uint32", ["u32"]],
  ["i64", ["s64", "u64"]], ["int64", ["s64"]], ["long", ["s64"]], ["uint64", ["u64"]], ["size_t", ["u64"]],
  ["i16", ["s16", "u16"]], ["short", ["s16"]], ["i8", ["s8", "u8"]], ["char", ["s8"]], ["int8", ["s8"]], ["uint8", ["u8"]], ["i1", ["pred"]], ["bool", ["pred"]],
  ["float", ["f32"]], ["fp32", ["f32"]], ["float32", ["f32"]], ["single", ["f32"]], ["double", ["f64"]], ["fp64", ["f64"]], ["float64", ["f64"]],
  ["half", ["f16"]], ["fp16", ["f16"]], ["float16", ["f16"]], ["half2", ["f16x2"]], ["bf", ["bf16"]], ["bfloat16", ["bf16"]], ["bfloat", ["bf16"]],
  ["f8", ["e4m3", "e5m2"]], ["fp8", ["e4m3", "e5m2"]], ["fp6", ["e2m3", "e3m2"]], ["f6", ["e2m3", "e3m2"]], ["fp4", ["e2m1"]], ["f4", ["e2m1"]],
  ["gpu", ["gl"]], ["gl", ["gpu"]], ["device", ["gpu", "gl"]], ["block", ["cta"]], ["system", ["sys"]],
  ["less", ["lt"]], ["greater", ["gt"]], ["equal", ["eq"]], ["z", ["eq"]], ["nz", ["ne"]], ["neq", ["ne"]], ["lte", ["le"]], ["gte", ["ge"]],
  ["ru", ["rp"]], ["rd", ["rm"]], ["rn", ["rni"]], ["rz", ["rzi"]], ["rm", ["rmi"]], ["rp", ["rpi"]],
  ["rni", ["rn"]], ["rzi", ["rz"]], ["rmi", ["rm"]], ["rpi", ["rp"]], ["xchg", ["exch"]], ["swap", ["exch"]], ["xor", ["bfly"]], ["constant", ["const"]], ["saturate", ["sat"]],
]); // biome-ignore format: pairs

/** The modifiers that a word means elsewhere: `.e4m3` and `.e5m2` for `.f8`. */
export const meantBy = (word: string): readonly string[] => otherWords.get(word.toLowerCase()) ?? [];

/** CUDA's names of special registers. */
const otherRegisters: ReadonlyMap<string, string> = new Map([
  ["threadidx", "%tid"], ["blockidx", "%ctaid"], ["blockdim", "%ntid"], ["griddim", "%nctaid"], ["warpsize", "WARP_SZ"], ["laneid", "%laneid"],
  ["threadid", "%tid"], ["blockid", "%ctaid"], ["bid", "%ctaid"],
]); // biome-ignore format: pairs

/** The special register that a name means in CUDA: `%tid` for `threadIdx`. */
export const specialMeantBy = (name: string): string | undefined =>
  otherRegisters.get(name.toLowerCase().replace(/^%/, ""));
