import { pages } from "./page.ts";

/** PTX3xxx: faults of the program run. */
export const fault = pages({
  PTX3001: {
    title: "misaligned access",
    why: "An address must be a multiple of the number of bytes accessed; for a vector, of the bytes of the whole vector (PTX ISA 6.4.1). A GPU stops the kernel.",
    wrong: "ld.global.u32 %r1, [%rd1+2];  // %rd1 is a multiple of 4",
    right: "ld.global.u16 %rs1, [%rd1+2];",
  },
  PTX3002: {
    title: "access out of bounds",
    why: "The bytes accessed do not all lie in one allocation of the instruction's state space. The message names the nearest one and how far off the access is. A 32-bit pointer to global memory is out of bounds too: addresses are 64 bits wide.",
    wrong: "st.global.u32 [%rd1+64], %r1;  // %rd1 holds a buffer of 64 bytes",
    right: "st.global.u32 [%rd1+60], %r1;",
  },
  PTX3003: {
    title: "store to memory that cannot be written",
    why: "Constant memory and kernel parameters are read-only for a kernel (PTX ISA 5.1.2, 5.1.6).",
  },
  PTX3004: {
    title: "trap",
    why: "The kernel executed `trap`, which aborts the launch and interrupts the host (PTX ISA 9.7.19).",
  },
  PTX3005: {
    title: "access to memory that was freed",
    why: "The address lies in an allocation that the host, or free of the device, has given back.",
  },
  PTX3020: {
    title: "stack exhausted",
    why: "Each call of a recursive function takes a frame of the thread's stack, as alloca takes what it is asked for. The stack has 16 KiB a thread unless the launch says otherwise; no thread is more than 100000 calls deep.",
    right: "ptxrun deep.ptx --stack 64K",
  },
  PTX3021: {
    title: "call of what is no function",
    why: "The register of an indirect call holds the address of a function of the module (PTX ISA 9.7.12.5). What lies elsewhere cannot be called.",
    wrong: "mov.u64 %rd1, 0;\ncall %rd1, (), proto;",
    right: "mov.u64 %rd1, f;\ncall %rd1, (), proto;",
  },
  PTX3022: {
    title: "call of a function that does not fit",
    why: "An indirect call names its functions in a list, or says in a prototype what they take and give. To call another function is undefined (PTX ISA 9.7.12.5).",
    wrong: ".func f(.param .b32 a) { ret; }\n... mov.u64 %rd1, f; p: .callprototype _ (); call %rd1, (), p;",
    right: ".func f() { ret; }\n... mov.u64 %rd1, f; p: .callprototype _ (); call %rd1, (), p;",
  },
  PTX3023: {
    title: "index behind the list of targets",
    why: "brx.idx goes to the label that its index counts, from 0; a larger index is undefined (PTX ISA 9.7.12.3).",
    wrong: "list: .branchtargets A, B;\nbrx.idx 2, list;",
  },
  PTX3024: {
    title: "stack pointer that nobody saved",
    why: "stackrestore takes what stacksave gave; another value may corrupt the stack (PTX ISA 9.7.17.3).",
  },
  PTX3025: {
    title: "assertion failed",
    why: "Device code called __assertfail, which `assert` of CUDA C++ does when its condition does not hold. The kernel is stopped.",
  },
  PTX3026: {
    title: "free of what malloc has not given",
    why: "free takes an address that malloc of the device gave and that nobody has freed since, or 0.",
  },
});
