import { pages } from "./page.ts";

/** PTX85xx: vISA objects, read (850x) and written (852x). */
export const visaObject = pages({
  PTX8501: {
    title: "no vISA object",
    why: 'A vISA object begins with the four bytes "CISA" (manual 4, common_isa_header).',
  },
  PTX8502: {
    title: "object of a version that is not read",
    why: "Objects of versions 3.4 to 4.1 are read. Older ones have narrower indices, and from 4.2 on there are only texts.",
  },
  PTX8503: {
    title: "object that ends too soon",
    why: "A field begins or goes on behind the end of the file, or behind the end that the header gives the kernel. The file is cut off, or a count in it is too large.",
  },
  PTX8504: {
    title: "number of nothing",
    why: "Objects name strings, variables, predicates, addresses and labels by their numbers in tables. Variables count from 32 (below are the predefined ones), surfaces from 6, predicates from 1, the others from 0; a label that is used stands in the code once.",
  },
  PTX8505: {
    title: "part of an object in a place where it cannot be",
    why: "Kernels follow the header, within the file, and share no bytes; the code of a kernel lies behind its tables and within its object.",
  },
  PTX8506: {
    title: "value that means nothing in an object",
    why: "A type, alignment, execution size, region, modifier or operand class is one that the format reserves, or that the instruction does not take.",
  },
  PTX8507: {
    title: "opcode that ptxrun does not know",
    why: "Instructions have no length in an object, so that nothing behind an unknown one can be read. ptxrun knows add and its neighbours: arithmetic, logic, shifts, comparisons, moves and branches.",
  },
  PTX8508: {
    title: "part of an object that is not read",
    why: "File variables, relocations, VME variables and functions without a body have no place in ptxrun's vISA.",
  },
  PTX8509: {
    title: "part of an object that text cannot say",
    why: "A name in an object may be any bytes, and two variables may have the same one; text gets V32, P1, A0, L0 and the like instead, by the variable's number. Code that was compiled for a GPU is left out.",
  },
  PTX8521: {
    title: "statement without a binary form",
    why: "Fields of an object have few bits: a region is made of 0, 1, 2, 4, 8, 16 and 32, a row and a column are below 256, an offset has 16 bits. An instruction that ptxrun does not know has no binary form here.",
    wrong: "add (M1, 8) X(0,0)<1> X(0,0)<3;3,1> 1:d",
    right: "add (M1, 8) X(0,0)<1> X(0,0)<4;4,1> 1:d",
  },
});
