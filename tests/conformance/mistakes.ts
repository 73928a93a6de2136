/** A mistake that people make first: what they write, what is underlined, and what the message must say. */
export interface Mistake {
  readonly code: `PTX${number}`;
  readonly ptx: string;
  /** The underlined text. */
  readonly at: string;
  /** The message with its `expected` and help must contain each of these. */
  readonly says: readonly RegExp[];
}

const registers =
  ".reg .u32 a, b, c; .reg .u64 rd, re; .reg .f32 f, g, h; .reg .f64 x, y, z; .reg .pred p, q; .reg .b16 h0, h1, h2; " +
  ".reg .b32 w0, w1, w2; .reg .v4 .f32 v;";

/** One statement in a kernel with registers of every kind. */
export const line = (statement: string, target = "sm_100", version = "9.0"): string =>
  `.version ${version}\n.target ${target}\n.address_size 64\n.entry k(.param .u64 n)\n{\n${registers}\n${statement}\nret;\n}\n`;
/** Statements at module scope. */
const top = (text: string): string =>
  `.version 9.0\n.target sm_100\n.address_size 64\n${text}\n.entry k()\n{\nret;\n}\n`;

export const mistakes: Readonly<Record<string, Mistake>> = {
  "a mnemonic misspelt": { code: "PTX1201", ptx: line("ad.u32 a, b, c;"), at: "ad", says: [/\bad\b/, /\badd\b/] },
  "a mnemonic in capitals": { code: "PTX1201", ptx: line("ADD.u32 a, b, c;"), at: "ADD", says: [/\badd\b/] },
  "a barrier that a block does not have": { code: "PTX1303", ptx: line("bar.sync 16;"), at: "16", says: [/0 to 15/] },
  "a barrier for half a warp": {
    code: "PTX1303",
    ptx: line("barrier.sync 1, 48;"),
    at: "48",
    says: [/multiple of 32/],
  },
  "an arrival that nobody waits with": {
    code: "PTX1303",
    ptx: line("bar.arrive 1, 0;"),
    at: "0",
    says: [/at least 1/],
  },
  "registers by ones": {
    code: "PTX1303",
    ptx: line("setmaxnreg.inc.sync.aligned.u32 100;", "sm_100a"),
    at: "100",
    says: [/24 to 256, a multiple of 8/],
  },
  "an election without a result": {
    code: "PTX1301",
    ptx: line("elect.sync a, 0xffffffff;"),
    at: "a",
    says: [/p is missing/, /d\|p/],
  },
  "a modifier that PTX has nowhere": {
    code: "PTX1202",
    ptx: line("add.foo.u32 a, b, c;"),
    at: ".foo",
    says: [/\.foo/],
  },
  "a modifier misspelt": { code: "PTX1202", ptx: line("add.satt.s32 a, b, c;"), at: ".satt", says: [/\.sat\b/] },
  "a type in capitals": { code: "PTX1202", ptx: line("add.U32 a, b, c;"), at: ".U32", says: [/\.u32/] },
  "a rounding that a half add has not": {
    code: "PTX1203",
    ptx: line("add.rz.f16 h0, h1, h2;"),
    at: ".rz",
    says: [/\.rz/, /\.rn/],
  },
  "no rounding on fma": { code: "PTX1204", ptx: line("fma.f16 h0, h1, h2, h0;"), at: "fma", says: [/round/, /\.rn/] },
  "two roundings": { code: "PTX1205", ptx: line("add.rn.rz.f32 f, g, h;"), at: ".rz", says: [/\.rn/] },
  "no .approx on ex2": { code: "PTX1209", ptx: line("ex2.f16 h0, h1;"), at: "ex2", says: [/\.approx/] },
  "no type": { code: "PTX1210", ptx: line("add a, b, c;"), at: "add", says: [/type/] },
  "two types": { code: "PTX1210", ptx: line("add.u32.s32 a, b, c;"), at: ".s32", says: [/type/] },
  "an unsigned shift left": { code: "PTX1210", ptx: line("shl.u32 a, b, c;"), at: ".u32", says: [/\.b32/] },
  "an add of untyped bits": { code: "PTX1210", ptx: line("add.b32 w0, w1, w2;"), at: ".b32", says: [/\.u32|\.s32/] },
  ".sat on bf16": { code: "PTX1206", ptx: line("add.sat.bf16 h0, h1, h2;"), at: ".sat", says: [/\.sat/] },
  ".relu with .sat": {
    code: "PTX1207",
    ptx: line("fma.rn.sat.relu.f16 h0, h1, h2, h0;"),
    at: ".relu",
    says: [/\.sat|\.relu/],
  },
  ".ftz on f64": { code: "PTX1206", ptx: line("add.ftz.f64 x, y, z;"), at: ".ftz", says: [/\.ftz/] },
  ".ftz on ex2.f16": { code: "PTX1206", ptx: line("ex2.approx.ftz.f16 h0, h1;"), at: ".ftz", says: [/\.ftz/] },
  ".xorsign alone": { code: "PTX1211", ptx: line("min.xorsign.f16 h0, h1, h2;"), at: ".xorsign", says: [/\.abs/] },
  "a multiply without a part": {
    code: "PTX1209",
    ptx: line("mul.u32 a, b, c;"),
    at: "mul",
    says: [/\.lo/, /\.hi/, /\.wide/],
  },
  "setp without a comparison": { code: "PTX1209", ptx: line("setp.u32 p, a, b;"), at: "setp", says: [/\.eq|compar/] },
  "an unsigned comparison of signed numbers": {
    code: "PTX1206",
    ptx: line("setp.lo.s32 p, a, b;"),
    at: ".lo",
    says: [/\.lo/],
  },
  "a register too wide": { code: "PTX1302", ptx: line("add.u32 a, b, rd;"), at: "rd", says: [/64|\.u64/, /32|\.u32/] },
  "a float register in an integer add": { code: "PTX1302", ptx: line("add.u32 a, b, f;"), at: "f", says: [/\.f32/] },
  "an undeclared register": { code: "PTX1320", ptx: line("add.u32 a, b, cc;"), at: "cc", says: [/cc/, /\bc\b/] },
  "a register behind the end of its range": {
    code: "PTX1320",
    ptx: line(".reg .u32 %r<4>; mov.u32 %r4, 1;"),
    at: "%r4",
    says: [/%r4/, /%r0|%r3|<4>/],
  },
  "an immediate in a half instruction": {
    code: "PTX1303",
    ptx: line("add.f16 h0, h1, 1.0;"),
    at: "1.0",
    says: [/immediate/, /mov/],
  },
  "a float where an integer belongs": {
    code: "PTX1303",
    ptx: line("add.u32 a, b, 1.0;"),
    at: "1.0",
    says: [/integer/],
  },
  "an integer where a float belongs": { code: "PTX1303", ptx: line("add.f32 f, g, 1;"), at: "1", says: [/1\.0|float/] },
  "an operand missing": { code: "PTX1301", ptx: line("add.u32 a, b;"), at: "add.u32 a, b;", says: [/3|three/] },
  "an operand too many": { code: "PTX1301", ptx: line("add.u32 a, b, c, a;"), at: "a", says: [/3|three/] },
  "a missing semicolon": { code: "PTX1102", ptx: line("add.u32 a, b, c"), at: "c", says: [/;/] },
  "a missing comma": { code: "PTX1103", ptx: line("add.u32 a b, c;"), at: "b", says: [/,/] },
  "a trailing comma": { code: "PTX1115", ptx: line("add.u32 a, b, c,;"), at: ",", says: [/operand/] },
  "a brace left open": { code: "PTX1104", ptx: line("{ add.u32 a, b, c;"), at: "{", says: [/\}/] },
  "a comment left open": { code: "PTX1006", ptx: line("/* add.u32 a, b, c;"), at: "/*", says: [/\*\//] },
  "a string left open": { code: "PTX1007", ptx: line('.pragma "nounroll;'), at: '"', says: [/"/] },
  "a character that PTX has not": { code: "PTX1001", ptx: line("add.u32 a, b, c`;"), at: "`", says: [/`/] },
  "a letter with an accent": { code: "PTX1002", ptx: line("// añadir"), at: "ñ", says: [/ASCII/] },
  "an instruction that the target has not": {
    code: "PTX1212",
    ptx: line("add.bf16 h0, h1, h2;", "sm_80", "7.0"),
    at: "add.bf16",
    says: [/sm_90/, /sm_80/],
  },
  "an instruction that the version has not": {
    code: "PTX1213",
    ptx: line("abs.f16 h0, h1;", "sm_53", "6.4"),
    at: "abs.f16",
    says: [/6\.5/, /6\.4/],
  },
  ".version behind .target": {
    code: "PTX1501",
    ptx: ".target sm_90\n.version 8.0\n.entry k(){ret;}\n",
    at: ".target",
    says: [/\.version/],
  },
  ".target behind .address_size": {
    code: "PTX1502",
    ptx: ".version 8.0\n.address_size 64\n.target sm_90\n.entry k(){ret;}\n",
    at: ".address_size",
    says: [/\.target/],
  },
  "a target that does not exist": {
    code: "PTX1504",
    ptx: ".version 8.0\n.target sm_91\n.entry k(){ret;}\n",
    at: "sm_91",
    says: [/sm_90/],
  },
  "a version of the future": {
    code: "PTX1503",
    ptx: ".version 9.9\n.target sm_90\n.entry k(){ret;}\n",
    at: ".version 9.9",
    says: [/9\.0/],
  },
  "a target newer than the version": {
    code: "PTX1505",
    ptx: ".version 7.0\n.target sm_90\n.entry k(){ret;}\n",
    at: "sm_90",
    says: [/7\.8/],
  },
  "a predicate in an add": { code: "PTX1302", ptx: line("add.u32 a, b, p;"), at: "p", says: [/\.pred/] },
  "a guard that is no predicate": { code: "PTX1309", ptx: line("@a add.u32 a, b, c;"), at: "a", says: [/\.pred/] },
  "a minus before a register": { code: "PTX1310", ptx: line("add.u32 a, b, -c;"), at: "-c", says: [/neg|sub/] },
  "two registers in an address": {
    code: "PTX1110",
    ptx: line("ld.global.u32 a, [rd+re];"),
    at: "[rd+re",
    says: [/add|register/],
  },
  "a scaled register in an address": {
    code: "PTX1110",
    ptx: line("ld.global.u32 a, [rd*4];"),
    at: "[rd*",
    says: [/shl|mul|address/],
  },
  "a 32-bit register as an address": { code: "PTX1315", ptx: line("ld.global.u32 a, [b];"), at: "b", says: [/64/] },
  "a load without brackets": { code: "PTX1315", ptx: line("ld.global.u32 a, rd;"), at: "rd", says: [/\[rd\]/] },
  "a load without a type": { code: "PTX1210", ptx: line("ld.global a, [rd];"), at: "ld", says: [/type/] },
  "a store the wrong way round": { code: "PTX1315", ptx: line("st.global.u32 a, [rd];"), at: "a", says: [/\[/] },
  "a vector of the wrong length": {
    code: "PTX1307",
    ptx: line("ld.global.v2.u32 {a, b, c, a}, [rd];"),
    at: "{a, b, c, a}",
    says: [/2/, /4/],
  },
  "a vector of three": {
    code: "PTX1202",
    ptx: line("ld.global.v3.u32 {a, b, c}, [rd];"),
    at: ".v3",
    says: [/\.v2|\.v4/],
  },
  "a special register written to": { code: "PTX1306", ptx: line("mov.u32 %tid.x, a;"), at: "%tid.x", says: [/read/] },
  "a special register in an add": { code: "PTX1306", ptx: line("add.u32 a, b, %tid.x;"), at: "%tid.x", says: [/mov/] },
  "a special register misspelt": { code: "PTX1320", ptx: line("mov.u32 a, %tidx.x;"), at: "%tidx", says: [/%tid/] },
  "a component that vectors have not": { code: "PTX1308", ptx: line("mov.f32 f, v.q;"), at: ".q", says: [/x/, /w/] },
  "a component of a scalar": { code: "PTX1308", ptx: line("mov.f32 f, g.x;"), at: ".x", says: [/scalar|vector/] },
  "the sink as a destination": { code: "PTX1305", ptx: line("add.u32 _, b, c;"), at: "_", says: [/_/] },
  "a register declared twice": { code: "PTX1401", ptx: line(".reg .u32 a;"), at: "a", says: [/\ba\b/] },
  "a label that nobody set": { code: "PTX1320", ptx: line("bra LOOP;"), at: "LOOP", says: [/LOOP/] },
  "a branch to a register": { code: "PTX1316", ptx: line("bra a;"), at: "a", says: [/label/] },
  "two kernels of one name": { code: "PTX1401", ptx: top(".entry k(){ret;}"), at: "k", says: [/\bk\b/] },
  "a register of a type that C has": { code: "PTX1402", ptx: line(".reg .i32 n0;"), at: ".i32", says: [/\.s32|\.b32/] },
  "a declaration without its dot": { code: "PTX1201", ptx: line("reg .u32 n0;"), at: "reg", says: [/\.reg/] },
  "too many initial values": { code: "PTX1611", ptx: top(".global .u32 t[2] = {1, 2, 3};"), at: "3", says: [/2/] },
  "a float for an integer variable": {
    code: "PTX1610",
    ptx: top(".global .u32 t = 1.5;"),
    at: "1.5",
    says: [/integer/],
  },
  "a division by zero": { code: "PTX1603", ptx: line("mov.u32 a, 7/0;"), at: "7/0", says: [/zero/] },
  "a remainder without a space": { code: "PTX1120", ptx: line("mov.u32 a, 7%3;"), at: "%3", says: [/blank/] },
  "a minus before a bit pattern": {
    code: "PTX1112",
    ptx: line("add.f32 f, g, -0f3F800000;"),
    at: "0f3F800000",
    says: [/0f|sign/],
  },
  "an if as in C": { code: "PTX1114", ptx: line("if (a) b;"), at: "if", says: [/@p|setp|bra/] },
};
