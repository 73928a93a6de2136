import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  type RangeSet,
  RangeSetBuilder,
  StateEffect,
  StateField,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  lineNumbers,
  WidgetType,
} from "@codemirror/view";
import type { Problem, Replacement } from "../client.ts";
import { element } from "../element.ts";
import { gutterEvents, hovered } from "./gutter.ts";

/** What stands beside and below the lines of the text; lines count from 1. */
export interface Marks {
  /** The line that the focused thread is about to execute. */
  readonly current: number | undefined;
  /** Lanes of the focused warp by line. */
  readonly lanes: ReadonlyMap<number, number>;
  readonly breakpoints: readonly number[];
  /** What the run has found. */
  readonly faults: readonly Problem[];
  /** What is wrong with the text. */
  readonly problems: readonly Problem[];
  /** Which of that is told below its line: what comes and goes under a finger that types is not. */
  readonly told: readonly Problem[];
}

export const none: Marks = {
  current: undefined,
  lanes: new Map(),
  breakpoints: [],
  faults: [],
  problems: [],
  told: [],
};

const setMarks = StateEffect.define<Marks>();

const marks = StateField.define<Marks>({
  create: () => none,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return effect.value;
    if (!transaction.docChanged) return value;
    const moved = (all: readonly Problem[]) => all.map((each) => movedBy(transaction.changes, each));
    return { ...value, problems: moved(value.problems), told: moved(value.told) };
  },
});

/** A problem where its text is after a change. */
function movedBy(changes: ChangeDesc, problem: Problem): Problem {
  const at = <P extends { readonly from: number; readonly to: number }>(place: P): P => ({
    ...place,
    from: changes.mapPos(Math.min(place.from, changes.length)),
    to: changes.mapPos(Math.min(place.to, changes.length)),
  });
  const help = problem.help.map(({ message, replace }) => ({ message, ...(replace && { replace: at(replace) }) }));
  return { ...at(problem), help };
}

/** Shows other marks. */
export const showMarks = (view: EditorView, shown: Marks): void => view.dispatch({ effects: setMarks.of(shown) });

class Sign extends GutterMarker {
  readonly text: string;
  readonly about: string;
  override readonly elementClass: string;

  constructor(text: string, about: string, kind: string) {
    super();
    this.text = text;
    this.about = about;
    this.elementClass = kind;
  }

  override eq(other: Sign): boolean {
    return other.text === this.text && other.elementClass === this.elementClass;
  }

  override toDOM(): HTMLElement {
    return element("span", { title: this.about }, this.text);
  }
}

const breakpoint = new Sign("●", "breakpoint", "mark-breakpoint");
const possible = new Sign("●", "set a breakpoint", "mark-possible");
const current = new Sign("▶", "the next instruction of this thread", "mark-current");
const severities = { error: "✖", warning: "▲", note: "i" } as const;
const wrong = ({ severity, message }: Problem): Sign => new Sign(severities[severity], message, `mark-${severity}`);
const elsewhere = (lanes: number): Sign =>
  new Sign(String(lanes), `${lanes} lane${lanes === 1 ? " is" : "s are"} here`, "mark-lanes");

function signs(state: EditorState, of: (shown: Marks) => Iterable<readonly [number, Sign]>): RangeSet<GutterMarker> {
  const builder = new RangeSetBuilder<GutterMarker>();
  const placed = [...of(state.field(marks))].filter(([line]) => line >= 1 && line <= state.doc.lines);
  for (const [line, sign] of placed.sort(([a], [b]) => a - b)) {
    const { from } = state.doc.line(line);
    builder.add(from, from, sign);
  }
  return builder.finish();
}

/** What is wrong here, below the line that it is about. */
class Note extends WidgetType {
  readonly problem: Problem;
  readonly ask: (code: string) => void;

  constructor(problem: Problem, ask: (code: string) => void) {
    super();
    this.problem = problem;
    this.ask = ask;
  }

  override eq(other: Note): boolean {
    return other.problem.message === this.problem.message && other.problem.from === this.problem.from;
  }

