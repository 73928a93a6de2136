import { pages } from "./page.ts";

/** PTX6xxx: limits reached. */
export const limit = pages({
  PTX6001: {
    title: "too many steps",
    why: "The launch executed as many warp instructions as `--max-steps` allows. A loop that never ends looks like this: one that waits for what no thread writes, or for a thread that waits at a barrier for this one. The message says where the loop is, what it reads again and again where it does nothing else, and who waits meanwhile. Where the program only needs longer, allow more steps.",
    wrong:
      "@p bra wait;  // p is false in lane 0, which sets flag only behind wait\nspin: ld.volatile.shared.u32 %r1, [flag];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra spin;\nwait: barrier.sync 0;",
    right: "ptxrun long.ptx --max-steps 1G  // where it is no mistake",
  },
  PTX6002: {
    title: "too much memory",
    why: "The launch needs more room for the registers, shared and local memory of a block and for its parameters than `--max-mem` leaves. The message says how much a block takes. Where the process may not have twice as much address space (`ulimit -v`), ptxrun takes half of what there is, and says so.",
  },
  PTX6003: {
    title: "no room left in the device's memory",
    why: "All buffers and module variables together, and each file whose contents a buffer takes, must stay below `--max-mem`, which is 1 GiB unless told otherwise and just under 2 GiB at most. It counts the program's bytes: each that is touched takes ptxrun two, since a second one says whether it was written, and the contents of a buffer are held once more while they are put there. Where the process may not have twice as much address space (`ulimit -v`), ptxrun takes half of what there is, and says so.",
    right: "ptxrun big.ptx --max-mem 1900M",
  },
  PTX6004: {
    title: "a text that is too large",
    why: "A text that ptxrun reads (PTX, vISA, a script, a sidecar, a snapshot; from a file or from standard input) has at most 256 MiB. No compiler writes a larger one, and a stream without an end must not fill the machine's memory.",
  },
  PTX6005: {
    title: "too much memory for loading",
    why: "Reading a text takes about 400 bytes for each of its words, numbers and signs. A text, with all kernels and functions of it that are read, may take as much as `--max-mem` says (1 GiB unless told otherwise, 4 MiB at least), besides the device's memory. The message points at the first part that has no room.",
    right: "ptxrun big.ptx --max-mem 4G",
  },
  PTX6006: {
    title: "too much to print",
    why: "At most 1048576 elements of buffers and 131072 registers are printed; `--dump NAME=@FILE` writes a buffer of any size to a file.",
    wrong: "ptxrun k.ptx -a x=u32x200000000 -d x",
    right: "ptxrun k.ptx -a x=u32x200000000 -d x=@x.npy",
  },
  PTX6007: {
    title: "too much memory for the race detector",
    why: "With `--sanitize race` ptxrun keeps, for each word of shared and global memory, who wrote it last and who has read it since: about 500 bytes a word that a thread has accessed, more for words that many threads read. All of it may take as much as `--max-mem` says (1 GiB unless told otherwise, 4 MiB at least), besides the device's memory. The message says what it takes.",
    wrong: "ptxrun big.ptx --sanitize race --max-mem 64M",
    right: "ptxrun big.ptx --sanitize race --max-mem 1900M",
  },
  PTX6101: {
    title: "too much time",
    why: "The run took longer than `--timeout` allows: since the command began, what it reads included; in `check` once for loading and once for each run. Unlike a limit of steps, it depends on the machine.",
  },
  PTX6103: {
    title: "interrupted",
    why: "Ctrl-C, or a signal to end (what `kill` and `timeout` send), came while the program ran. The message says where all threads stood; registers and buffers are printed as they were then. A second Ctrl-C ends ptxrun at once. The exit code is 130, or 143 for a signal to end.",
  },
  PTX6102: {
    title: "object with too many parts",
    why: "A vISA object may hold a million strings, declarations, attributes and instructions in all; what Intel's compilers write has some ten thousand.",
  },
});
