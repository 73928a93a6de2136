import { lint } from "../../src/host/lint.ts";
import { Source } from "../../src/source/source.ts";
import type { Text } from "../page/client.ts";
import type { Adapted, Answer, Call, Methods } from "../page/protocol.ts";
import { receive } from "./adapting.ts";
import * as debugging from "./debugging.ts";
import { explain } from "./explaining.ts";
import { complete, hover, problems as problemsOf } from "./language.ts";
import { litmusProblems, outcomeDetail } from "./outcomes.ts";
import { codePage } from "./pages.ts";
import { problemOf } from "./problem.ts";
import { read } from "./reading.ts";
import { isTest } from "./test-text.ts";
import { words } from "./words.ts";

/** What is there of a worker's world; the project is not checked with a browser's types. */
declare const self: {
  onmessage: (event: { readonly data: Call | Adapted }) => void;
  postMessage(answer: Answer): void;
};

/** Whether a text was read before: then what is fetched to read it again is worth its time. */
let again = false;

function problems(text: Text) {
  if (isTest(text)) return litmusProblems(text);
  if (again) return problemsOf(text);
  again = true;
  const source = new Source(text.name, text.text);
  return lint(source).map((each) => problemOf(each, source));
}

const tell = (position: number): void => self.postMessage({ progress: position });

const methods: Methods = {
  words: async () => words(),
  read: async (name, bytes) => read(name, bytes),
  problems: async (text) => problems(text),
  complete: async (text, offset) => complete(text, offset),
  hover: async (text, offset) => hover(text, offset),
  codePage: async (code) => codePage(code),
  load: (project, steps) => debugging.load(project, steps, tell),
  move: (move) => debugging.move(move, tell),
  stop: () => debugging.stop(),
  breakpoints: async (lines) => debugging.breakpoints(lines),
  focus: async (thread) => debugging.focus(thread),
  lanes: async () => debugging.lanes(),
  memory: async (space, address, bytes) => debugging.memory(space, address, bytes),
  strip: () => debugging.strip(),
  values: () => debugging.values(),
  lineHistory: async (line) => debugging.lineHistory(line),
  explain: async (line) => explain(debugging.standing(), line, debugging.lastAt),
  outcomes: async () => debugging.outcomes(),
  outcomeDetail: async (row) => outcomeDetail(row),
  origin: (place, type) => debugging.origin(place, type),
  finalState: async () => debugging.finalState(),
};

self.onmessage = async ({ data }) => {
  if ("dap" in data) return receive(data.dap, (dap) => self.postMessage({ dap }));
  const { id, method, values } = data;
  try {
    const value = await (methods[method] as (...all: readonly unknown[]) => unknown)(...values);
    if (id !== undefined) self.postMessage({ id, value });
  } catch (error) {
    if (id !== undefined) self.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
};
