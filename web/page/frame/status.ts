import type { Bench } from "../bench.ts";
import type { Stop } from "../client.ts";
import { byId } from "../element.ts";

const signs = {
  start: "◦", step: "●", interrupt: "■", breakpoint: "●", watchpoint: "●", catch: "●", fault: "✖", exit: "✔",
} as const; // biome-ignore format: a table

/** One line that says where the run stands, which a screen reader reads out; a fault is read at once. */
export function status(bench: Bench): void {
  const place = byId("status", HTMLElement);
  const alert = byId("alert", HTMLElement);
  let found = 0;
  const say = (text: string, kind: string): void => {
    if (place.textContent !== text) place.textContent = text;
    place.className = kind;
  };
  bench.listen((change) => {
    const { busy, progress, state, stale, loaded } = bench;
    if (change === "failure") say(`✖ ${bench.failure}`, "fault");
    if (change === "text") say("Changed: Run or Step begins again.", "");
    if (busy && progress !== undefined) say(`… running, step ${progress}`, "");
    if (change !== "state" || stale) return;
    if (state === undefined) {
      const wrong =
        (loaded?.problems.filter(({ severity }) => severity === "error").length ?? 0) + (loaded?.fields.length ?? 0);
      say(`✖ It cannot run: ${wrong === 1 ? "an error" : `${wrong} errors`}`, "fault");
      return;
    }
    const { stop, line, findings } = state;
    const { length } = findings;
    const races = length === 0 ? "" : ` ▲ ${length} finding${length === 1 ? "" : "s"}.`;
    const known = line === undefined || stop.reason === "fault" || stop.text.endsWith(` ${line}`);
    const where = known ? "" : `, next is line ${line}`;
    say(
      `${signs[stop.reason]} ${sentence(short(stop))}${where}.${races}`,
      stop.reason === "fault" || length > 0 ? "fault" : stop.reason,
    );
    if (stop.problem !== undefined) alert.textContent = `Fault: ${stop.problem.message}`;
    else if (length > found) alert.textContent = findings[length - 1]?.message ?? "";
    else alert.textContent = "";
    found = length;
  });
}

const sentence = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** What happened; of a fault the place and the code, since its message stands in the text and is read aloud. */
const short = ({ text, problem }: Stop): string =>
  problem === undefined ? text : `${text.split(": ")[0] ?? text}: ${problem.code}`;
