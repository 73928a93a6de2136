import type { Bench } from "../bench.ts";
import type { Problem, State, Stop, Strange } from "../client.ts";
import { byId } from "../element.ts";
import { shorten } from "../names.ts";

const signs = {
  start: "◦", step: "●", interrupt: "■", bound: "■", breakpoint: "●", watchpoint: "●", catch: "●", fault: "✖", exit: "✔",
} as const; // biome-ignore format: a table

/** What the line says, how it looks, and what somebody may do about it. */
interface Said {
  readonly text: string;
  readonly kind: string;
  readonly act?: readonly [title: string, act: () => void];
}

/**
 * One line that says where the run stands, which a screen reader reads out; a fault is read at once. `fill` goes to the first input
 * without a value, `look` to a place in the text, `result` to what came out, where that is not in sight.
 */
export function status(
  bench: Bench,
  go: {
    fill(): void;
    look(problem: Problem): void;
    result(): (() => void) | undefined;
    problems(): void;
    outcomes(): void;
  },
): void {
  const place = byId("status", HTMLElement);
  const button = byId("status-act", HTMLButtonElement);
  const alert = byId("alert", HTMLElement);
  const sizes = byId("status-sizes", HTMLButtonElement);
  let found = 0;
  let cried = "";
  let act = (): void => {};
  button.addEventListener("click", () => act());
  sizes.addEventListener("click", go.fill);
  const say = ({ text, kind, act: way }: Said): void => {
    const shown = shorten(text, bench.loaded);
    if (place.textContent !== shown) place.textContent = shown;
    place.title = shown === text ? "" : text;
    place.className = kind;
    const had = document.activeElement === button;
    button.hidden = way === undefined;
    if (way !== undefined) [button.textContent, act] = way;
    else if (had) place.focus();
    // What goes wrong may do so by a size that nobody has chosen.
    const chosen = kind === "fault" && !bench.stale ? inferredSizes(bench) : "";
    sizes.hidden = chosen === "";
    sizes.textContent = `${chosen} inferred`;
  };
  const saidOf = (state: State): Said => {
    const { missing } = bench;
    const { stop, findings, written } = state;
    const [first] = findings;
    if (missing.length > 0 && stop.reason === "start")
      return {
        text: `▲ ${noValue(missing)}: fill ${missing.length === 1 ? "it" : "them"} in, and it runs.`,
        kind: "warn",
        act: ["Fill in", go.fill],
      };
    const zero = missing.length === 0 ? "" : ` ▲ ${noValue(missing)}, and counted as 0.`;
    const { problem } = stop;
    if (problem !== undefined) {
      const text = `✖ ${sentence(short(stop))}.${also(bench, findings)}${guessed(bench)}${zero}`;
      return { text, kind: "fault", act: ["Show", () => go.look(problem)] };
    }
    if (first !== undefined && ended.includes(stop.reason)) {
      const text = `▲ ${listed(bench, findings)}. ${endOf(stop)}.${wrote(state)}${guessed(bench)}${zero}`;
      return { text, kind: "fault", act: ["Show", () => go.look(first)] };
    }
    const odd = strangeText(state);
    if (stop.reason === "exit" && odd !== "") {
      const [{ first: place, type }] = state.strange as [Strange];
      const text = `▲ ${odd}. ${endOf(stop)}.${wrote(state)}${zero}`;
      return { text, kind: "warn", act: ["Find origin", () => void bench.trace(place, type)] };
    }
    if (stop.reason === "exit") {
      const { relaxed } = state;
      const none = relaxed
        ? " No findings; relaxed loads may see other orders."
        : state.race
          ? " No findings."
          : " No findings; it is too long to look for races.";
      const text = `${zero === "" ? "✔" : "▲"} ${endOf(stop)}.${wrote(state)}${zero === "" ? none : zero}`;
      const result = written.length > 0 ? go.result() : undefined;
      const shows = relaxed
        ? { act: ["All outcomes", go.outcomes] as const }
        : result && { act: ["Result", result] as const };
      return { text, kind: zero === "" ? "exit" : "warn", ...shows };
    }
    if (stop.reason === "bound") {
      const text = `■ ${endOf(stop)}.${odd && ` ▲ ${odd}.`}${wrote(state)}${zero}`;
      return { text, kind: "warn", act: ["Continue", () => void bench.move({ kind: "run" })] };
    }
    const { line } = state;
    const where = line === undefined || stop.text.endsWith(` ${line}`) ? "" : `, next is line ${line}`;
    const text = `${signs[stop.reason]} ${sentence(stop.text)}${where}.${also(bench, findings)}${zero}`;
    return { text, kind: findings.length > 0 ? "fault" : zero === "" ? stop.reason : "warn" };
  };
  bench.listen((change) => {
    const { busy, progress, state, stale, loaded } = bench;
    if (change === "failure") say({ text: `✖ ${bench.failure}`, kind: "fault" });
    if (change === "text") say({ text: "… changed, and about to run again", kind: "" });
    if (busy && progress !== undefined) {
      const text = progress === 0 ? "… looking for inputs that fit" : `… running, step ${progress}`;
      say({ text, kind: "" });
    }
    if (change !== "state") return;
    if (stale || state === undefined) {
      if (loaded === undefined || loaded.state !== undefined) return;
      const { title = "", claims = [] } = loaded.outcomes ?? {};
      if (title !== "") {
        const wrong = claims.some(({ holds }) => holds === false);
        const said = wrong ? "not as stated" : "as stated";
        return say({
          text: `${wrong ? "✖" : "✔"} ${title}, ${said}.`,
          kind: wrong ? "fault" : "exit",
          act: ["Outcomes", go.outcomes],
        });
      }
      const errors = loaded.problems.filter(({ severity }) => severity === "error").length + loaded.fields.length;
      const before = state === undefined ? "" : " Greyed-out results are from the previous run.";
      const text = `✖ Cannot run: ${errors === 1 ? "1 error" : `${errors} errors`}.${before}`;
      say({ text, kind: "fault", act: ["Show", loaded.fields.length > 0 ? go.fill : go.problems] });
      return;
    }
    const said = saidOf(state);
    const { was, missing } = bench;
    const title = `Back to step ${was?.position.toLocaleString("en")}`;
    say(
      was === undefined || was.position >= state.furthest || missing.length > 0 || said.kind === "fault"
        ? said
        : { ...said, act: [title, () => void bench.visit(was)] },
    );
    const { length } = state.findings;
    const { problem } = state.stop;
    const cry =
      problem !== undefined
        ? `Fault: ${problem.message}`
        : length > found
          ? (state.findings[length - 1]?.message ?? "")
          : "";
    // What others have to say is left alone.
    if (cry !== cried) alert.textContent = cry;
    [found, cried] = [length, cry];
  });
}

