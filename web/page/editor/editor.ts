import { Compartment, EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  type ViewUpdate,
} from "@codemirror/view";
import type { Bench, Change } from "../bench.ts";
import type { Problem, Words } from "../client.ts";
import type { LaunchHistory } from "../history.ts";
import { ones } from "../masks.ts";
import { colours } from "./colours.ts";
import { hovers } from "./hover.ts";
import { look } from "./look.ts";
import { markings, showMarks } from "./marks.ts";
import { closePopups, type HistoryLinks, lineValues, openHistory, showValues } from "./values.ts";

/** What takes a text by itself. */
const FIELDS = 'input:not([type="range"], [type="checkbox"]), textarea, [contenteditable]';

/** The editor of the program's text, which shows where the run stands in it. */
export class Editor {
  readonly view: EditorView;
  readonly #bench: Bench;
  readonly #history: LaunchHistory;
  readonly #ask: (code: string) => void;
  readonly #links: HistoryLinks;
  readonly #language = new Compartment();
  readonly #editing = new Compartment();
  #editor: Pick<typeof import("./editing.ts"), "editing" | "underline"> | undefined;
  /** Whether the colours are those of vISA. */
  #coloured = false;
  #words: Words = { mnemonics: [], modifiers: [], directives: [], specials: [] };
  /** The line of the cursor, when it was looked at last. */
  #line = 1;
  /** The errors that are told below their lines. */
  #told: readonly Problem[] = [];
  /** Whether the text has been put in as a whole, and nobody has touched it since. */
  #untouched = false;

