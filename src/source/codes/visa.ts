import { pages } from "./page.ts";

/** PTX80xx to PTX84xx: vISA texts, and what is known of their kernels. */
export const visa = pages({
  PTX8001: {
    title: "characters without meaning in vISA",
    why: "A vISA text is made of names, numbers, the punctuation of operands, and comments with // or /* */. There is no # and no semicolon at the end of a line.",
    wrong: "add (M1, 8) X(0,0)<1> Y(0,0)<8;8,1> 1:d # one",
    right: "add (M1, 8) X(0,0)<1> Y(0,0)<8;8,1> 1:d // one",
  },
  PTX8002: {
    title: "line that does not follow the grammar",
    why: "One statement stands on one line. An instruction is written [(P1)] add[.sat] (M1, 8) dst src0 src1, with blanks and no commas between operands; a source has its whole region <v;w,h>, a destination only <h>.",
    wrong: "add (M1, 8) X(0,0)<1>, Y(0,0)<8;8,1>, 1:d",
    right: "add (M1, 8) X(0,0)<1> Y(0,0)<8;8,1> 1:d",
  },
  PTX8003: {
    title: "version missing or out of place",
    why: ".version N.M is the first statement of a file and stands there once.",
    wrong: '.kernel "k"\n.version 3.8',
    right: '.version 3.8\n.kernel "k"',
  },
  PTX8004: {
    title: "no kernel",
    why: "Declarations and instructions belong to the .kernel (or .global_function) before them.",
    wrong: ".version 3.8\nret (M1, 1)",
    right: '.version 3.8\n.kernel "k"\nret (M1, 1)',
  },
  PTX8005: {
    title: "comment never closed",
    why: "A comment that begins with /* ends with */.",
    wrong: "/* ret (M1, 1)",
    right: "/* ret */",
  },
  PTX8101: {
    title: "name declared twice",
    why: "Variables, predicates, addresses and labels of one scope share their names. An inner scope may use a name again.",
    wrong: ".decl X v_type=G type=d num_elts=8\n.decl X v_type=G type=f num_elts=8",
    right: ".decl X v_type=G type=d num_elts=8\n.decl Y v_type=G type=f num_elts=8",
  },
  PTX8102: {
    title: "name that is not declared",
    why: "A variable, predicate or address is declared before it is used; a label stands in the same kernel; only the predefined variables (%r0, %sp, %cr0 ...) need no declaration.",
    wrong: "add (M1, 8) X(0,0)<1> Nobody(0,0)<8;8,1> 1:d",
    right: ".decl X v_type=G type=d num_elts=8\nadd (M1, 8) X(0,0)<1> X(0,0)<8;8,1> 1:d",
  },
  PTX8103: {
    title: "name of another kind",
    why: "General variables have elements, predicates guard, addresses stand within r[...]; none of them can stand for another.",
    wrong: ".decl P1 v_type=P num_elts=8\nadd (M1, 8) P1(0,0)<1> X(0,0)<8;8,1> 1:d",
    right: "(P1) add (M1, 8) X(0,0)<1> X(0,0)<8;8,1> 1:d",
  },
  PTX8104: {
    title: "declaration that cannot be",
    why: "A general variable has v_type=G, a type with elements (not bool, v, uv, vf), num_elts of at least 1 and at most 256 registers; a predicate has 1, 2, 4, 8, 16 or 32 elements, an address 1 to 16, and neither has a type.",
    wrong: ".decl P1 v_type=P num_elts=3",
    right: ".decl P1 v_type=P num_elts=4",
  },
  PTX8105: {
    title: "alias that begins outside of its root",
    why: "alias=<Y, bytes> lays a variable over another one, from a byte of it on.",
    wrong: ".decl Y v_type=G type=d num_elts=8\n.decl X v_type=G type=w num_elts=4 alias=<Y, 32>",
    right: ".decl Y v_type=G type=d num_elts=8\n.decl X v_type=G type=w num_elts=4 alias=<Y, 24>",
  },
  PTX8106: {
    title: "input of another size than its variable",
    why: "What .input loads is the whole variable.",
    wrong: ".decl X v_type=G type=d num_elts=8\n.input X offset=32 size=100",
    right: ".decl X v_type=G type=d num_elts=8\n.input X offset=32 size=32",
  },
  PTX8107: {
    title: "reserved word as a name",
    why: "Every opcode of vISA is a word of its own, and cannot name a variable.",
    wrong: ".decl add v_type=G type=d num_elts=8",
    right: ".decl sum v_type=G type=d num_elts=8",
  },
  PTX8201: {
    title: "no such instruction",
    why: "The opcode is none of vISA's, or the modifier is none that it takes.",
    wrong: "add.eq (M1, 8) X(0,0)<1> Y(0,0)<8;8,1> Z(0,0)<8;8,1>",
    right: "add.sat (M1, 8) X(0,0)<1> Y(0,0)<8;8,1> Z(0,0)<8;8,1>",
  },
  PTX8202: {
    title: "operands that the instruction does not take",
    why: "Each instruction has a fixed number of operands, and each of them has its kinds: elements, an immediate, a predicate, an address, a label.",
    wrong: "add (M1, 8) X(0,0)<1> Y(0,0)<8;8,1>",
    right: "add (M1, 8) X(0,0)<1> Y(0,0)<8;8,1> 1:d",
  },
  PTX8203: {
    title: "types that do not go together",
    why: "Integers of all widths and signs mix freely; df stands alone; f mixes with hf, and with bf where the platform has it; integers and floats do not mix except in mov.",
    wrong: "add (M1, 8) F(0,0)<1> F(0,0)<8;8,1> 1:d",
    right: "add (M1, 8) F(0,0)<1> F(0,0)<8;8,1> 1.0:f",
  },
  PTX8204: {
    title: "execution mask or size that cannot be",
    why: "An instruction has 1, 2, 4, 8, 16 or 32 channels. Mask Mk begins at channel 4(k-1): 32 channels take M1, 16 take M1 or M5, 8 take M1, M3, M5 or M7, fewer take any.",
    wrong: "add (M2, 8) X(0,0)<1> Y(0,0)<8;8,1> 1:d",
    right: "add (M3, 8) X(0,0)<1> Y(0,0)<8;8,1> 1:d",
  },
  PTX8205: {
    title: "region that cannot be",
    why: "In <v;w,h> v is 0, 1, 2, 4, 8, 16 or 32, w is 1, 2, 4, 8 or 16 and at most the execution size, h is 0, 1, 2 or 4. A destination has h of 1, 2 or 4.",
    wrong: "add (M1, 8) X(0,0)<1> Y(0,0)<16;16,1> 1:d",
    right: "add (M1, 8) X(0,0)<1> Y(0,0)<8;8,1> 1:d",
  },
  PTX8206: {
    title: "source modifier that the instruction does not take",
    why: "Arithmetic takes (-), (abs) and (-abs); logic takes (~).",
    wrong: "add (M1, 8) X(0,0)<1> (~)Y(0,0)<8;8,1> 1:d",
    right: "not (M1, 8) X(0,0)<1> Y(0,0)<8;8,1>",
  },
  PTX8207: {
    title: "immediate that cannot be",
    why: "An immediate is an integer or a decimal with its type behind a colon. A decimal needs digits on both sides of its point, and a sign in its exponent; hf is written as bits, 0x3c00:hf; there are none of type bf and bool.",
    wrong: "add (M1, 8) H(0,0)<1> H(0,0)<8;8,1> 1.0:hf",
    right: "add (M1, 8) H(0,0)<1> H(0,0)<8;8,1> 0x3c00:hf",
  },
  PTX8208: {
    title: "predefined variable that cannot be written",
    why: "%r0, %thread_x and their like tell where a thread is. %null, %sp, %cr0 and a few others may be written.",
    wrong: "add (M1, 8) %r0(0,0)<1> X(0,0)<8;8,1> 1:d",
    right: "add (M1, 8) X(0,0)<1> %r0(0,0)<8;8,1> 1:d",
  },
  PTX8209: {
    title: "not on this platform",
    why: "Elements of type bf need XeHP, DG2, PVC or Xe2; immediates of type vf exist before Xe2; a platform has 128 or 256 registers for all variables. The option --platform chooses.",
  },
  PTX8301: {
    title: "integer where a decimal may be meant",
    why: "1:f is not the number 1: an integer in front of f or df is the bits, and 1:f is about 1.4e-45.",
    wrong: "add (M1, 8) F(0,0)<1> F(0,0)<8;8,1> 1:f",
    right: "add (M1, 8) F(0,0)<1> F(0,0)<8;8,1> 1.0:f",
  },
  PTX8302: {
    title: "immediate that does not fit its type",
    why: "Intel's tool keeps the low bits, and reads decimal digits into 32 bits whatever the type. ptxrun keeps the low bits, too, but takes all digits of a q or uq.",
    wrong: "add (M1, 8) B(0,0)<1> B(0,0)<8;8,1> 300:b",
    right: "add (M1, 8) B(0,0)<1> B(0,0)<8;8,1> 44:b",
  },
  PTX8303: {
    title: "hf and f in one instruction",
    why: "The manual's table of types does not mix them; Intel's verifier lets it pass, and so does ptxrun: it computes in f and rounds the result to hf.",
  },
  PTX8304: {
    title: "region beyond its variable",
    why: "Intel's verifier warns and reads whatever lies in the neighbouring register. In ptxrun the instruction is a fault when it runs.",
    wrong: ".decl X v_type=G type=d num_elts=8\nadd (M1, 8) X(0,0)<1> X(0,4)<8;8,1> 1:d",
    right: ".decl X v_type=G type=d num_elts=16\nadd (M1, 8) X(0,0)<1> X(0,4)<8;8,1> 1:d",
  },
  PTX8305: {
    title: "kernel attribute that nobody knows",
    why: "Intel's tools of 2020 and 2022 ignore it, that of 2024 stops with an internal error.",
    wrong: ".kernel_attr Foo=1",
    right: ".kernel_attr SimdSize=16",
  },
  PTX8306: {
    title: "address offset beyond -512 to 511",
    why: "The instruction word has 10 bits for it; Intel's tools wrap it around (512 becomes -512). ptxrun adds it as it is written.",
    wrong: "add (M1, 8) X(0,0)<1> X(0,0)<8;8,1> r[A0(0),512]<8;8,1>:d",
    right: "addr_add (M1, 1) A0(0)<1> A0(0)<1> 512:uw",
  },
  PTX8307: {
    title: "type of a snippet's variable",
    why: "A line by itself does not say what its variables hold. An immediate beside them does; otherwise ptxrun takes dwords. A .decl settles it.",
    wrong: "add (M1, 8) X(0,0)<1> Y(0,0)<8;8,1> Z(0,0)<8;8,1>",
    right: ".decl X v_type=G type=f num_elts=8",
  },
  PTX8308: {
    title: "more channels than a packed immediate has elements",
    why: "V and UV pack eight elements, VF four. The manual does not say what further channels get; ptxrun begins again with the first.",
    wrong: "mov (M1, 16) X(0,0)<1> 0x76543210:v",
    right: "mov (M1, 8) X(0,0)<1> 0x76543210:v",
  },
  PTX8309: {
    title: ".any or .all of another number of channels than the predicate has",
    why: "The manual reduces the channels of the instruction; code that Intel's compiler makes reduces the whole predicate. They differ where the sizes do. ptxrun follows the manual.",
    wrong: ".decl P2 v_type=P num_elts=16\n(P2.any) add (M1, 8) X(0,0)<1> X(0,0)<8;8,1> 1:d",
    right: ".decl P2 v_type=P num_elts=8\n(P2.any) add (M1, 8) X(0,0)<1> X(0,0)<8;8,1> 1:d",
  },
  PTX8310: {
    title: "modifier of a source narrower than a 64-bit destination",
    why: "Some platforms negate at the width of the source, others at 64 bits: the lowest integer and what is unsigned then give different results. ptxrun widens first.",
    wrong: "add (M1, 8) Q(0,0)<1> (-)X(0,0)<8;8,1> 1:d",
    right: "mov (M1, 8) Q(0,0)<1> X(0,0)<8;8,1>\nadd (M1, 8) Q(0,0)<1> (-)Q(0,0)<8;8,1> 1:d",
  },
  PTX8401: {
    title: ".zeinfo that is no .zeinfo",
    why: "Intel's compiler writes beside a dump which inputs each kernel has and where they lie in its payload, in a simple YAML. ptxrun reads that alone: key: value, and - before each item of a list.",
  },
  PTX8402: {
    title: ".zeinfo of another kernel",
    why: "Only the .zeinfo of the same compilation says what a dump's inputs are. One dump folder can hold several dumps of a kernel, compiled for 32, 16 and 8 work-items a thread; the .zeinfo describes the one that was taken.",
  },
  PTX8403: {
    title: "input that the .zeinfo does not describe",
    why: "Each .input lies in the payload of the launch, and the .zeinfo says what stands there. Where it does not, it comes from another compilation, or names a kind of input that ptxrun does not know.",
  },
});
