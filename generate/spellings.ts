// The instructions that kernels execute most, by profiles and compilers' output: each gets a generated loop. A list in
// braces stands for each of its words.

const integers = `
  {add,sub,mul.lo,mad.lo,min,max}.{u32,s32,u64,s64}
  mul.hi.{u32,s32,u64}
  {mul,mad}.wide.{u32,s32}
  sad.{u32,s32}
  {neg,abs}.{s32,s64}
  {div,rem}.{u32,s32}
  {and,or}.b16
  {and,or,xor,not}.{b32,b64}
  shl.{b32,b64}
  shr.{u32,s32,b32,u64,s64,b64}
  shf.{l,r}.{wrap,clamp}.b32
  lop3.b32
  bfe.{u32,s32}
  bfi.b32
  prmt.b32
  {popc,clz,brev}.b32
`;

const comparisons = `
  setp.{eq,ne,lt,le,gt,ge}.{u32,s32,u64,s64}
  setp.{eq,ne}.{b32,b64}
  setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.{f32,f64}
`;

const carries = `
  {add,sub}.cc.{u32,s32,u64,s64}
  {addc,subc}.{u32,s32,u64,s64}
  {addc,subc}.cc.{u32,s32,u64,s64}
  {mad,madc}.{lo,hi}.cc.{u32,u64}
  madc.{lo,hi}.{u32,u64}
`;

const atomics = `
  atom.global.add.{u32,s32,u64,f32,f64}
  atom.shared.add.f32
  atom.global.{and,or,xor,exch,cas}.b32
  atom.global.{min,max}.{u32,s32}
  atom.global.{inc,dec}.u32
  atom.global.{exch,cas}.b64
`;

const floats = `
  {add,sub,mul}.{f32,f64}
  {fma.rn,div.rn}.{f32,f64}
  {rcp.rn,sqrt.rn}.{f32,f64}
  {min,max,neg,abs}.{f32,f64}
  {add,sub,mul}.ftz.f32
  {fma.rn,div.rn,rcp.rn,sqrt.rn}.ftz.f32
  {add,sub,mul,fma}.{rz,rm,rp}.f32
  {min,max}.ftz.f32
  {add,sub,mul}.f16x2
  fma.rn.f16x2
`;

const conversions = `
  cvt.{u32,s32}.{u16,s16}
  cvt.{u16,s16}.{u32,s32}
  cvt.rn.{f32,f64}.{u32,s32,u64,s64}
  cvt.rzi.{u32,s32}.{f32,f64}
  cvt.rmi.s32.f32
  cvt.rzi.{u64,s64}.{f32,f64}
  cvt.{rmi,rzi}.f32.f32
  cvt.f64.f32
  cvt.rn.f32.f64
  cvt.f32.{f16,bf16}
  cvt.rn.{f16,bf16}.f32
  cvt.rn.{f16x2,bf16x2}.f32
  cvt.{u64,s64}.{u32,s32}
  cvt.{u32,s32}.{u64,s64}
`;

/** The spellings, as PTX writes them. */
export const spellings: readonly string[] = [integers, comparisons, carries, atomics, floats, conversions]
  .flatMap((list) => list.trim().split(/\s+/))
  .flatMap(spread);

/** `{a,b}.c` is `a.c` and `b.c`. */
function spread(pattern: string): readonly string[] {
  const found = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern);
  if (found === null) return [pattern];
  const [, before = "", words = "", behind = ""] = found;
  return words.split(",").flatMap((word) => spread(before + word + behind));
}
