import { countColumn, type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  hoverTooltip,
  showTooltip,
  type Tooltip,
  WidgetType,
} from "@codemirror/view";
import type { LineHistory, LineValue } from "../client.ts";
import { element } from "../element.ts";
import type { LaunchHistory } from "../history.ts";

/** Columns that lines may have whose values stand below each other; behind a longer one its value stands at once. */
const LONGEST = 60;

const setValues = StateEffect.define<readonly LineValue[]>();
const setHistory = StateEffect.define<Tooltip | null>();

/** The last value of a line, behind its end. Whoever does not see it has the registers, and the history by a key. */
class Value extends WidgetType {
  readonly value: LineValue;
  /** Columns from the end of the line. */
  readonly gap: number;

  constructor(value: LineValue, gap: number) {
    super();
    this.value = value;
    this.gap = gap;
  }

  override eq({ value, gap }: Value): boolean {
    return value.line === this.value.line && value.text === this.value.text && gap === this.gap;
  }

  override toDOM(): HTMLElement {
    const { line, text, kept } = this.value;
    const shown = element("span", { class: kept ? "kept" : undefined }, text);
    const place = element("span", { class: "line-value", "aria-hidden": "true", "data-line": line }, shown);
    place.style.paddingLeft = `${this.gap}ch`;
    return place;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

function decorations(state: EditorState, values: readonly LineValue[]): DecorationSet {
  const placed = values.filter(({ line }) => line >= 1 && line <= state.doc.lines);
  const columns = placed.map(({ line }) => countColumn(state.doc.line(line).text.trimEnd(), state.tabSize));
  const longest = Math.max(0, ...columns.filter((each) => each <= LONGEST));
  const ranges = placed.map((value, at) => {
    const { to, text } = state.doc.line(value.line);
    const blank = text.length - text.trimEnd().length;
    const widget = new Value(value, Math.max(longest - (columns[at] ?? 0), 0) + 3 - Math.min(blank, 3));
    return Decoration.widget({ widget, side: 1 }).range(to);
  });
  return Decoration.set(ranges, true);
}

const shown = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, { effects, state, docChanged, changes }) {
    for (const effect of effects) if (effect.is(setValues)) return decorations(state, effect.value);
    return docChanged ? value.map(changes) : value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const opened = StateField.define<Tooltip | null>({
  create: () => null,
  update(value, { effects, docChanged }) {
    for (const effect of effects) if (effect.is(setHistory)) return effect.value;
    return docChanged ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});

/** Shows other values. */
export const showValues = (view: EditorView, values: readonly LineValue[]): void =>
  view.dispatch({ effects: setValues.of(values) });

/** What a click in a history does. */
export interface HistoryLinks {
  readonly goTo: (position: number) => void;
  readonly bits: (register: string) => void;
}

/** Shows the history of a line below it, and gives it the keyboard. */
export function openHistory(view: EditorView, launch: LaunchHistory, line: number, links: HistoryLinks): void {
  launch.ofLine(line, (history) => {
    if (history === undefined || line > view.state.doc.lines) return;
    const dom = historyOf(line, history, links);
    dom.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      closeHistory(view);
      view.focus();
    });
    const { to } = view.state.doc.line(line);
    view.dispatch({ effects: setHistory.of({ pos: to, above: false, create: atValue(line, dom) }) });
    dom.querySelector<HTMLElement>("li button")?.focus();
  });
}

/** A tooltip that stands below a line's value, so that the text can be read. */
const atValue =
  (line: number, dom: HTMLElement): Tooltip["create"] =>
  (view) => ({
    dom,
    getCoords: (pos) => {
      const value = view.contentDOM.querySelector(`.line-value[data-line="${line}"] > span`);
      return value?.getBoundingClientRect() ?? view.coordsAtPos(pos) ?? view.contentDOM.getBoundingClientRect();
    },
  });

function closeHistory(view: EditorView): void {
  if (view.state.field(opened) !== null) view.dispatch({ effects: setHistory.of(null) });
}

function historyOf(line: number, { times, last, registers }: LineHistory, links: HistoryLinks): HTMLElement {
  const rows = last.map(({ position, text, kept }, at) =>
    element(
      "li",
      {},
      element(
        "button",
        {
          type: "button",
          title: "go to where this has just happened",
          "aria-current": at === 0 ? "step" : undefined,
          onclick: () => links.goTo(position),
        },
        element("span", { class: kept ? "what kept" : "what" }, text),
        element("span", { class: "when" }, `step ${position}`),
      ),
    ),
  );
  const bits = registers.map((name) =>
    element("button", { type: "button", class: "link", onclick: () => links.bits(name) }, `${name} as bits`),
  );
  const title = `Line ${line}: ${times === 1 ? "once" : `${times} times`}${times > last.length ? `, the last ${last.length}` : ""}`;
  return element(
    "div",
    { class: "history", role: "dialog", "aria-label": `${title} by this lane` },
    element("p", {}, element("span", {}, title), ...bits),
    element("ol", { reversed: true }, ...rows),
  );
}

/** Values behind the lines of the text; a pointer on a value or on its line shows how it came about. */
export function lineValues(launch: LaunchHistory, links: HistoryLinks): Extension {
  const lineOf = (event: Event): number =>
    Number((event.target as HTMLElement).closest<HTMLElement>(".line-value")?.dataset["line"] ?? 0);
  return [
    shown,
    opened,
    hoverTooltip((view, pos) => {
      const { number, from, to } = view.state.doc.lineAt(pos);
      if (!launch.values.some(({ line }) => line === number)) return null;
      return new Promise((done) =>
        launch.ofLine(number, (history) =>
          done(
            history === undefined
              ? null
              : { pos: from, end: to, create: atValue(number, historyOf(number, history, links)) },
          ),
        ),
      );
    }),
    EditorView.domEventHandlers({
      click(event, view) {
        const line = lineOf(event);
        if (line > 0) openHistory(view, launch, line, links);
        else closeHistory(view);
        return line > 0;
      },
      mousedown: (event) => lineOf(event) > 0,
    }),
  ];
}
