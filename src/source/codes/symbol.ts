import { pages } from "./page.ts";

/** PTX14xx: declarations, symbols, labels, scopes. */
export const symbol = pages({
  PTX1401: {
    title: "name declared twice",
    why: "Registers, variables, parameters and labels of one block share one namespace; inner blocks may reuse a name (PTX ISA 5.4).",
    wrong: ".reg .b32 %r<10>;\n.reg .f32 %r5;",
    right: ".reg .b32 %r<10>;\n.reg .f32 %f5;",
  },
  PTX1402: {
    title: "no such type",
    why: "Registers and variables have fundamental types (.b8 to .b128, .u8 to .u64, .s8 to .s64, .f16 .f16x2 .f32 .f64, .pred); .bf16, .tf32 and the 8-bit floats are types of instructions only (PTX ISA 5.2).",
    wrong: ".reg .bf16 h;",
    right: ".reg .b16 h;",
  },
  PTX1403: {
    title: "type not allowed here",
    why: "Predicates are registers only and never vectors; vectors have at most 128 bits; .param takes no vectors; textures, samplers and surfaces are module variables in .global or kernel parameters.",
    wrong: ".global .pred p;",
    right: ".reg .pred p;",
  },
  PTX1404: {
    title: "registers are not arrays",
    why: "A register has no address and no index. %r<10> declares ten of them (PTX ISA 5.4.6).",
    wrong: ".reg .b32 a[4];",
    right: ".reg .b32 a<4>;",
  },
  PTX1405: {
    title: "alignment that is no power of two",
    why: "Addresses are multiples of 1, 2, 4, 8 and so on (PTX ISA 5.4.5).",
    wrong: ".global .align 3 .b8 g;",
    right: ".global .align 4 .b8 g;",
  },
  PTX1406: {
    title: "array without a length",
    why: "Only an .extern array, an array with initial values and the last parameter of a function may leave its first length open (PTX ISA 5.4.3).",
    wrong: ".shared .b8 s[];",
    right: ".extern .shared .b8 s[];",
  },
  PTX1407: {
    title: "too large for its space",
    why: "Constant memory has 64 KiB, a kernel's parameters 4352 bytes (32764 from PTX 8.1 and sm_70), and no array passes 2^53 bytes.",
    wrong: ".const .b8 c[65537];",
    right: ".global .b8 c[65537];",
  },
  PTX1408: {
    title: "state space not allowed here",
    why: "Module scope holds .global, .const and .shared variables; .reg, .local and .param live in functions; .tex, .sreg and numbered constant banks are gone from the language (PTX ISA 5.1). Texts up to PTX 2.3 may have .local at module scope, up to 1.4 .tex.",
    wrong: ".reg .b32 r;\n.entry k() { ret; }",
    right: ".entry k() { .reg .b32 r; ret; }",
  },
  PTX1409: {
    title: "linkage that contradicts",
    why: ".common is for .global variables, .extern for what is defined elsewhere, and all declarations of a name agree on its linkage (PTX ISA 11.6).",
    wrong: ".extern .func f() { ret; }",
    right: ".func f() { ret; }",
  },
  PTX1410: {
    title: "declared, never defined",
    why: "A function, kernel or array of open length that is used by nobody outside needs its definition in the module.",
    wrong: ".entry k();",
    right: ".entry k() { ret; }",
  },
  PTX1411: {
    title: "declarations that differ",
    why: "A name declared again must be declared the same: kind, type, size and parameters.",
    wrong: ".func f(.param .b32 a);\n.func f(.param .b64 a) { ret; }",
    right: ".func f(.param .b64 a);\n.func f(.param .b64 a) { ret; }",
  },
  PTX1412: {
    title: "parameter that a function cannot have",
    why: "Kernels take .param only; functions .param or .reg; one .param result at most; .ptr is for kernels (PTX ISA 5.1.6, 7.1).",
    wrong: ".entry k(.reg .b32 a) { ret; }",
    right: ".entry k(.param .b32 a) { ret; }",
  },
  PTX1413: {
    title: "alias that does not fit",
    why: ".alias gives a second name, declared before and not defined, to a device function with the same parameters (PTX ISA 11.5.14).",
    wrong: ".func f() { ret; }\n.alias g, f;",
    right: ".func f() { ret; }\n.func g();\n.alias g, f;",
  },
  PTX1414: {
    title: "directive that does not fit",
    why: "Performance directives take positive numbers, one to three for thread counts, and some exclude or need each other (PTX ISA 11.4).",
    wrong: ".entry k() .maxntid 0 { ret; }",
    right: ".entry k() .maxntid 256 { ret; }",
  },
  PTX1415: {
    title: "directive or attribute that does not exist",
    why: "Variables have the attributes .managed and .unified; .maxnctapersm ended with PTX 2.1 (PTX ISA 5.4.8, 11.4).",
    wrong: ".entry f() .maxnctapersm 2 { ret; }",
    right: ".entry f() .maxntid 128 .minnctapersm 2 { ret; }",
  },
  PTX1416: {
    title: "list of targets with a wrong name",
    why: ".branchtargets names labels of the function, .calltargets device functions; both stand behind a label of their own (PTX ISA 11.3).",
    wrong: "list: .branchtargets nowhere;",
    right: "list: .branchtargets here;\nhere:",
  },
  PTX1417: {
    title: "file index given twice",
    why: "Each .file has its own index, which .loc refers to (PTX ISA 11.5.2).",
    wrong: '.file 1 "a.cu"\n.file 1 "b.cu"',
    right: '.file 1 "a.cu"\n.file 2 "b.cu"',
  },
  PTX1418: {
    title: "sampler in unified texture mode",
    why: "In .target texmode_unified, the default, a texture carries its sampler; .samplerref needs texmode_independent (PTX ISA 5.3).",
    wrong: ".global .samplerref s;",
    right: ".target sm_90, texmode_independent ... .global .samplerref s;",
  },
  PTX1419: {
    title: "debug data of a wrong kind",
    why: "A .section holds .b8, .b16, .b32 and .b64 lines: integers in range, labels, section names; .loc ... inlined_at refers to an earlier .loc. A .loc_intermediate stands right behind a .loc and names a .file, as each .code_block of a .nv_intermediate_source_section does (PTX ISA 11.5).",
    wrong: ".loc 1 2 3, function_name info, inlined_at 1 1 1",
    right: ".loc 1 1 1\n.loc 1 2 3, function_name info, inlined_at 1 1 1",
  },
  PTX1420: {
    title: "pragma that means nothing here",
    why: "A few strings are known, each in its place and with its argument: used_bytes_mask describes the load that follows it, so it stands in a body (PTX ISA 12). ptxas refuses any other string at module scope, and passes over it in a kernel.",
    wrong: '.pragma "used_bytes_mask 0xf";\n.entry k() { ret; }',
  },
  PTX1421: {
    title: "call of no function",
    why: "A function is declared before it is called; a register may hold the address of one (PTX ISA, call).",
    wrong: "call later;",
    right: ".func later() { ret; }\n... call later;",
  },
  PTX1422: {
    title: "argument that does not fit",
    why: "A call passes as many arguments and takes as many results as the function declares, each of a type that fits: bits go with everything of their width, integers with integers, floats with floats of their width. `.param` variables also agree in size and alignment (PTX ISA, call).",
    wrong: ".func f(.param .b32 a) { ret; }\n... .reg .b64 x; call f, (x);",
    right: ".func f(.param .b32 a) { ret; }\n... .reg .b32 x; call f, (x);",
  },
  PTX1423: {
    title: "indirect call that does not say what it may reach",
    why: "A call through a register names a .callprototype, a .calltargets list or a variable that is initialised with functions, each before the call (PTX ISA, call).",
    wrong: ".reg .b64 f;\n.reg .b32 x;\ncall f, (x);",
    right: ".reg .b64 f;\n.reg .b32 x;\nproto: .callprototype _ (.param .b32 _);\ncall f, (x), proto;",
  },
  PTX1430: {
    title: "undeclared register used in two widths",
    why: "A snippet's undeclared registers get the width their uses agree on; these two do not agree.",
    wrong: "add.f16 a, b, c;\nadd.f64 a, d, e;",
    right: "add.f16 a, b, c;\nadd.f64 x, d, e;",
  },
  PTX1432: {
    title: "module variable in a snippet",
    why: "A snippet is the body of a kernel without a module, so nothing holds .global and .const variables.",
    wrong: ".global .u32 g;\nld.global.u32 a, [g];",
    right: ".shared .u32 s;\nld.shared.u32 a, [s];",
  },
});
