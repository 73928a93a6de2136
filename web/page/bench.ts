import type { Client, Inputs, Loaded, Move, Origin, Problem, Project, State, Thread, ValuePlace } from "./client.ts";
import { filled } from "./filled.ts";
import { languageOf } from "./language.ts";
import type { Left } from "./link.ts";
import type { Recording } from "./recording.ts";

/** What has changed: the whole project, its text by typing, what loading it gave, where it stands, or what is looked at. */
export type Change =
  | "project"
  | "text"
  | "loaded"
  | "state"
  | "busy"
  | "problems"
  | "subject"
  | "breakpoints"
  | "failure"
  | "awake";

/** Milliseconds without a key before a text is read, and before it is launched. */
const READ_AFTER = 150;
const LOAD_AFTER = 450;
/** Warp instructions that a program runs by itself. */
export const MOST_STEPS = 1_000_000;

export const emptyInputs: Inputs = { entry: "", grid: "", block: "", values: {}, race: false };

/**
 * What is on the bench: a project, its launch and where that stands. Panels listen to it and ask it to move; only it talks to
 * the client about the launch, one request after another, and what comes too late is dropped.
 */
export class Bench {
  readonly #client: Client;
  project: Project = { name: "kernel.ptx", text: "", inputs: emptyInputs };
  /** What loading said last; of a text that cannot be read, with what was known of it before. */
  loaded: Loaded | undefined;
  /** Where the launch stands; while the text has changed since or is wrong, where the last good one stood. */
  state: State | undefined;
  /** The state before the last move. */
  earlier: State | undefined;
  problems: readonly Problem[] = [];
  breakpoints: readonly number[] = [];
  /** Sizes of the launch that were inferred, and stay because values by hand are made for them. */
  readonly held: Set<"grid" | "block"> = new Set();
  /** Where somebody stood in a run when an edit began another one. */
  was: Origin | undefined;
  /** The line that is explained; undefined for the one that comes next. */
  subject: number | undefined;
  /** Whether somebody is there: programs are launched from then on. */
  awake = false;
  /** Whether the text or an input has changed since it was launched, or cannot be. */
  stale = true;
  /** Whether the program is another one than what was shown before, and not that one edited. */
  isNew = true;
  /** What went wrong with the page itself. */
  failure: string | undefined;
  /** How far a move has come that goes on. */
  progress: number | undefined;
  /** Whether a move goes on, or a launch that takes long enough to be noticed; and whether more of a move is to come. */
  #busy = false;
  #waits = false;
  readonly #listeners: ((change: Change) => void)[] = [];
  #edition = 0;
  #reading: ReturnType<typeof setTimeout> | undefined;
  #loading: ReturnType<typeof setTimeout> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #wanted: number | undefined;
  /** Whether a launch is being loaded and run. */
  #launching = false;
  /** What answers in the client's place while a recording is shown. */
  #playback: Client | undefined;