  override toDOM(view: EditorView): HTMLElement {
    const { code, message, severity, expected, help } = this.problem;
    const about = element("button", { type: "button", onclick: () => this.ask(code) }, `About ${code}`);
    // What has several lines is on the command line.
    const short = help.filter(({ message: words }) => !words.includes("\n"));
    const ways = short.map(({ message: words, replace }) =>
      replace === undefined
        ? element("p", { class: "help" }, words)
        : element("button", { type: "button", onclick: () => mend(view, replace) }, words),
    );
    // The editor does not see margins, so what stands apart stands in a box of its own.
    const note = element(
      "div",
      { class: `fault-note ${severity}`, role: "note" },
      element(
        "span",
        {},
        `${severity === "error" ? "✖" : "▲"} ${message}${expected === undefined ? "" : `; expected ${expected}`} `,
      ),
      ...ways,
      about,
    );
    return element("div", { class: "fault-place" }, note);
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function mend(view: EditorView, { from, to, text }: Replacement): void {
  view.dispatch({ changes: { from, to, insert: text } });
  view.focus();
}

/** Notes that are shown in the text; a race in a loop is found again and again. */
const MOST_NOTES = 4;

const notes = ({ told, faults }: Marks): readonly Problem[] => [...told, ...faults].slice(0, MOST_NOTES);

/** Whether the note that is nearest to an offset is below it, and would lie under what is shown there. */
export function noteIsBelow(state: EditorState, offset: number): boolean {
  const { from } = state.doc.lineAt(offset);
  const away = notes(state.field(marks)).map((each) => each.from - from);
  const below = Math.min(...away.filter((each) => each >= 0));
  return below < Math.min(Number.MAX_SAFE_INTEGER, ...away.map((each) => (each < 0 ? -each : Infinity)));
}

function decorations(state: EditorState, ask: (code: string) => void): DecorationSet {
  const shown = state.field(marks);
  const { current: line } = shown;
  const ranges = [];
  if (line !== undefined && line <= state.doc.lines)
    ranges.push(Decoration.line({ class: "line-current" }).range(state.doc.line(line).from));
  for (const problem of notes(shown)) {
    const at = state.doc.lineAt(Math.min(problem.from, state.doc.length));
    ranges.push(Decoration.line({ class: "line-fault" }).range(at.from));
    ranges.push(Decoration.widget({ widget: new Note(problem, ask), block: true, side: 1 }).range(at.to));
    for (const other of problem.related.slice(0, 1)) {
      const { from } = state.doc.lineAt(Math.min(other.from, state.doc.length));
      ranges.push(Decoration.line({ class: "line-related" }).range(from));
    }
  }
  return Decoration.set(ranges, true);
}

/** Gutters and decorations; `toggle` is told the line whose gutter is clicked, `ask` the code that somebody wants to read about. */
export const markings = (toggle: (line: number) => void, ask: (code: string) => void): Extension => [
  marks,
  hovered,
  gutter({
    class: "gutter-break",
    markers: (view) =>
      signs(view.state, ({ breakpoints }) => {
        const line = view.state.field(hovered);
        const set = breakpoints.map((each) => [each, breakpoint] as const);
        return line === 0 || breakpoints.includes(line) ? set : [...set, [line, possible]];
      }),
    initialSpacer: () => breakpoint,
    lineMarkerChange: ({ startState, state }) => startState.field(hovered) !== state.field(hovered),
    domEventHandlers: gutterEvents(toggle),
  }),
  lineNumbers({ domEventHandlers: gutterEvents(toggle) }),
  gutter({
    class: "gutter-place",
    domEventHandlers: gutterEvents(toggle),
    markers: (view) =>
      signs(view.state, ({ current: line, lanes }) => [
        ...(line === undefined ? [] : [[line, current] as const]),
        ...[...lanes].filter(([at]) => at !== line).map(([at, count]) => [at, elsewhere(count)] as const),
      ]),
    initialSpacer: () => elsewhere(32),
  }),
  gutter({
    class: "gutter-wrong",
    domEventHandlers: gutterEvents(toggle),
    markers: (view) =>
      signs(view.state, ({ problems }) => {
        const { doc } = view.state;
        const lines = new Map<number, Sign>();
        for (const problem of problems)
          if (problem.from <= doc.length && !lines.has(doc.lineAt(problem.from).number))
            lines.set(doc.lineAt(problem.from).number, wrong(problem));
        return lines;
      }),
    initialSpacer: () => wrong({ severity: "error", message: "" } as Problem),
  }),
  EditorView.decorations.compute([marks, "doc"], (state) => decorations(state, ask)),
];
