import type { Client, Loaded, Project, State } from "./client.ts";
import type { Answer, Call, Methods } from "./protocol.ts";

/** The name of the worker's file, which the build knows. */
declare const WORKER_FILE: string;

/** Milliseconds that a worker has to stop; then another one takes its place. */
const STOP_WAIT_MS = 2000;

interface Waiting {
  readonly method: Call["method"];
  readonly done: (value: unknown) => void;
  readonly failed: (error: Error) => void;
}

/** A client whose programs run in a worker; `url` is the worker's file, by default beside the page. */
export function connect(url: URL = new URL(WORKER_FILE, document.baseURI)): Client & Pick<Methods, "finalState"> {
  const waiting = new Map<number, Waiting>();
  let number = 0;
  let project: Project | undefined;
  let breakpoints: readonly number[] = [];
  let worker = start();

  function start(): Worker {
    const made = new Worker(url);
    made.onmessage = ({ data }: MessageEvent<Answer>) => {
      if ("dap" in data) return;
      if ("progress" in data) {
        client.onProgress?.(data.progress);
        return;
      }
      const call = waiting.get(data.id);
      waiting.delete(data.id);
      if ("error" in data) call?.failed(new Error(data.error));
      else call?.done(data.value);
    };
    // A file that cannot be fetched, say.
    made.onerror = (event) => fail(event.message || "the worker could not be loaded");
    return made;
  }

  function fail(message: string): void {
    const all = [...waiting.values()];
    waiting.clear();
    for (const { failed } of all) failed(new Error(message));
  }

  function ask<T>(method: Call["method"], ...values: readonly unknown[]): Promise<T> {
    number += 1;
    const id = number;
    return new Promise((done, failed) => {
      waiting.set(id, { method, done: done as (value: unknown) => void, failed });
      worker.postMessage({ id, method, values } satisfies Call);
    });
  }

  /** Another worker with the same project; who waits for a move gets the state at its beginning. */
  async function replace(): Promise<void> {
    worker.terminate();
    const stuck = [...waiting.values()];
    waiting.clear();
    worker = start();
    try {
      const loaded = project && (await ask<Loaded>("load", project));
      if (breakpoints.length > 0) await ask("breakpoints", breakpoints);
      for (const { method, done, failed } of stuck) {
        if (method === "move" && loaded?.state !== undefined) done(interrupted(loaded.state));
        else if (method === "load" && loaded !== undefined) done(loaded);
        else failed(new Error("the worker was stuck, and another one has taken its place"));
      }
    } catch (error) {
      for (const { failed } of stuck) failed(error as Error);
    }
  }

  const client: Client & Pick<Methods, "finalState"> = {
    onProgress: undefined,
    words: () => ask("words"),
    read: (name, bytes) => ask("read", name, bytes),
    problems: (text) => ask("problems", { name: text.name, text: text.text }),
    complete: (text, offset) => ask("complete", { name: text.name, text: text.text }, offset),
    hover: (text, offset) => ask("hover", { name: text.name, text: text.text }, offset),
    codePage: (code) => ask("codePage", code),
    load(next, steps) {
      project = next;
      breakpoints = [];
      return ask("load", next, steps);
    },
    move: (move) => ask("move", move),
    stop() {
      worker.postMessage({ method: "stop", values: [] } satisfies Call);
      const before = worker;
      const moves = [...waiting].filter(([, { method }]) => method === "move" || method === "load").map(([id]) => id);
      if (moves.length > 0)
        setTimeout(() => {
          if (worker === before && moves.some((id) => waiting.has(id))) replace();
        }, STOP_WAIT_MS);
    },
    breakpoints(lines) {
      breakpoints = lines;
      return ask("breakpoints", lines);
    },
    focus: (thread) => ask("focus", thread),
    lanes: () => ask("lanes"),
    memory: (space, address, bytes) => ask("memory", space, address, bytes),
    strip: () => ask("strip"),
    values: () => ask("values"),
    lineHistory: (line) => ask("lineHistory", line),
    explain: (line) => ask("explain", line),
    outcomes: () => ask("outcomes"),
    outcomeDetail: (row) => ask("outcomeDetail", row),
    origin: (place, type) => ask("origin", place, type),
    finalState: () => ask("finalState"),
  };
  return client;
}

const interrupted = (state: State): State => ({
  ...state,
  stop: { reason: "interrupt", text: "stopped; the launch is at its beginning, because it had to be ended" },
});
