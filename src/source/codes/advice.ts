import { pages } from "./page.ts";

/** PTX9xxx: notes of lint. */
export const advice = pages({
  PTX9001: {
    title: "modifiers in an unusual order",
    why: "ptxas takes modifiers in any order as long as types keep theirs. The manual's order is what readers know.",
    wrong: "add.f16.sat d, a, b;",
    right: "add.sat.f16 d, a, b;",
  },
  PTX9002: {
    title: "modifier said twice",
    why: "ptxas lets .sat, .relu, .NaN, .approx and .cc be repeated; it changes nothing.",
    wrong: "add.sat.sat.f16 d, a, b;",
    right: "add.sat.f16 d, a, b;",
  },
  PTX9003: {
    title: "last semicolon of a snippet missing",
    why: "Every instruction ends with a semicolon, and ptxas insists on it. A snippet may leave out its last one, as some of the manual's examples do.",
    wrong: "add.f16 d, a, b",
    right: "add.f16 d, a, b;",
  },
});
