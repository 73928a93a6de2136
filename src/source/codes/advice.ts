import { pages } from "./page.ts";

/** PTX9xxx: notes of lint. */
export const advice = pages({
  PTX9001: {
    title: "modifier behind the type",
    why: "ptxas takes modifiers in any order as long as types keep theirs. Readers take the type for the end of the name, and miss what stands behind it. Other orders than the manual's, which compilers and libraries write, draw no note.",
    wrong: "add.f16.sat d, a, b;",
    right: "add.sat.f16 d, a, b;",
  },
  PTX9002: {
    title: "modifier said twice",
    why: "ptxas lets .sat, .relu, .NaN, .approx and .cc be repeated; it changes nothing.",
    wrong: "add.sat.sat.f16 d, a, b;",
    right: "add.sat.f16 d, a, b;",
  },
  PTX9004: {
    title: "carry flag read before anything sets it",
    why: "addc, subc and madc read CC.CF, which an instruction with .cc sets (PTX ISA, Extended-Precision Integer Arithmetic). On some way to this one there is none, and at the start of a kernel or a function the flag has no value that the manual promises. ptxrun takes 0. A run can be given the flag with -r cc.cf=1.",
    wrong: "add.u32 %r1, %r2, %r3;\naddc.u32 %r4, %r5, %r6;",
    right: "add.cc.u32 %r1, %r2, %r3;\naddc.u32 %r4, %r5, %r6;",
  },
  PTX9003: {
    title: "last semicolon of a snippet missing",
    why: "Every instruction ends with a semicolon, and ptxas insists on it. A snippet may leave out its last one, as some of the manual's examples do.",
    wrong: "add.f16 d, a, b",
    right: "add.f16 d, a, b;",
  },
  PTX9005: {
    title: "the seed that failed",
    why: "With --seeds a run is repeated with one order of warps and blocks after the other, until one fails. The same seed gives the same order on every machine.",
  },
  PTX9007: {
    title: "all seeds agree",
    why: "Each order of warps and blocks that --seeds asked for ran to its end without a finding and left the same registers, buffers and variables behind, of those that --dump shows.",
  },
  PTX9019: {
    title: "module for another target",
    why: "A text may hold several modules, each with its own .version, as cuobjdump -ptx prints them. Where two of them have a kernel of the same name they are one module for two targets: the newest is taken, or the newest up to --target, as a driver does. ptxas takes one module a file.",
    wrong: ".version 8.0\n.target sm_80\n.entry k() { ret; }\n.version 8.0\n.target sm_90\n.entry k() { ret; }",
    right: ".version 8.0\n.target sm_90\n.entry k() { ret; }",
  },
  PTX9021: {
    title: "target replaced",
    why: "--target names another target than the text's .target, and counts in its place: for what is accepted, and for whose tensor cores compute. The version of PTX stays, though a newer target may ask for a newer one. A file with several modules is left alone, because --target chooses among them. --arch replaces the tensor cores alone.",
  },
  PTX9020: {
    title: "instruction that ptxrun does not execute",
    why: "lint says once for each spelling which instructions of a file ptxrun knows and checks, but does not execute. A run is right up to the first of them that a thread meets, and ends there with PTX5001 and exit 5. The note does not change lint's own exit code.",
  },
  PTX9006: {
    title: "word of testp on another instruction",
    why: "ptxas takes one of .finite, .infinite, .number, .notanumber, .normal and .subnormal on every instruction. Only testp does something with it.",
    wrong: "abs.finite.f32 d, a;",
    right: "abs.f32 d, a;",
  },
  PTX9010: {
    title: "header assumed",
    why: "A module begins with .version and .target, which a paste from Compiler Explorer may lack. ptxrun then takes the newest version, or the last one that has what the text uses, and the least target from sm_90 on that has all its instructions (sm_90a for wgmma, sm_100a for tcgen05). ptxas insists on both directives. --ptx and --target stand in for them.",
    wrong: ".entry k() { ret; }",
    right: ".version 9.0\n.target sm_90\n.entry k() { ret; }",
  },
  PTX9011: {
    title: "registers inferred",
    why: "A body that declares no register at all is what Compiler Explorer shows with its filter of directives. ptxrun then gives each register the type on which its uses agree, and where they leave it open the one that compilers give to its name (%r 32 bits, %rd 64, %f .f32, %fd .f64, %rs 16 bits, %p a predicate). ptxas takes no undeclared register.",
    wrong: ".entry k() { mov.u32 %r1, 5; }",
    right: ".entry k() { .reg .b32 %r<2>; mov.u32 %r1, 5; }",
  },
  PTX9012: {
    title: "characters that look like blanks, quotes or minus signs",
    why: "Pages, chats and word processors put other blanks (U+00A0), blanks of no width (U+200B), round quotes and long dashes for plain ones. ptxrun takes them for what they look like; ptxas takes ASCII only.",
    wrong: "add.u32\u00a0a, b, c;",
    right: "add.u32 a, b, c;",
  },
  PTX9013: {
    title: "marks of a copy",
    why: "A fence around a text, the numbers of its lines, a `>` in front of each, and `&lt;` for `<` come from the page that it was copied from, headings from cuobjdump, a first line such as `square(int*, int):` from a disassembler, and `asm(...)` from a program in CUDA C++. ptxrun passes over them; ptxas does not.",
    wrong: "```ptx\nadd.u32 a, b, c;\n```",
    right: "add.u32 a, b, c;",
  },
  PTX9014: {
    title: "function of the driver without a declaration",
    why: "vprintf, malloc, free and __assertfail belong to the driver, and every text that nvcc makes declares those that it calls. Where a filter has hidden the declaration, ptxrun knows what they take. ptxas insists on it.",
    wrong: ".version 8.0\n.target sm_80\n.entry k() { .param .b64 a; call free, (a); ret; }",
    right:
      ".version 8.0\n.target sm_80\n.extern .func free(.param .b64 p);\n.entry k() { .param .b64 a; call free, (a); ret; }",
  },
  PTX9015: {
    title: "function whose code is not in the text",
    why: "A site may fold away the functions of libraries, and only their calls remain. What does not reach such a call runs; a thread that does ends the run with exit code 5, because nobody knows what the function would do. The way out is the whole text: Compiler Explorer's filter of library functions is a box to untick, and nvcc -ptx writes all.",
  },
  PTX9016: {
    title: "body without a head",
    why: "Compiler Explorer's filter of directives hides the line of a kernel without parameters, `.visible .entry k()`, and leaves its body. In a text without .version ptxrun passes over such a body: nobody knows what it is called. The other kernels run.",
    wrong: "{ ret; }\n.entry k(.param .u32 n) { ret; }",
    right: ".entry j() { ret; }\n.entry k(.param .u32 n) { ret; }",
  },
  PTX9017: {
    title: "component behind a vector of two",
    why: "A .v2 register has the components .x and .y. ptxas 13.0 takes .z and .w of it too, and keeps what is written there, apart from the vector: ld.v2, st.v2 and a mov of the whole do not see it.",
    wrong: ".reg .v2 .f32 v; mov.f32 v.z, a;",
    right: ".reg .v4 .f32 v; mov.f32 v.z, a;",
  },
  PTX9018: {
    title: "register plus a constant as an operand",
    why: "The manual has such a sum in addresses and cvta only. ptxas 13.0 takes it wherever an integer or bits are read from a register, and adds before the instruction, in the register's width; so does ptxrun.",
    wrong: "mul.lo.u32 d, a, b+1;",
    right: "add.u32 c, b, 1; mul.lo.u32 d, a, c;",
  },
  PTX9022: {
    title: "header that is too old in several places",
    why: "Where several instructions need a newer .target or .version, the note counts which need which, and names the least target, with the least version that knows it, that has all that the text uses. Where no target has all of it, the text is for several machines and has to be taken apart.",
    wrong:
      ".version 8.0\n.target sm_80\n.entry k() { .reg .pred p; wgmma.fence.sync.aligned; elect.sync _|p, -1; ret; }",
    right:
      ".version 8.0\n.target sm_90a\n.entry k() { .reg .pred p; wgmma.fence.sync.aligned; elect.sync _|p, -1; ret; }",
  },
});
