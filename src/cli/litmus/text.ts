import { type Message, unorderedMessages } from "../../../packages/memory-model/litmus/message.ts";
import { changeText, type Reason } from "../../../packages/memory-model/litmus/reason.ts";
import type { FinalState, JudgedClaim, ReadyTest, Verdict } from "../../../packages/memory-model/litmus/verdict.ts";
import type { Thread } from "../../../packages/memory-model/model/event.ts";
import { pictureAsText } from "../../../packages/memory-model/model/picture/text.ts";
import type { Palette } from "../../present/text/palette.ts";

const words = { exists: "exists", never: "never", forall: "forall" } as const;

/** A value as tables show it: small ones in decimal, addresses and negative ones in hexadecimal. */
const valueText = (value: bigint): string => (value < 1n << 32n ? String(value) : `0x${value.toString(16)}`);

/** `3 final states of 4 executions`, `1 final state and 2 deadlocks of 3 executions`, `at least 3 final states of ...`. */
export function countText({ states, executions, complete, alike }: Verdict): string {
  const deadlocks = states.filter(({ waiting }) => waiting.length > 0).length;
  const loops = states.filter(({ waiting, looping }) => looping.length > 0 && waiting.length === 0).length;
  const also = [deadlocks > 0 ? [plural(deadlocks, "deadlock")] : [], loops > 0 ? [plural(loops, "endless loop")] : []]
    .flat()
    .map((each) => ` and ${each}`)
    .join("");
  return `${complete ? "" : "at least "}${plural(states.length - deadlocks - loops, "final state")}${also} of ${plural(executions, "execution")}${alike.map((names) => `, up to which of ${names.join(", ")} is which`).join("")}`;
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** One test alone: its final states as a table, and its claims. */
export function testText({ test }: ReadyTest, verdict: Verdict, colours: Palette): string {
  const lines = [`${colours.strong(test.name)}  ${countText(verdict)}`];
  if (test.description !== "") lines.push(colours.faint(test.description));
  lines.push(...table(verdict.states, colours));
  for (const claim of verdict.claims) lines.push(claimText(claim, verdict, test.bound, colours));
  if (verdict.mixed)
    lines.push(
      colours.warning(
        "undefined: operations of different sizes are in a data race, and the model says nothing of such programs (8.7.2)",
      ),
    );
  else if (verdict.race)
    lines.push("there is a data race (8.7.1): accesses that no order relates, and that are not morally strong");
  return `${lines.join("\n")}\n`;
}

/** `, P0 and P1 wait for ever`; `does`: wait or loop. */
const foreverText = (threads: readonly string[], does: string): string =>
  threads.length > 0 ? `, ${threads.join(" and ")} ${threads.length > 1 ? does : `${does}s`} for ever` : "";

/** `*` marks the states that fulfil the condition. */
function table(states: readonly FinalState[], colours: Palette): string[] {
  const [first] = states;
  if (!first) return ["  no execution comes to its end"];
  const names = [...first.values.keys()];
  const rows = states.map(({ values, waiting, looping, count, meant }) => ({
    cells: names.map((name) => valueText(values.get(name) ?? 0n)),
    count: `${plural(count, "execution")}${foreverText(waiting, "wait")}${foreverText(looping, "loop")}`,
    meant,
  }));
  const widths = names.map((name, i) => Math.max(name.length, ...rows.map(({ cells }) => (cells[i] ?? "").length)));
  const line = (cells: readonly string[]): string => cells.map((cell, i) => cell.padStart(widths[i] ?? 0)).join("  ");
  return [
    ...(names.length > 0 ? [colours.faint(`    ${line(names)}`)] : []),
    ...rows.map(({ cells, count, meant }) => `  ${meant ? "*" : " "} ${line(cells)}  ${colours.faint(count)}`),
  ];
}

/** `never (P1:r0 == 1): as stated`. */
export function claimText(
  { kind, text, holds, vacuous, leftOpen }: JudgedClaim,
  { bounded }: Verdict,
  bound: number,
  colours: Palette,
): string {
  const within = bounded ? `, within ${plural(bound, "round")} of each loop` : "";
  const said =
    holds === undefined ? colours.warning("open") : holds ? colours.good("as stated") : colours.error("not as stated");
  const more = vacuous
    ? ", of no execution that it speaks of"
    : leftOpen
      ? ", which the manual leaves open (8.10.4)"
      : "";
  return `${words[kind]} ${text}: ${said}${within}${more}`;
}

/** `nothing that is written makes P1:r1 == 7`. */
const impossibleText = (never: readonly string[]): string =>
  never.length > 0
    ? `nothing that is written makes ${never.join(", nor ")}`
    : "the instructions of the threads never make all of it true together";

/** `P1: ld.relaxed.gpu r0, y returns what P0 wrote by ..., but orders nothing of x: neither releases nor acquires`. */
export const messageText = ({ write, read, data }: Message, threads: readonly Thread[]): string =>
  `hint: \`${read.text}\` of ${threads[read.thread]?.name} returns what \`${write.text}\` of ${threads[write.thread]?.name} wrote, but that orders no access to ${data}: one side does not release, or the other does not acquire`;

/** The reason for a claim's result, with the execution that shows it. */
export function reasonText(reason: Reason, threads: readonly Thread[], colours: Palette): string {
  switch (reason.kind) {
    case "impossible":
      return `no execution has this outcome, whatever the axioms say: ${impossibleText(reason.never)}\n`;
    case "endless":
      return pictureAsText(reason.execution, threads);
    case "forbidden": {
      const { execution, forbidden } = reason.refused;
      return pictureAsText(execution, threads, forbidden);
    }
    case "mended": {
      const { changes, execution } = reason;
      const lines = changes.map((change) => `  ${changeText(change, threads)}`);
      const said =
        changes.length > 0
          ? [colours.strong("what would forbid it:"), ...lines]
          : ["no fence and no stronger instruction that was tried forbids it"];
      const hints = unorderedMessages(execution).map((message) => messageText(message, threads));
      return `${pictureAsText(execution, threads)}\n${[...hints, ...said].join("\n")}\n`;
    }
  }
}