  /** `ask` shows the page of a code, `bits` a register as bits. */
  constructor(
    parent: HTMLElement,
    bench: Bench,
    history: LaunchHistory,
    { ask, bits }: { readonly ask: (code: string) => void; readonly bits: (register: string) => void },
  ) {
    this.#bench = bench;
    this.#history = history;
    this.#ask = ask;
    this.#links = { goTo: (position) => void bench.goTo(position), bits };
    this.view = new EditorView({ parent, state: this.#fresh() });
    bench.listen((change) => {
      if (change === "project") this.view.setState(this.#fresh());
      this.#tell(change);
      if (change === "text" && this.#coloured !== isVisa(bench)) this.#recolour();
      if (change === "awake" || (change === "problems" && bench.problems.length > 0)) void this.#equip();
      if (change === "problems" || change === "project") this.#editor?.underline(this.view, bench.problems, ask);
      if (change !== "busy" && change !== "subject") this.#mark();
      if (change === "state" && (this.#untouched || !this.view.hasFocus)) this.#follow();
      // They are about where the launch stood.
      if (change === "state" || change === "text") closePopups(this.view);
    });
    const showNow = (): void => showValues(this.view, history.values);
    history.listen(showNow);
    new ResizeObserver(showNow).observe(this.view.scrollDOM);
    document.addEventListener("paste", (event) => this.#paste(event), { capture: true });
    void bench.client.words().then((words) => {
      this.#words = words;
      this.#recolour();
    });
  }

  /** The line of the cursor. */
  get line(): number {
    return this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
  }

  /** Shows what the focused thread has done in the cursor's line, and gives it the keyboard. */
  openHistory(): void {
    openHistory(this.view, this.#history, this.line, this.#links);
  }

  /** Puts the cursor at an offset, and shows it with the beginning of its line where that can be. */
  goTo(from: number, to: number = from): void {
    const { scrollDOM, contentDOM, defaultCharacterWidth } = this.view;
    const { doc } = this.view.state;
    const { length } = doc;
    const start = doc.lineAt(Math.min(from, length)).from;
    const columns = (scrollDOM.clientWidth - contentDOM.offsetLeft) / defaultCharacterWidth;
    const shown = from - start < columns / 2 ? start : Math.min(from, length);
    this.view.dispatch({
      selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
      effects: EditorView.scrollIntoView(shown, { xMargin: 20 }),
    });
    this.view.focus();
  }

  #fresh(): EditorState {
    const bench = this.#bench;
    return EditorState.create({
      doc: bench.project.text,
      extensions: [
        markings((line) => void bench.toggle(line), this.#ask),
        ...[highlightActiveLine(), highlightActiveLineGutter(), drawSelection()],
        this.#language.of(this.#colours()),
        this.#editing.of(this.#tools()),
        hovers(bench.client, () => bench.project),
        lineValues(this.#history, this.#links),
        look,
        EditorState.languageData.of(() => [{ commentTokens: { line: "//" } }]),
        EditorView.contentAttributes.of({
          "aria-label": "Program",
          tabindex: "0",
          spellcheck: "false",
          autocapitalize: "off",
          autocorrect: "off",
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.#changed(update);
          if (!update.docChanged && update.selectionSet) this.#moved(update.state);
        }),
      ],
    });
  }

  /** What is pasted beside all fields is the program: it is put in the place of the text, as if pasted there. */
  #paste(event: ClipboardEvent): void {
    const insert = event.clipboardData?.getData("text/plain") ?? "";
    // The event's target is where the selection is, not what has the keyboard.
    if (insert.trim() === "" || document.activeElement?.matches(FIELDS) || document.querySelector("dialog[open]"))
      return;
    event.preventDefault();
    event.stopPropagation();
    const { view } = this;
    // With what undoes it.
    void this.#equip().then(() =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, userEvent: "input.paste" }),
    );
  }

  #changed({ transactions, startState, state, view }: ViewUpdate): void {
    let whole = false;
    for (const each of transactions)
      if (each.isUserEvent("input.paste"))
        each.changes.iterChangedRanges((from, to) => {
          whole ||= from === 0 && to === startState.doc.length;
        });
    this.#untouched = whole;
    this.#bench.edit(state.doc.toString(), whole);
    // A text is read from its beginning.
    if (whole) queueMicrotask(() => view.dispatch({ selection: { anchor: 0 }, scrollIntoView: true }));
  }

  /** Loads what editing needs. */
  async #equip(): Promise<void> {
    if (this.#editor !== undefined) return;
    const { editing, underline } = await import("./editing.ts");
    if (this.#editor !== undefined) return;
    this.#editor = { editing, underline };
    this.view.dispatch({ effects: this.#editing.reconfigure(this.#tools()) });
    underline(this.view, this.#bench.problems, this.#ask);
  }

  #tools() {
    return this.#editor?.editing(this.#bench.client, () => this.#bench.project) ?? [];
  }

  #colours() {
    this.#coloured = isVisa(this.#bench);
    return colours(this.#words, this.#coloured);
  }

  #recolour(): void {
    this.view.dispatch({ effects: this.#language.reconfigure(this.#colours()) });
  }

  /** Errors are told once the text has been launched, and no longer than they are there. */
  #tell(change: Change): void {
    const { loaded, problems } = this.#bench;
    if (change === "project") this.#told = [];
    if (change === "loaded") this.#told = loaded?.problems.filter(({ severity }) => severity === "error") ?? [];
    if (change === "problems")
      this.#told = this.#told.filter(({ message }) => problems.some((each) => each.message === message));
  }

  /** The instruction under the cursor is explained once the cursor has come to another line. */
  #moved(state: EditorState): void {
    const { number } = state.doc.lineAt(state.selection.main.head);
    if (number !== this.#line && this.view.hasFocus) this.#bench.explain(number);
    this.#line = number;
  }

  #mark(): void {
    const { state, stale, faults, breakpoints, problems } = this.#bench;
    const shown = stale ? undefined : state;
    const lanes = new Map<number, number>();
    const { block, warp } = state?.focus ?? { block: 0, warp: 0 };
    for (const { line, mask } of shown?.warps.find((each) => each.block === block && each.warp === warp)?.groups ?? [])
      if (line !== undefined) lanes.set(line, (lanes.get(line) ?? 0) + ones(mask));
    showMarks(this.view, { current: shown?.line, lanes, breakpoints, faults, problems, told: this.#told });
  }

  /** Keeps the line in sight that comes next. */
  #follow(): void {
    const { doc } = this.view.state;
    const { state, faults } = this.#bench;
    const line = Math.min(state?.line ?? 0, doc.lines);
    // When everything has ended, what went wrong is looked at.
    const at = line > 0 ? doc.line(line).from : (this.#told[0] ?? faults[0])?.from;
    if (at !== undefined && at <= doc.length)
      this.view.dispatch({ effects: EditorView.scrollIntoView(at, { y: "nearest", yMargin: 60 }) });
  }
}

const isVisa = ({ project }: Bench): boolean => project.name.endsWith(".visaasm");
