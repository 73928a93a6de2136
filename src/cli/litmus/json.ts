import { unorderedMessages } from "../../../packages/memory-model/litmus/message.ts";
import { changeText, type Reason } from "../../../packages/memory-model/litmus/reason.ts";
import type { ReadyTest, Verdict } from "../../../packages/memory-model/litmus/verdict.ts";
import type { Event, Trace } from "../../../packages/memory-model/model/event.ts";
import type { Execution } from "../../../packages/memory-model/model/outcome.ts";
import { messageText } from "./text.ts";

/** A verdict for programs: values as decimal texts, since they may have 64 bits. */
export function jsonOf(
  file: string,
  { test }: ReadyTest,
  verdict: Verdict,
  reasons: readonly (Reason | undefined)[] | undefined,
) {
  const { holds, states, claims, executions, complete, bounded, mixed, race, alike } = verdict;
  return {
    file,
    name: test.name,
    description: test.description,
    holds: holds ?? null,
    executions,
    complete,
    bound: bounded ? test.bound : null,
    undefined: mixed,
    race: race !== undefined,
    ...(alike.length > 0 ? { alike } : {}),
    states: states.map(({ values, waiting, looping, count, meant, execution }) => ({
      values: Object.fromEntries([...values].map(([name, value]) => [name, value.toString()])),
      ...(waiting.length > 0 ? { waiting } : {}),
      ...(looping.length > 0 ? { looping, rounds: roundsOf(execution, test.litmus.threads) } : {}),
      executions: count,
      meant,
    })),
    claims: claims.map((claim, i) => ({
      kind: claim.kind,
      condition: claim.text,
      holds: claim.holds ?? null,
      ...(claim.vacuous ? { vacuous: true } : {}),
      ...(claim.leftOpen ? { open: true } : {}),
      ...(reasons ? { why: reasonJson(reasons[i], test.litmus.threads) } : {}),
    })),
  };
}

/** Of each thread that loops for ever, the instructions of its round with what they read. */
const roundsOf = ({ looping, traces }: Execution, threads: ReadyTest["test"]["litmus"]["threads"]) =>
  looping.map((thread) => {
    const { events, round } = traces[thread] as Trace;
    const reads = (event: Event) =>
      event.kind === "read" ? { location: event.location.name, reads: `${event.value}` } : {};
    const repeated = events.slice(round).filter((event) => !("atomic" in event) || event.kind === "read");
    return {
      thread: threads[thread]?.name,
      repeats: repeated.map((event) => ({ text: event.text, ...reads(event) })),
    };
  });

function reasonJson(reason: Reason | undefined, threads: ReadyTest["test"]["litmus"]["threads"]) {
  if (!reason) return null;
  if (reason.kind === "impossible") return { kind: "impossible", never: reason.never };
  if (reason.kind === "endless") return { kind: "endless" };
  if (reason.kind === "mended")
    return {
      kind: "allowed",
      mendedBy: reason.changes.map((change) => changeText(change, threads)),
      hints: unorderedMessages(reason.execution).map((message) => messageText(message, threads)),
    };
  const { execution, forbidden } = reason.refused;
  const text = (index: number): string => {
    const event = execution.events[index];
    if (!event) return "";
    return "text" in event ? `${threads[event.thread]?.name}: ${event.text}` : `initially ${event.location.name}`;
  };
  return {
    kind: "forbidden",
    axiom: forbidden.axiom,
    ...(forbidden.open ? { open: true } : {}),
    section: forbidden.section,
    cycle: forbidden.cycle.map(({ from, to, by }) => ({ from: text(from), to: text(to), by })),
  };
}
