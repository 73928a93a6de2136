import { pages } from "./page.ts";

/** PTX13xx: operands of an instruction. */
export const operand = pages({
  PTX1301: {
    title: "wrong number of operands",
    why: "The instruction's syntax fixes how many operands it takes.",
    wrong: "add.f16 d, a;",
    right: "add.f16 d, a, b;",
  },
  PTX1302: {
    title: "register of a wrong type",
    why: "An operand's register has the instruction's width; integers mix with each other and with .bN, floats only with .bN (PTX ISA 9.4). Only ld, st and cvt take wider registers.",
    wrong: ".reg .b32 x; add.f16 d, a, x;",
    right: ".reg .b16 x; add.f16 d, a, x;",
  },
  PTX1303: {
    title: "constant not allowed here",
    why: "Half precision instructions take no constants; float operands take float constants, integer operands integer ones; a destination takes none.",
    wrong: "add.f16 d, a, 1.0;",
    right: "mov.b16 one, 0x3c00;\nadd.f16 d, a, one;",
  },
  PTX1304: {
    title: "destination is no register",
    why: "A result goes into a register.",
    wrong: "add.u32 5, a, b;",
    right: "add.u32 d, a, b;",
  },
  PTX1305: {
    title: "sink not allowed here",
    why: "_ discards one element of a vector or one of a pair of predicates; a whole result cannot be discarded, and nothing can be read from it.",
    wrong: "add.u32 _, a, b;",
    right: "add.u32 unused, a, b;",
  },
  PTX1306: {
    title: "special register not allowed here",
    why: "Special registers are read by mov and by nothing else (PTX ISA 10).",
    wrong: "add.u32 d, %tid.x, 1;",
    right: "mov.u32 t, %tid.x;\nadd.u32 d, t, 1;",
  },
  PTX1307: {
    title: "vector that does not fit",
    why: "A scalar operand takes no vector, and a vector operand takes as many elements as the instruction says. In braces a float register does not stand beside an integer one: ptxas takes only registers of one kind there, and bits with either.",
    wrong: "add.u32 d, {a, b}, c;",
    right: "add.u32 d, a, c;",
  },
  PTX1308: {
    title: "no such component",
    why: "Vector registers have the components x y z w, also called r g b a; scalars have none, and the selectors .b0 to .h1 belong to video instructions.",
    wrong: "add.u32 d, a.h0, b;",
    right: "add.u32 d, v.x, b;",
  },
  PTX1309: {
    title: "predicate needed",
    why: "A guard, a condition or the result of a comparison is a .pred register.",
    wrong: ".reg .b32 q; @q add.u32 d, a, b;",
    right: ".reg .pred q; @q add.u32 d, a, b;",
  },
  PTX1310: {
    title: "operand cannot be negated",
    why: "! works on predicates where the syntax says so, - on constants only; a register is negated by an instruction.",
    wrong: "add.f16 d, -a, b;",
    right: "neg.f16 t, a;\nadd.f16 d, t, b;",
  },
  PTX1311: {
    title: "pair not allowed here",
    why: "Only setp and a few others give two results as p|q.",
    wrong: "add.u32 d|p, a, b;",
    right: "add.u32 d, a, b;",
  },
  PTX1312: {
    title: "register needed",
    why: "Arithmetic works on registers. Memory is read with ld and written with st; mov gives a variable's address.",
    wrong: "add.u32 d, a, [p];",
    right: "ld.global.u32 t, [p];\nadd.u32 d, a, t;",
  },
  PTX1313: {
    title: "arithmetic on a register",
    why: "reg+constant stands in addresses, and after the manner of ptxas where an integer or bits are read from a register; there is no other arithmetic in operands.",
    wrong: "mov.f32 d, a+1;",
    right: "add.f32 d, a, 1.0;",
  },
  PTX1314: {
    title: "variable in another state space",
    why: "The state space of ld, st and cvta must be that of the variable; without one the address is generic, and variables of .const and .param have none until cvta makes it.",
    wrong: ".shared .b32 s; ld.global.b32 d, [s];",
    right: ".shared .b32 s; ld.shared.b32 d, [s];",
  },
  PTX1315: {
    title: "address needed",
    why: "Memory instructions take an address in brackets: [reg], [reg+constant], [variable+constant], and in .local [constant]. Its register is an integer of 64 bits; of 32 or 16, zero-extended, where the state space is smaller: shared, local, constant and parameter memory. ptxas takes 32 bits for global and generic addresses only before PTX 6.3, in programs that it compiles for 32-bit machines; ptxrun does so before PTX 2.3, which brought .address_size.",
    wrong: "ld.global.u32 d, a;",
    right: "ld.global.u32 d, [a];",
  },
  PTX1316: {
    title: "label needed",
    why: "A branch goes to a label of the function.",
    wrong: "bra 5;",
    right: "bra L;\nL:",
  },
  PTX1318: {
    title: "operand not allowed with these modifiers",
    why: "The operand belongs to a modifier that is not written, as a cache policy belongs to .L2::cache_hint.",
    wrong: "ld.global.u32 d, [a], policy;",
    right: "ld.global.L2::cache_hint.u32 d, [a], policy;",
  },
  PTX1320: {
    title: "undeclared name",
    why: "Nothing of this name is declared here: no register, variable, label or function, and no special register.",
    wrong: ".reg .b32 a; mov.b32 a, aa;",
    right: ".reg .b32 a, aa; mov.b32 a, aa;",
  },
  PTX1325: {
    title: "parameter used the wrong way",
    why: "A function's parameters are read and its results are written; neither is passed on in a call, and a variable that passes an argument has no address (PTX ISA 5.1.6.4).",
    wrong: ".func f(.param .b32 a) { st.param.b32 [a], 1; ret; }",
    right: ".func (.param .b32 r) f() { st.param.b32 [r], 1; ret; }",
  },
  PTX1326: {
    title: "texture, sampler or surface expected",
    why: "A texture is named by a .texref variable or parameter of the kernel, a sampler by a .samplerref, a surface by a .surfref; a .u64 register may hold the handle of each (PTX ISA 5.3, Texture Instructions).",
    wrong: ".global .texref tex;\n... .reg .b32 %r<3>; suld.b.1d.b32.trap %r1, [tex, {%r2}];",
    right: ".global .surfref surf;\n... .reg .b32 %r<3>; suld.b.1d.b32.trap %r1, [surf, {%r2}];",
  },
});
