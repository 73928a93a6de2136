import type { Client, Inputs, Loaded, Move, Problem, Project, State, Thread } from "./client.ts";
import { languageOf } from "./language.ts";

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

export const emptyInputs: Inputs = { entry: "", grid: "", block: "", values: {}, race: false };

/**
 * What is on the bench: a project, its launch and where that stands. Panels listen to it and ask it to move; only it talks to
 * the client about the launch, one request after another, and what comes too late is dropped.
 */
export class Bench {
  readonly client: Client;
  project: Project = { name: "kernel.ptx", text: "", inputs: emptyInputs };
  loaded: Loaded | undefined;
  state: State | undefined;
  /** The state before the last move. */
  earlier: State | undefined;
  problems: readonly Problem[] = [];
  breakpoints: readonly number[] = [];
  /** The line that is explained; undefined for the one that comes next. */
  subject: number | undefined;
  /** Whether somebody is there: programs are launched from then on. */
  awake = false;
  /** Whether a move goes on. */
  busy = false;
  /** Whether the text or an input has changed since it was launched. */
  stale = true;
  /** What went wrong with the page itself. */
  failure: string | undefined;
  /** How far a move has come that goes on. */
  progress: number | undefined;
  readonly #listeners: ((change: Change) => void)[] = [];
  #edition = 0;
  #reading: ReturnType<typeof setTimeout> | undefined;
  #loading: ReturnType<typeof setTimeout> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #wanted: number | undefined;

  constructor(client: Client) {
    this.client = client;
    client.onProgress = (position) => {
      this.progress = position;
      this.#tell("busy");
    };
  }

  listen(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  /** Somebody has come: what is on the bench is launched, and what comes later at once. */
  wake(): void {
    if (this.awake) return;
    this.awake = true;
    this.#tell("awake");
    if (this.stale) void this.load();
  }

  /** Another project in place of this one; it is launched at once if somebody is there. */
  open(project: Project): Promise<void> {
    this.project = project;
    this.breakpoints = [];
    this.problems = [];
    this.loaded = this.state = this.earlier = this.subject = undefined;
    this.#outdated();
    this.#tell("project");
    void this.#read();
    return this.awake ? this.load() : Promise.resolve();
  }

  /** Somebody has typed. */
  edit(text: string): void {
    if (text === this.project.text) return;
    this.project = { ...this.project, name: languageOf(this.project.name, text), text };
    this.#outdated();
    this.#tell("text");
    clearTimeout(this.#reading);
    this.#reading = setTimeout(() => void this.#read(), READ_AFTER);
    this.#loadSoon();
  }

  input(inputs: Partial<Inputs>): void {
    this.project = { ...this.project, inputs: { ...this.project.inputs, ...inputs } };
    this.#outdated();
    this.#tell("text");
    this.#loadSoon();
  }

  /** Launches what is on the bench and stands before its first instruction. */
  load(): Promise<void> {
    clearTimeout(this.#loading);
    if (this.busy) this.client.stop();
    return this.#inTurn(async () => {
      const edition = this.#edition;
      const loaded = await this.client.load(this.project);
      if (edition !== this.#edition) return;
      this.loaded = loaded;
      this.stale = false;
      this.earlier = undefined;
      this.state = loaded.state;
      if (this.breakpoints.length > 0) this.breakpoints = await this.client.breakpoints(this.breakpoints);
      this.#tell("loaded");
      this.#tell("state");
    });
  }

  /** Moves; what was changed before is launched first. */
  async move(move: Move): Promise<void> {
    if (this.busy) return;
    if (this.stale) await this.load();
    if (this.state === undefined) return;
    await this.#inTurn(() => this.#moved(this.client.move(move)));
  }

  /** Goes to a position; of several wishes that come while it travels, only the last one counts. */
  async goTo(position: number): Promise<void> {
    const travels = this.#wanted !== undefined;
    this.#wanted = position;
    if (travels) return;
    if (this.stale) await this.load();
    for (let to: number | undefined = this.#wanted; to !== undefined; ) {
      await this.#inTurn(() => this.#moved(this.client.move({ kind: "goTo", position: to ?? 0 })));
      to = this.#wanted === to ? undefined : this.#wanted;
    }
    this.#wanted = undefined;
  }

  /** Where it is to go, while it is on its way there. */
  get wanted(): number | undefined {
    return this.#wanted;
  }

  stop(): void {
    if (this.busy) this.client.stop();
  }

  focus(thread: Thread): Promise<void> {
    return this.#inTurn(async () => {
      this.state = await this.client.focus(thread);
      this.#tell("state");
    });
  }

  /** Sets a breakpoint at a line, or takes it away. */
  toggle(line: number): Promise<void> {
    const has = this.breakpoints.includes(line);
    return this.setBreakpoints(has ? this.breakpoints.filter((each) => each !== line) : [...this.breakpoints, line]);
  }

  setBreakpoints(lines: readonly number[]): Promise<void> {
    this.breakpoints = lines;
    this.#tell("breakpoints");
    if (this.state === undefined) return Promise.resolve();
    return this.#inTurn(async () => {
      this.breakpoints = [...new Set(await this.client.breakpoints(lines))];
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
    this.busy = true;
    this.progress = undefined;
    this.#tell("busy");
    try {
      const state = await coming;
      this.earlier = this.state;
      this.state = state;
      this.subject = undefined;
    } finally {
      this.busy = false;
      this.#tell("busy");
    }
    this.#tell("state");
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(act);
    this.#queue = turn.catch((error: unknown) => {
      this.failure = error instanceof Error ? error.message : String(error);
      this.#tell("failure");
    });
    return turn;
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
    const problems = await this.client.problems(this.project);
    if (edition !== this.#edition) return;
    this.problems = problems;
    this.#tell("problems");
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}
