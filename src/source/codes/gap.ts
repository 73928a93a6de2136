import { pages } from "./page.ts";

/** PTX5xxx: valid PTX that ptxrun does not execute. */
export const gap = pages({
  PTX5001: {
    title: "instruction that ptxrun does not execute",
    why: "The program is valid PTX. ptxrun knows the instruction and has no meaning for it yet, so the run ends where a thread meets it; what ran before is right. `ptxrun isa` lists what is executed.",
    wrong: "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {d0, d1, d2, d3}, {a0, a1}, {b0}, {c0, c1, c2, c3};",
  },
});
