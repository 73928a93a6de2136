/** Names of instructions in other languages and assemblers, and their PTX counterparts. */
export const otherSpellings: ReadonlyMap<string, string> = new Map([
  ["load", "ld"], ["store", "st"], ["move", "mov"], ["jmp", "bra"], ["jump", "bra"], ["branch", "bra"], ["goto", "bra"],
  ["return", "ret"], ["halt", "exit"], ["inc", "add"], ["dec", "sub"], ["log", "lg2"], ["log2", "lg2"], ["exp", "ex2"],
  ["exp2", "ex2"], ["pow", "lg2, mul and ex2"], ["floor", "cvt.rmi"], ["ceil", "cvt.rpi"], ["round", "cvt.rni"],
  ["trunc", "cvt.rzi"], ["mod", "rem"], ["cmp", "setp"], ["select", "selp"], ["cmov", "selp"], ["sync", "bar.sync"],
  ["lea", "mad.wide"], ["nop", "nothing: there is none"],
]); // biome-ignore format: pairs
