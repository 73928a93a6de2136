import type { Space, StateSpace } from "../../interp/contract/space.ts";
import { registerOf } from "./classes.ts";
import type { AbsentClass, RegisterClass } from "./operands.ts";

/** The state spaces that memory instructions name. */
export const windows = [
  "global", "const", "local", "shared", "shared::cta", "shared::cluster", "param", "param::entry", "param::func",
] as const; // biome-ignore format: one thought
export type Window = (typeof windows)[number];

/** The state space of such a word; without one, addresses are generic. */
export const access = (ss: Window | undefined): Space =>
  ss === undefined ? "generic" : (ss.split("::")[0] as StateSpace);

/** Says that a cache policy follows the operands. */
export const hint = ["L2::cache_hint"] as const;

/** The cache policy, which `.L2::cache_hint` asks for. */
export const policyClass = (hint: string | undefined): RegisterClass | AbsentClass =>
  hint === undefined ? { kind: "absent", unless: ".L2::cache_hint" } : registerOf("b64");