/** `grid 1, block 32`: the sizes of the launch that were inferred. */
const inferredSizes = ({ project, held, inputs, loaded }: Bench): string =>
  (["grid", "block"] as const)
    .filter((size) => held.has(size) || (project.inputs[size] === "" && loaded?.inferred?.[size]))
    .map((size) => `${size} ${inputs[size]}`)
    .join(", ");

/** `3 of 64 values of out are NaN`; nothing where all are numbers. */
function strangeText({ strange }: State): string {
  return strange
    .slice(0, 2)
    .flatMap(({ name, count, nan, infinite }) =>
      (
        [
          [nan, "NaN"],
          [infinite, "infinite"],
        ] as const
      ).flatMap(([those, what]) => {
        if (those === 0) return [];
        const subject = count === 1 ? name : `${those} of ${count} values of ${name}`;
        return [`${subject} ${those === 1 ? "is" : "are"} ${what}`];
      }),
    )
    .join(", ");
}

const ended: readonly Stop["reason"][] = ["exit", "bound", "interrupt"];

const sentence = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const noValue = ({ length }: readonly string[]): string =>
  length === 1 ? "1 input has no value" : `${length} inputs have no value`;

/** `Ended after 896 warp instructions`. */
const endOf = ({ text }: Stop): string => sentence(text.replace("the program has ended", "ended"));

/** `2 findings: data race on line 27, read of uninitialised memory on line 35`. */
function listed({ project }: Bench, findings: readonly Problem[]): string {
  const { length } = findings;
  // A race tells more than what comes of it.
  const races = findings.filter(({ code }) => code === "PTX4002");
  const texts = [...races, ...findings.filter((each) => !races.includes(each))]
    .slice(0, 2)
    .map(({ code, title, from }) => {
      const line = project.text.slice(0, from).split("\n").length;
      return `${title ?? code} on line ${line}`;
    });
  const more = length > 2 ? ` and ${length - 2} more` : "";
  return `${length === 1 ? "1 finding" : `${length} findings`}: ${texts.join(", ")}${more}`;
}

/** ` The launch was guessed: block 16,16.`, which another one may not have made. */
function guessed({ project: { inputs }, loaded }: Bench): string {
  const found = (["grid", "block"] as const).flatMap((field) => {
    const size = inputs[field] === "" ? loaded?.inferred?.[field] : undefined;
    return size ? [`${field} ${size}`] : [];
  });
  return found.length === 0 ? "" : ` The launch was guessed: ${found.join(", ")}.`;
}

const also = (bench: Bench, findings: readonly Problem[]): string =>
  findings.length === 0 ? "" : ` ▲ ${listed(bench, findings)}.`;

/** Buffers that the line names; those behind them are seen in Result. */
const MOST_NAMED = 3;

/** ` Wrote result (32 × u32).`; of what changed nothing but registers, nothing. */
function wrote({ written, buffers, printed }: Pick<State, "written" | "buffers" | "printed">): string {
  const lines = printed.split("\n").length - 1;
  if (lines > 0)
    return `${wrote({ written, buffers: [], printed: "" })} Printed ${lines} line${lines === 1 ? "" : "s"}.`;
  if (written.length === 0) return buffers.length === 0 ? "" : " It changed nothing in memory.";
  const names = written.slice(0, MOST_NAMED).map(({ name, type, count }) => `${name} (${count} × ${type})`);
  const more = written.length > MOST_NAMED ? ` and ${written.length - MOST_NAMED} more` : "";
  return ` Wrote ${names.join(", ")}${more}.`;
}

/** What happened; of a fault without its address and thread, which its message in the text has. */
const short = ({ text, problem }: Stop): string =>
  problem === undefined
    ? text
    : `${text.replace(/ at 0x[\da-f]+/, "").replace(/, in thread \(.*/, "")} (${problem.code})`;
