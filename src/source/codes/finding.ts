import { pages } from "./page.ts";

/** PTX4xxx: sanitizer findings. */
export const finding = pages({
  PTX4001: {
    title: "read of uninitialised memory",
    why: "Nothing has written the bytes since they were allocated: neither the program nor the host. On a GPU they hold whatever was there before. ptxrun reads zeros, says so once an instruction, and goes on. In local memory it is a note, as for registers: compilers copy structs there with their holes. The same for the result of a function that is run by itself and does not write it. `--sanitize mem` leaves the check out.",
    wrong: ".shared .b32 s;\nld.shared.u32 %r1, [s];",
    right: "st.shared.u32 [s], %r0;\nld.shared.u32 %r1, [s];",
  },
  PTX4002: {
    title: "data race",
    why: "Two threads access one byte, at least one of them stores, and nothing orders the two: no barrier, no instruction among lanes, no release that the other acquired (PTX ISA 8.7.1). Which comes first is chance on a GPU, and the value may be either or, with several bytes, neither. Atomics, and loads and stores with .relaxed or .volatile, do not race with each other where the scope of each includes the other's thread (8.7): .cta is not enough between two blocks. `--sanitize race` looks for races, whatever order the run took; it makes a run many times slower.",
    wrong: "st.shared.u32 [%r1], %r2;\nld.shared.u32 %r3, [%r4];",
    right: "st.shared.u32 [%r1], %r2;\nbar.sync 0;\nld.shared.u32 %r3, [%r4];",
  },
  PTX4010: {
    title: "a result that depends on the order of warps and blocks",
    why: "Two seeds of --seeds left different values behind. Nothing orders threads but barriers, atomics and the instructions among lanes; a result that changes with the schedule is a race, or sums floats in the order of arrival.",
  },
  PTX4011: {
    title: "barrier of the whole block without the whole block",
    why: "A barrier without a count is for all threads of the block; some have exited without coming to it. Since sm_70 a GPU waits only for threads that have not exited, so the kernel goes on; before, it hung, and code that reads what the missing threads should have written is wrong everywhere. `--sanitize mem,init` leaves the check out.",
    wrong: "@p exit;\nbar.sync 0;",
    right: "@p bra L;\n  // the work\nL: bar.sync 0;",
  },
});