  constructor(client: Client) {
    this.#client = client;
    client.onProgress = (position) => {
      this.progress = position;
      if (this.#launching) this.#busy = true;
      this.#tell("busy");
    };
  }

  /** Whether no other move is taken now. */
  get busy(): boolean {
    return this.#busy || this.#waits;
  }

  /** Whoever answers about what is shown. */
  get client(): Client {
    return this.#playback ?? this.#client;
  }

  listen(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  /** Somebody has come: what is on the bench is launched, and what comes later at once. */
  wake(): void {
    if (this.awake) return;
    this.awake = true;
    this.#tell("awake");
    if (this.stale || this.#playback !== undefined) void this.load();
  }

  /** Another project in place of this one, which is launched at once: somebody has chosen it. */
  open(project: Project): Promise<void> {
    this.#replace(project);
    if (!this.awake) {
      this.awake = true;
      this.#tell("awake");
    }
    return this.load();
  }

  /** Shows a project that has run before, as it was recorded; the client takes over when somebody comes. */
  play(project: Project, { loaded }: Recording, playback: Client): void {
    this.#replace(project);
    this.loaded = loaded;
    this.state = loaded.state;
    this.stale = false;
    this.#playback = playback;
    this.#tell("loaded");
    this.#tell("state");
    this.isNew = false;
  }

  /** Opens a project as somebody has left it. */
  async resume(project: Project, { position, focus, breakpoints }: Left): Promise<void> {
    await this.open(project);
    await this.setBreakpoints(breakpoints);
    await this.visit({ position, thread: focus });
  }

  /** Goes to a position and looks at a thread there, where it has begun. */
  async visit({ position, thread }: Origin): Promise<void> {
    this.#waits = true;
    this.#tell("busy");
    try {
      if (position !== this.state?.position) await this.goTo(position);
      await this.focus(thread).catch(() => undefined);
    } finally {
      this.#waits = false;
      this.#tell("busy");
    }
  }

  #replace(project: Project): void {
    this.project = project;
    this.isNew = true;
    this.breakpoints = [];
    this.held.clear();
    this.problems = [];
    this.loaded = this.state = this.earlier = this.subject = this.#playback = undefined;
    this.#outdated();
    this.#tell("project");
    void this.#read();
  }

  /**
   * Somebody has typed; `pasted`: a text in the place of the whole, which runs even where it is the same. One that has little of the
   * text before is another one, however it came.
   */
  edit(text: string, pasted = false): void {
    const { project } = this;
    const isSame = text === project.text;
    if (isSame && !pasted) return;
    const { name } = project;
    this.project = { ...project, name: languageOf(name, text), text };
    if (!isSame && (pasted || sharedWith(project.text, text) * 4 < project.text.length)) {
      this.isNew = true;
      this.breakpoints = [];
      // Of other kernels nothing is known; those with the same parameters are another version, and keep their inputs.
      if (headsOf(text) !== headsOf(project.text)) {
        this.project = { name: languageOf("pasted.ptx", text), text, inputs: emptyInputs };
        this.held.clear();
      }
    }
    this.#outdated();
    this.#tell("text");
    clearTimeout(this.#reading);
    this.#reading = setTimeout(() => void this.#read(), READ_AFTER);
    this.#loadSoon();
  }

  /** Somebody has typed into a field. What was inferred for the size stays, as values by hand are made for it. */
  input(inputs: Partial<Inputs>): void {
    const { inferred } = this.loaded ?? {};
    const own = this.project.inputs;
    const size = { grid: own.grid || (inferred?.grid ?? ""), block: own.block || (inferred?.block ?? "") };
    for (const field of ["grid", "block"] as const)
      if (inputs[field] !== undefined) this.held.delete(field);
      else if (inputs.values && own[field] === "" && inferred) this.held.add(field);
    this.project = { ...this.project, inputs: { ...own, ...(inputs.values && size), ...inputs } };
    this.#outdated();
    this.#tell("text");
    this.#loadSoon();
  }

  /** Launches what is on the bench and runs it; until that is done, what was there before stays in sight. */
  load(): Promise<void> {
    clearTimeout(this.#loading);
    this.stop();
    return this.#inTurn(async () => {
      const edition = this.#edition;
      this.#launching = true;
      this.progress = undefined;
      try {
        const loaded = await this.#client.load(this.project, MOST_STEPS);
        if (edition !== this.#edition) return;
        const isGood = loaded.state !== undefined;
        this.loaded = isGood ? loaded : withKnown(loaded, this.loaded);
        this.stale = !isGood;
        if ((this.isNew || loaded.outcomes) && !isGood) this.state = undefined;
        this.#playback = undefined;
        if (isGood) {
          this.was = this.isNew ? undefined : (standsIn(this.state) ?? this.was);
          this.earlier = undefined;
          this.state = loaded.state;
          if (this.isNew || loaded.state?.stop.problem) this.subject = undefined;
          if (this.breakpoints.length > 0) this.breakpoints = await this.#client.breakpoints(this.breakpoints);
        }
      } finally {
        this.#launching = this.#busy = false;
      }
      this.#tell("loaded");
      this.#tell("state");
      this.isNew = false;
    });
  }

  /** Moves; what was changed before is launched first. Forward from where a launch has ended is a new one. */
  async move(move: Move): Promise<void> {
    if (this.busy) return;
    this.#waits = true;
    this.#tell("busy");
    try {
      if (!(await this.#ready())) return;
      await this.#inTurn(async () => {
        const { reason } = this.state?.stop ?? {};
        const again = (reason === "exit" || reason === "fault") && forward.includes(move.kind);
        if (again) await this.#client.move({ kind: "restart" });
        this.#waits = false;
        await this.#moved(this.#client.move(move));
      });
    } finally {
      this.#waits = false;
      this.#tell("busy");
    }
  }

  /** Whether there is a launch that can be moved: what is recorded or has changed is launched first. */
  async #ready(): Promise<boolean> {
    this.wake();
    await this.#queue;
    if (this.stale) await this.load();
    return !this.stale;
  }

  /** Goes to a position; of several wishes that come while it travels, only the last one counts. */
  async goTo(position: number): Promise<void> {
    const travels = this.#wanted !== undefined;
    this.#wanted = position;
    if (travels) return;
    const isReady = await this.#ready();
    for (let to: number | undefined = this.#wanted; to !== undefined && isReady; ) {
      await this.#inTurn(() => this.#moved(this.#client.move({ kind: "goTo", position: to ?? 0 })));
      to = this.#wanted === to ? undefined : this.#wanted;
    }
    this.#wanted = undefined;
  }

  /** Where it is to go, while it is on its way there. */
  get wanted(): number | undefined {
    return this.#wanted;
  }

  stop(): void {
    if (this.busy || this.#launching) this.#client.stop();
  }

  async focus(thread: Thread): Promise<void> {
    if (!(await this.#ready())) return;
    await this.#inTurn(async () => {
      this.state = await this.#client.focus(thread);
      this.#tell("state");
    });
  }

  /** Goes before the instruction that wrote a value, or made it NaN or infinite, in the thread that executed it. */
  async trace(place: ValuePlace, type: string): Promise<void> {
    if (this.busy || !(await this.#ready())) return;
    const origin = await this.#inTurn(() => this.client.origin(place, type));
    if (origin === undefined) return this.fail("nothing that ran has written this value, or it is one of vISA");
    await this.visit(origin);
  }

  /** Sets a breakpoint at a line, or takes it away. */
  toggle(line: number): Promise<void> {
    const has = this.breakpoints.includes(line);
    return this.setBreakpoints(has ? this.breakpoints.filter((each) => each !== line) : [...this.breakpoints, line]);
  }

  setBreakpoints(lines: readonly number[]): Promise<void> {
    this.breakpoints = lines;
    this.#tell("breakpoints");
    if (this.stale || this.#playback !== undefined) return Promise.resolve();
    return this.#inTurn(async () => {
      this.breakpoints = [...new Set(await this.#client.breakpoints(lines))];
      this.#tell("breakpoints");
    });
  }

  /** Shows what the client answers; nothing when the launch that was asked about is no longer there, since then others ask. */
  look<T>(asked: Promise<T>, show: (value: T) => void): void {
    asked.then(show, () => undefined);
  }

  explain(line: number | undefined): void {
    this.subject = line;
    this.#tell("subject");
  }

  /** What is known to be wrong: with the text, then with the run. */
  get faults(): readonly Problem[] {
    const { stop, findings = [] } = this.state ?? {};
    return this.stale ? [] : [...(stop?.problem === undefined ? [] : [stop.problem]), ...findings];
  }

  async #moved(coming: Promise<State>): Promise<void> {
    this.#busy = true;
    this.progress = undefined;
    this.#tell("busy");
    try {
      const state = await coming;
      this.earlier = this.state;
      this.was = undefined;
      this.state = state;
      this.subject = undefined;
    } finally {
      this.#busy = false;
      this.#tell("busy");
    }
    this.#tell("state");
  }

  /** Says what went wrong beside the program. */
  fail(message: string): void {
    this.failure = message;
    this.#tell("failure");
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(act);
    this.#queue = turn.catch((error: unknown) => this.fail(error instanceof Error ? error.message : String(error)));
    return turn;
  }

  /** What the launch is given: what was typed, and what was inferred. */
  get inputs(): Inputs {
    return filled(this.project.inputs, this.stale ? undefined : this.loaded?.inferred);
  }

  /** Names of what has no value and is not inferred. */
  get missing(): readonly string[] {
    return this.loaded?.missing ?? [];
  }

  #outdated(): void {
    this.#edition++;
    this.stale = true;
  }

  #loadSoon(): void {
    clearTimeout(this.#loading);
    this.#loading = setTimeout(() => void this.load(), LOAD_AFTER);
  }

  async #read(): Promise<void> {
    const edition = this.#edition;
    const problems = await this.#client.problems(this.project);
    if (edition !== this.#edition) return;
    this.problems = problems;
    this.#tell("problems");
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** Characters that two texts have in common at their beginnings and ends. */
function sharedWith(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return start + end;
}

/** Names and parameters of a text's kernels; statements alone are another program each time. */
const headsOf = (text: string): string => text.match(/\.entry[^{]*/g)?.join() ?? text;

/** Where a run stands that has begun and has not ended. */
const standsIn = (state: State | undefined): Origin | undefined =>
  state === undefined || ["start", "exit", "fault", "bound", "interrupt"].includes(state.stop.reason)
    ? undefined
    : { position: state.position, thread: state.focus };

const forward: readonly Move["kind"][] = ["run", "step", "over", "out"];

/** What a load said that cannot run, with what was known of the text when it could. */
const withKnown = (loaded: Loaded, before: Loaded | undefined): Loaded => ({
  ...loaded,
  code: before?.code ?? [],
  demands: loaded.demands.length > 0 ? loaded.demands : (before?.demands ?? []),
  entries: loaded.entries.length > 0 ? loaded.entries : (before?.entries ?? []),
  inferred: before?.inferred,
});
