import { pages } from "./page.ts";

/** PTX5xxx: valid PTX that ptxrun does not execute. */
export const gap = pages({
  PTX5001: {
    title: "instruction that ptxrun does not execute",
    why: "The program is valid PTX. ptxrun knows the instruction and has no meaning for it, so the run ends where a thread meets it; what ran before is right. All instructions of the manual run. What is left is mov of the address of an element whose index is a register, and a call of what nothing defines or whose list of arguments is open.",
    wrong: ".reg .b32 %r<2>; .shared .b32 t[4]; mov.b32 %r0, t[%r1];",
    right: ".reg .b32 %r<2>; .shared .b32 t[4]; mov.b32 %r0, t; mad.lo.u32 %r0, %r1, 4, %r0;",
  },
});
