import { changeText, type Reason } from "../../../packages/memory-model/litmus/reason.ts";
import type { ReadyTest, Verdict } from "../../../packages/memory-model/litmus/verdict.ts";

/** A verdict for programs: values as decimal texts, since they may have 64 bits. */
export function jsonOf(
  file: string,
  { test }: ReadyTest,
  verdict: Verdict,
  reasons: readonly (Reason | undefined)[] | undefined,
) {
  const { holds, states, claims, executions, complete, bounded, mixed, race } = verdict;
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
    states: states.map(({ values, waiting, count, meant }) => ({
      values: Object.fromEntries([...values].map(([name, value]) => [name, value.toString()])),
      ...(waiting.length > 0 ? { waiting } : {}),
      executions: count,
      meant,
    })),
    claims: claims.map((claim, i) => ({
      kind: claim.kind,
      condition: claim.text,
      holds: claim.holds ?? null,
      ...(reasons ? { why: reasonJson(reasons[i], test.litmus.threads) } : {}),
    })),
  };
}

function reasonJson(reason: Reason | undefined, threads: ReadyTest["test"]["litmus"]["threads"]) {
  if (!reason) return null;
  if (reason.kind === "impossible") return { kind: "impossible", never: reason.never };
  if (reason.kind === "mended")
    return { kind: "allowed", mendedBy: reason.changes.map((change) => changeText(change, threads)) };
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
