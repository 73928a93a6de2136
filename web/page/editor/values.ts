import { countColumn, type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import {
  closeHoverTooltips,
  Decoration,
  type DecorationSet,
  EditorView,
  hasHoverTooltips,
  hoverTooltip,
  showTooltip,
  type Tooltip,
  ViewPlugin,
  WidgetType,
} from "@codemirror/view";
import type { LineHistory, LineValue } from "../client.ts";
import { element } from "../element.ts";
import type { LaunchHistory } from "../history.ts";
import { noteIsBelow } from "./marks.ts";

/** Columns of the widest value for which lines leave room, so that values stand below each other. */
const WIDEST = 20;
/** Columns between a line and its value, and the least of them where little is left. */
const GAP = 3;
const LEAST_GAP = 1;
/** Columns with which the beginning of a value still says something. */
const LEAST_SHOWN = 10;
/** In columns: a letter of a value, and the edges of its box. */
const LETTER = 12 / 13.5;
const EDGES = 2;

/** Values of lines, and how many columns the editor has. */
interface Shown {
  readonly values: readonly LineValue[];
  readonly columns: number;
}

/** Columns between a line and its value, and those up to where that has to end. */
interface Room {
  readonly gap: number;
  readonly most: number;
}

const setValues = StateEffect.define<Shown>();
const setHistory = StateEffect.define<Opened | null>();

/** A history that somebody has asked for, and what had the keyboard before. */
type Opened = Tooltip & { readonly before: Element | null };

/** The last value of a line, behind its end, or below it where there is no room. Whoever does not see it has the registers, and the history by a key. */
class Value extends WidgetType {
  readonly value: LineValue;
  readonly room: Room | undefined;

  constructor(value: LineValue, room: Room | undefined) {
    super();
    this.value = value;
    this.room = room;
  }

  override eq({ value, room }: Value): boolean {
    const isSame = value.line === this.value.line && value.text === this.value.text;
    return isSame && room?.gap === this.room?.gap && room?.most === this.room?.most;
  }

  override toDOM(): HTMLElement {
    const { line, text, kept } = this.value;
    const shown = element("span", { class: kept ? "kept" : undefined }, text);
    const kind = this.room ? "line-value" : "line-value below";
    const place = element("span", { class: kind, "aria-hidden": "true", "data-line": line }, shown);
    if (this.room) {
      place.style.paddingLeft = `${this.room.gap}ch`;
      place.style.maxWidth = `${this.room.most}ch`;
    }
    return place;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

function decorations(state: EditorState, { values, columns }: Shown): DecorationSet {
  const placed = values.filter(({ line }) => line >= 1 && line <= state.doc.lines);
  const lengths = placed.map(({ line }) => countColumn(state.doc.line(line).text, state.tabSize));
  const widest = Math.min(WIDEST, Math.max(0, ...placed.map(widthOf)));
  const longest = Math.max(0, ...lengths.filter((each) => each <= columns - GAP - widest));
  const ranges = placed.map((value, at) => {
    const room = roomFor(value, lengths[at] ?? 0, longest + GAP, columns);
    return Decoration.widget({ widget: new Value(value, room), side: 1 }).range(state.doc.line(value.line).to);
  });
  return Decoration.set(ranges, true);
}

const widthOf = ({ text }: LineValue): number => Math.ceil(text.length * LETTER) + EDGES;

/** A value stands below the others where it can; else nearer to its line, and cut off before nothing is left of it. */
function roomFor(value: LineValue, length: number, at: number, columns: number): Room | undefined {
  const wanted = widthOf(value);
  const most = columns - length;
  if (most - LEAST_GAP < Math.min(wanted, LEAST_SHOWN)) return undefined;
  return { gap: Math.max(Math.min(Math.max(at - length, GAP), most - wanted), LEAST_GAP), most };
}

const shown = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, { effects, state, startState, changes }) {
    for (const effect of effects) if (effect.is(setValues)) return decorations(state, effect.value);
    // Where a part is replaced by the same nothing is asked anew.
    return state.doc.eq(startState.doc) ? value : value.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const opened = StateField.define<Opened | null>({
  create: () => null,
  update(value, { effects, docChanged }) {
    for (const effect of effects) if (effect.is(setHistory)) return effect.value;
    return docChanged ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});

/** Whether somebody has asked for a history: nothing is shown beside it for the pointer alone. */
export const hasHistory = (state: EditorState): boolean => state.field(opened) !== null;

/** Shows values, in the room that the editor has now. */
export function showValues(view: EditorView, values: readonly LineValue[]): void {
  const { scrollDOM, contentDOM, defaultCharacterWidth } = view;
  // The space before and behind each line is another column.
  const columns = Math.floor((scrollDOM.clientWidth - contentDOM.offsetLeft) / defaultCharacterWidth) - 1;
  view.dispatch({ effects: setValues.of({ values, columns }) });
}

/** What a click in a history does. */
export interface HistoryLinks {
  readonly goTo: (position: number) => void;
  readonly bits: (register: string) => void;
}

/** Shows the history of a line below it, and gives it the keyboard. */
export function openHistory(view: EditorView, launch: LaunchHistory, line: number, links: HistoryLinks): void {
  launch.ofLine(line, (history) => {
    if (history === undefined || line > view.state.doc.lines) return;
    const dom = historyOf(line, history, launch, links);
    const { to } = view.state.doc.line(line);
    const before = document.activeElement;
    view.dispatch({
      effects: [
        closeHoverTooltips,
        setHistory.of({ pos: to, above: noteIsBelow(view.state, to), create: atValue(line, dom), before }),
      ],
    });
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

/** Closes what stands over the text: the launch stands elsewhere now, or somebody has turned away. */
export function closePopups(view: EditorView): void {
  const history = view.state.field(opened);
  if (history === null && !hasHoverTooltips(view.state)) return;
  const held = view.dom.querySelector(".history:focus-within") !== null;
  view.dispatch({ effects: [setHistory.of(null), closeHoverTooltips] });
  if (held && history?.before instanceof HTMLElement) history.before.focus();
}

/** Closes popups by Escape, and by a click beside them. */
const closing = ViewPlugin.define((view) => {
  const away = new AbortController();
  const options = { capture: true, signal: away.signal };
  const isPopup = ({ target }: Event): boolean => target instanceof Element && target.closest(".cm-tooltip") !== null;
  document.addEventListener("pointerdown", (event) => isPopup(event) || closePopups(view), options);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && closePopups(view), options);
  return { destroy: () => away.abort() };
});

function historyOf(
  line: number,
  { times, last, registers }: LineHistory,
  launch: LaunchHistory,
  links: HistoryLinks,
): HTMLElement {
  const present = last.findIndex(({ position }) => position <= launch.position);
  const rows = last.map(({ position, text, kept }, at) =>
    element(
      "li",
      {},
      element(
        "button",
        {
          type: "button",
          title: `${text}: go to where this has just happened`,
          "aria-current": at === present ? "step" : undefined,
          onclick: () => links.goTo(position),
        },
        element("span", { class: kept ? "what kept" : "what" }, launch.short(text)),
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
    closing,
    hoverTooltip((view, pos) => {
      const { number, to } = view.state.doc.lineAt(pos);
      if (hasHistory(view.state) || !launch.values.some(({ line }) => line === number)) return null;
      return new Promise((done) =>
        launch.ofLine(number, (history) => {
          if (history === undefined || hasHistory(view.state)) return done(null);
          const dom = historyOf(number, history, launch, links);
          // On the value it stands below that; on a word, below what is said of the word.
          done({
            pos,
            end: to,
            above: noteIsBelow(view.state, to),
            create: pos === to ? atValue(number, dom) : () => ({ dom }),
          });
        }),
      );
    }),
    EditorView.domEventHandlers({
      click(event, view) {
        const line = lineOf(event);
        if (line > 0) openHistory(view, launch, line, links);
        return line > 0;
      },
      mousedown: (event) => lineOf(event) > 0,
    }),
  ];
}
