import type { Bench } from "../bench.ts";
import type { CodePage, Problem } from "../client.ts";
import { element } from "../element.ts";
import type { Panel } from "./panel.ts";

/** Problems that are listed. */
const MAX_LISTED_PROBLEMS = 100;

const ranks = { error: 0, warning: 1, note: 2 } as const;

const names = { error: "✖ error", warning: "▲ warning", note: "i note" } as const;

export interface MessagesPanel extends Panel {
  /** Shows the page of a code. */
  ask(code: string): void;
}

/** What is wrong with the text and what the run has found, what it has printed, and the page of a code. */
export function messagesPanel(bench: Bench, goTo: (from: number, to: number) => void): MessagesPanel {
  const list = element("ul", { class: "messages" });
  const page = element("article", { class: "page", tabindex: -1, "aria-label": "About a code" });
  const printed = element("pre", { class: "printed", tabindex: 0, "aria-label": "What the program has printed" });
  page.hidden = true;
  let asked = "";
  const ask = (code: string): void => {
    void bench.client.codePage(code).then((found) => {
      asked = code;
      page.hidden = false;
      page.replaceChildren(
        ...(found === undefined ? [`There is no page about ${code}.`] : pageParts(found)),
        element("button", { type: "button", onclick: () => hide() }, "Close"),
      );
      page.scrollIntoView({ block: "nearest" });
      page.focus();
    });
  };
  const hide = (): void => {
    asked = "";
    page.hidden = true;
  };
  const item = (problem: Problem): HTMLElement => {
    const { code, severity, message, expected, from, to, help, related } = problem;
    const line = (start: number, end: number): HTMLElement => {
      const title = `line ${bench.project.text.slice(0, start).split("\n").length}`;
      return element("button", { type: "button", class: "link", onclick: () => goTo(start, end) }, title);
    };
    return element(
      "li",
      { class: severity },
      element("span", { class: "severity" }, names[severity]),
      line(from, to),
      element("span", {}, `${message}${expected === undefined ? "" : ` (expected ${expected})`} `),
      element("button", { type: "button", class: "link", onclick: () => ask(code) }, `About ${code}`),
      ...related.map((each) => element("p", {}, line(each.from, each.to), ` ${each.message}`)),
      ...help.map((each) => element("p", {}, `help: ${each.message}`)),
    );
  };
  const update = (): void => {
    const worst = [...bench.problems].sort((a, b) => ranks[a.severity] - ranks[b.severity] || a.from - b.from);
    const all = [...bench.faults, ...worst];
    // It goes with the last message of its code, and comes back with it.
    page.hidden = all.every(({ code }) => code !== asked);
    const left = all.length - MAX_LISTED_PROBLEMS;
    list.replaceChildren(
      ...(all.length === 0
        ? [element("li", { class: "nothing" }, silence(bench))]
        : all.slice(0, MAX_LISTED_PROBLEMS).map(item)),
      ...(left > 0 ? [element("li", {}, `and ${left} more`)] : []),
    );
    const text = bench.state?.printed ?? "";
    printed.textContent = text;
    printed.hidden = text === "";
  };
  const content = element(
    "div",
    { class: "scroll" },
    page,
    element("h2", { class: "unseen" }, "Messages"),
    list,
    printed,
  );
  return { id: "messages", title: "Messages", element: element("div", {}, content), show: update, ask };
}

/** Why there are no messages, which need not mean that all is well. */
function silence({ state, stale, missing }: Bench): string {
  if (missing.length > 0) return `No message, but no value either for ${missing.join(", ")}: see Inputs.`;
  if (stale || state === undefined) return "No message about the text.";
  return state.stop.reason === "exit" ? "No message: it has ended without a finding." : "No message so far.";
}

function pageParts({ code, title, text, wrong, right }: CodePage): Node[] {
  const example = (words: string, program: string | undefined): Node[] =>
    program === undefined ? [] : [element("h3", {}, words), element("pre", { tabindex: 0 }, program)];
  return [
    element("h2", {}, `${code}: ${title}`),
    ...text.split(/\n\n+/).map((paragraph) => element("p", {}, paragraph)),
    ...example("Wrong", wrong),
    ...example("Right", right),
  ];
}
