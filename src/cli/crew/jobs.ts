import { availableParallelism } from "node:os";
import type { Io } from "../../environment/io.ts";
import { worthOf } from "../../interp/crew/team.ts";
import { NodeCrew } from "./node-crew.ts";

/** The most workers that `auto` takes. */
const MOST_UNASKED = 16;
/**
 * Milliseconds that are lost to workers that have to start: until they run, and until they are warm. Who asks for them
 * gets them as soon as that is made up for, others somewhat later.
 */
const LOST = { asked: 550, auto: 650 } as const;

/** The workers for a run; without any, one thread does it all, and `alone` says why. `processors`: how many there are. */
export function crewFor(
  jobs: number | "auto" = "auto",
  { crewWorker, now }: Pick<Io, "crewWorker" | "now">,
  processors: number = availableParallelism(),
): { readonly crew?: NodeCrew; readonly alone: string } {
  const size = jobs === "auto" ? Math.min(processors, MOST_UNASKED) : jobs;
  if (crewWorker === undefined) return { alone: "there are no others" };
  if (size < 2) return { alone: jobs === "auto" ? "there is one processor" : "--jobs 1" };
  return {
    crew: new NodeCrew(size, crewWorker, worthOf(size, jobs === "auto" ? LOST.auto : LOST.asked), now),
    alone: "",
  };
}
