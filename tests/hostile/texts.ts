import type { Hostile } from "./corpus.ts";
import { header, kernel } from "./sizes.ts";

const deep = 100_000;
const nested = (open: string, middle: string, close: string): string => open.repeat(deep) + middle + close.repeat(deep);
/** A kernel that gives a register of 32 bits a constant, or whatever stands there. */
const constant = (text: string): string => kernel(`.reg .u32 a; mov.u32 a, ${text};`);
const one = (name: string, text: string | Uint8Array, exit: number, says: RegExp): Hostile => ({
  name,
  text,
  argv: ["FILE", "--max-steps", "1M"],
  exits: [exit],
  says,
});

/** Texts of up to ten megabytes, each of which ends with a diagnostic or the right answer. */
export const texts = (): readonly Hostile[] => [
  one("a comment of 1 MB that is never closed", kernel(`/* ${"x*".repeat(5e5)}`), 3, /PTX1006.*comment/),
  one("a million comment openings", "/*".repeat(5e5), 3, /PTX1006/),
  one("blocks in blocks", kernel(nested("{", "", "}")), 3, /PTX1107.*256/),
  one("blocks never closed", kernel("{".repeat(deep)), 3, /PTX1107/),
  one("parentheses in parentheses", constant(nested("(", "1", ")")), 3, /PTX1107/),
  one("minus upon minus", constant(`${"-".repeat(deep)}1`), 3, /PTX1107/),
  one("not upon not", constant(`${"!".repeat(deep)}1`), 3, /PTX1107/),
  one("casts of casts", constant(`${"(.u64)".repeat(deep)}1`), 3, /PTX1107/),
  one("conditions in conditions", constant(nested("1?", "1", ":1")), 3, /PTX1107/),
  one("a sum of 100,001 ones", constant(`${"1+".repeat(deep)}1`), 3, /PTX1107/),
  one("vectors of vectors", kernel(`.reg .u32 a; mov.v2.u32 a, ${nested("{", "a", "}")};`), 3, /PTX1107/),
  one("addresses in addresses", kernel(`.reg .u32 a; ld.u32 a, ${nested("[", "a", "]")};`), 3, /PTX1110/),
  one("initialisers in initialisers", `${header}.global .u32 g = ${nested("{", "1", "}")};\n.entry k(){ret;}`, 3, /PTX1107/),
  one("two thousand million registers", kernel(".reg .b64 %r<2000000000>; mov.u64 %r1999999999, 7;"), 0, /%r1999999999\s+b64\s+0x0000000000000007/),
  one("more registers than numbers", kernel(".reg .b64 %r<20000000000000000000>;"), 3, /PTX1407/),
  one("names that objects have", kernel(".reg .u32 constructor, toString, valueOf; mov.u32 constructor, 7; add.u32 toString, constructor, 1; mov.u32 valueOf, toString;").replace(" k(", " __proto__("), 0, /constructor\s+u32\s+0x00000007[\s\S]*toString\s+u32\s+0x00000008/),
  one("bytes that are no UTF-8", Buffer.concat([Buffer.from(kernel("// ")), Buffer.of(0xff, 0xfe, 0x80)]), 3, /PTX1010[\s\S]*UTF-8/),
  one("a NUL", constant("\0 1"), 3, /PTX1003/),
  one("a megabyte of NUL", new Uint8Array(1e6), 3, /PTX1003/),
  one("one line of 10 MB of instructions", `${header}.entry k() {.reg .u32 a; ${"mov.u32 a, 1; ".repeat(720_000)}ret;}`, 3, /PTX1011/),
  one("one word of 10 MB", "a".repeat(1e7), 3, /PTX1/),
  one("one line of 10 MB without a semicolon", "add.u32 a, b, c ".repeat(6e5), 3, /PTX1/),
  one("text never closed", `${header}.pragma "${"a".repeat(1e6)}`, 3, /PTX1007/),
  one("a hundred thousand mistakes", kernel(`.reg .u32 a, b;\n${"mov.u3 a, b;\n".repeat(deep)}`), 3, /PTX1202[\s\S]*more/),
  one("a hundred thousand labels", kernel(`${Array.from({ length: deep }, (_, i) => `L${i}: bra L${i + 1};`).join("\n")}\nL${deep}:`), 0, /^$/),
  one("an array larger than memory", `${header}.global .b8 g[4000000000000];\n.entry k(){ret;}`, 6, /PTX6/),
  one("an array of sixty dimensions", `${header}.global .u32 g${"[2]".repeat(60)};\n.entry k(){ret;}`, 3, /PTX1407/),
  one("shared memory larger than memory", kernel(".shared .b8 s[2000000000];"), 6, /PTX6002/),
  one("300,000 modifiers", kernel(`.reg .u32 a; add${".rn".repeat(3e5)}.u32 a, a, a;`), 3, /PTX12/),
  one("300,000 operands", kernel(`.reg .u32 a; add.u32 ${"a, ".repeat(3e5)}a;`), 3, /PTX1301/),
  one("100,000 pairs", kernel(`.reg .pred p; setp.eq.u32 ${"p|".repeat(deep)}p, 1, 1;`), 3, /PTX1/),
  one("a number of a million digits", constant("9".repeat(1e6)), 3, /PTX16/),
  one("a fraction of a million digits", kernel(`.reg .f32 a; mov.f32 a, 1.${"9".repeat(1e6)};`), 0, /a\s+f32\s+0x40000000/),
  one("a loop without an end", kernel("L: bra L;"), 6, /PTX6001/),
  one("a million dots", ".".repeat(1e6), 3, /PTX1/),
  one("a million percent signs", "%".repeat(1e6), 3, /PTX1/),
  one("escape sequences in a name", '.pragma "\u001b[31mred\u001b[0m', 3, /PTX1/),
]; // biome-ignore format: a table
