import { pages } from "./page.ts";

/** PTX10xx lexical, 11xx grammar. */
export const syntax = pages({
  PTX1001: {
    title: "a character that starts nothing",
    why: "Outside comments and strings PTX uses letters, digits and `_ $ % . , : ; @ ! ~ + - * / < > = & ^ | ? ( ) [ ] { }`. There are no character constants, no escapes and no line continuation.",
    wrong: "mov.u32 a, 'x';",
    right: "mov.u32 a, 120;",
  },
  PTX1002: {
    title: "a character outside ASCII",
    why: "PTX source is 7-bit ASCII (PTX ISA 4.1). ptxas rejects anything else even inside a comment, often a typographic quote, dash or space that came with a copied text.",
    wrong: "add.u32 a, b, c; // naïve",
    right: "add.u32 a, b, c; // naive",
  },
  PTX1003: {
    title: "a NUL character",
    why: "A NUL ends the text for ptxas. It usually means that the file is binary (a cubin or a fatbin) or UTF-16.",
  },
  PTX1004: {
    title: "a byte order mark",
    why: "Some editors write U+FEFF in front of a text, in UTF-8 and in UTF-16. ptxrun passes over it, and a note says so; ptxas takes a text that starts with its own first character.",
  },
  PTX1005: {
    title: "a control character",
    why: "Only space, tab, form feed, line feed and carriage return separate words; a vertical tab does not. Comments and quoted texts may have any but NUL.",
  },
  PTX1006: {
    title: "a comment that is never closed",
    why: "A comment from `/*` runs to the first `*/`; comments do not nest, and the end of the file does not close one.",
    wrong: "/* the sum\nadd.u32 a, b, c;",
    right: "/* the sum */\nadd.u32 a, b, c;",
  },
  PTX1007: {
    title: "a quoted text that is never closed",
    why: 'A text in double quotes lies within one line. There are no escapes in it: `\\"` ends it too.',
    wrong: '.pragma "nounroll;',
    right: '.pragma "nounroll";',
  },
  PTX1008: {
    title: "a malformed number",
    why: "Integers are decimal, `0x`, `0b` or octal with an optional `U`; floats have a point or an exponent, or are `0f` with 8 and `0d` with 16 hexadecimal digits. No other letter follows a number (PTX ISA 4.5).",
    wrong: "mov.f32 f, 1.0f;",
    right: "mov.f32 f, 1.0;",
  },
  PTX1009: {
    title: "a `#` line that is no line marker",
    why: 'PTX is not preprocessed. Of lines with `#` only markers such as `# 1 "x.cu"`, which preprocessors leave behind, are passed over.',
    wrong: "#define N 4",
  },
  PTX1010: {
    title: "not text in UTF-8",
    why: "PTX is ASCII (PTX ISA 4.1), comments included. A file with other bytes is a binary, or text in another encoding.",
  },
  PTX1011: {
    title: "a line that is too long",
    why: "A line may have 4 MiB. No compiler writes a longer one, and a message could not point into it; such a file is data, or made to keep a tool busy.",
  },
  PTX1101: {
    title: "something unexpected",
    why: "The text departs here from the grammar of PTX; the message says what would have fitted.",
  },
  PTX1102: {
    title: "a missing semicolon",
    why: "Every instruction and every declaration ends with `;`. Line ends do not end a statement.",
    wrong: "add.u32 a, b, c\nret;",
    right: "add.u32 a, b, c;\nret;",
  },
  PTX1103: {
    title: "a missing comma",
    why: "Operands, variables and list elements are separated by commas.",
    wrong: "add.u32 a b, c;",
    right: "add.u32 a, b, c;",
  },
  PTX1104: {
    title: "a bracket that is never closed",
    why: "Every `{`, `(` and `[` needs its partner. For a block the message points at the brace that was opened.",
    wrong: ".entry k() { ret;",
    right: ".entry k() { ret; }",
  },
  PTX1105: {
    title: "a closing brace too many",
    why: "There is no open block that this brace could close.",
    wrong: ".entry k() { ret; } }",
    right: ".entry k() { ret; }",
  },
  PTX1106: {
    title: "an empty statement",
    why: "PTX has no empty statement: a `;` ends something. None follows a `}`, a label, `.loc` or another `;`.",
    wrong: "ret;;",
    right: "ret;",
  },
  PTX1107: {
    title: "nested too deeply",
    why: "Blocks, parentheses, braces and brackets nest at most 256 deep in ptxrun, and an expression has at most 256 operators in a row, so that no input can exhaust the stack.",
  },
  PTX1108: {
    title: "an unknown directive",
    why: "A statement that starts with a dot must start with a directive's name, in lower case (PTX ISA 11).",
    wrong: ".REG .u32 a;",
    right: ".reg .u32 a;",
  },
  PTX1109: {
    title: "a directive in the wrong place",
    why: "Functions, `.file`, `.section` and linkages stand at module scope, never in a body; performance directives stand between a function's head and its body; `.version` comes once.",
    wrong: ".entry k() { .maxntid 32; ret; }",
    right: ".entry k() .maxntid 32 { ret; }",
  },
  PTX1110: {
    title: "an address of the wrong shape",
    why: "An address is a register, a variable or a constant, plus at most a constant: `[a]`, `[a+4]`, `[a+-4]`, `[16]`. Sums of registers, scaled indices and differences must be computed first (PTX ISA 6.4.1).",
    wrong: "ld.global.u32 a, [rd+re];",
    right: "add.u64 rf, rd, re;\nld.global.u32 a, [rf];",
  },
  PTX1111: {
    title: "a name in a constant expression",
    why: "Operators apply to constants. Of a register there is only `-a`, `!p` and `a+4`; anything else is an instruction of its own.",
    wrong: "and.b32 x, y, ~z;",
    right: "not.b32 t, z;\nand.b32 x, y, t;",
  },
  PTX1112: {
    title: "an operator on a 0f constant",
    why: "`0f3F800000` gives the 32 bits as they are and takes no sign and no operator; the sign is the top bit. ptxas rejects it as a syntax error.",
    wrong: "mov.f32 f, -0f3F800000;",
    right: "mov.f32 f, 0fBF800000;",
  },
  PTX1113: {
    title: "a dot without its word",
    why: "A suffix is a dot and a word with nothing between them. Blanks and comments may stand before the dot.",
    wrong: "add. u32 a, b, c;",
    right: "add .u32 a, b, c;",
  },
  PTX1114: {
    title: "a statement of another language",
    why: "PTX has no `if`, no loops and no assignment: compare with `setp`, guard with `@p`, jump with `bra`, compute with instructions.",
    wrong: "if (a) b;",
    right: "setp.ne.u32 p, a, 0;\n@p mov.u32 c, b;",
  },
  PTX1115: {
    title: "a separator without an operand",
    why: "A comma stands between two operands: none leads, none trails, and two never meet.",
    wrong: "add.u32 a, b, c,;",
    right: "add.u32 a, b, c;",
  },
  PTX1116: {
    title: "a suffix where a plain name is wanted",
    why: "Names that are declared, labels and guards are plain: `g.x` and `L.a:` name nothing.",
    wrong: ".reg .u32 v.x;",
    right: ".reg .v4 .u32 v;",
  },
  PTX1117: {
    title: "a reserved name",
    why: "`_` is the sink and `WARP_SZ` a constant; neither can be declared (PTX ISA 4.4).",
    wrong: ".reg .u32 _;",
    right: ".reg .u32 unused;",
  },
  PTX1118: {
    title: "a directive broken over lines",
    why: "`.version` and its number stand on one line.",
    wrong: ".version\n9.0",
    right: ".version 9.0",
  },
  PTX1120: {
    title: "a remainder without blanks",
    why: "`%3` is a name, as `%r3` is: the remainder operator needs a blank behind it.",
    wrong: "mov.u32 a, 7%3;",
    right: "mov.u32 a, 7 % 3;",
  },
  PTX1121: {
    title: "a cast without its dot",
    why: "A cast names its type as everywhere in PTX, with a dot; only `.s64` and `.u64` exist (PTX ISA 4.5.4).",
    wrong: "mov.u64 a, (u64)1;",
    right: "mov.u64 a, (.u64)1;",
  },
  PTX1119: {
    title: "too many mistakes",
    why: "After 100 syntax errors in one text, or 50 errors of meaning in one function, ptxrun stops looking: the text is probably not PTX, or all errors have one cause.",
  },
  PTX1122: {
    title: "text in another language",
    why: "A line of the text is what SASS, C++, LLVM, another assembler, a patch or a compiler's message has, and no line is one that PTX begins with. ptxrun reads PTX, and vISA.",
    wrong: "__global__ void k(int *a) { a[threadIdx.x] = 1; }",
    right: ".version 9.0 ... .entry k(.param .u64 a) { ... }",
  },
});
