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
    why: "The address lies in an allocation that the host has given back.",
  },
});
