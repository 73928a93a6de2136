import { availableParallelism } from "node:os";
import type { Io } from "../io.ts";
import { NodeCrew } from "./node-crew.ts";

/** The most workers that `auto` takes. */
const MOST_UNASKED = 16;
/** Milliseconds of work that must be left for workers to start: they take some 100 each, and `auto` asks whether that pays. */
const WORTH = { asked: 60, auto: 400 } as const;

/** The workers for a run; undefined where one thread does it all. */
export function crewFor(jobs: number | "auto" = "auto", { crewWorker, now }: Io): NodeCrew | undefined {
  const size = jobs === "auto" ? Math.min(availableParallelism(), MOST_UNASKED) : jobs;
  if (size < 2 || crewWorker === undefined) return undefined;
  return new NodeCrew(size, crewWorker, jobs === "auto" ? WORTH.auto : WORTH.asked, now);
}
