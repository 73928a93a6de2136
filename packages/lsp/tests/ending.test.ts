import { PassThrough } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { Reader, Unanswered } from "../../../src/cli/lsp/command.ts";
import { Framing, framed } from "../../../src/system/framing.ts";
import { World } from "../../../tests/unit/cli/world.ts";
import { kernel } from "./texts.ts";

const world = new World();
afterAll(() => world.remove());

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
}

/** What a server says to messages, and how it ends when its input ends with a piece of another one. */
async function session(messages: readonly object[], piece: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answers: Answer[] = [];
  const framing = new Framing(
    (message) => answers.push(message as Answer),
    (why) => expect.fail(why),
  );
  output.on("data", (bytes: Buffer) => framing.push(bytes));
  const served = world.ptxrun(["lsp", "--stdio"], { streams: () => ({ input, output }) });
  input.end(messages.map((each) => framed({ jsonrpc: "2.0", ...each })).join("") + piece);
  const { exit, err } = await served;
  return { exit, err, answers };
}

const uri = "file:///x.ptx";
const begin = [
  { id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } },
  { method: "initialized", params: {} },
  {
    method: "textDocument/didOpen",
    params: { textDocument: { uri, languageId: "ptx", version: 1, text: kernel("ret;") } },
  },
  { id: 2, method: "textDocument/documentSymbol", params: { textDocument: { uri } } },
  { id: 3, method: "textDocument/foldingRange", params: { textDocument: { uri } } },
];
const shutdown = [{ id: 4, method: "shutdown" }];

describe("when its input ends, the language server", () => {
  it.each([
    ["within a message", 'Content-Length: 100\r\n\r\n{"jsonrpc'],
    ["before a message", "Content-Length: 100\r\n\r\n"],
    ["within a head", "Content-Le"],
    ["behind a message", ""],
  ])("%s, answers what it has read whole, and ends", async (_, piece) => {
    const { exit, err, answers } = await session(begin, piece);
    expect(answers.flatMap(({ id, result }) => (id === undefined ? [] : [[id, result !== undefined]]))).toEqual([
      ...[1, 2, 3].map((id) => [id, true]),
    ]);
    expect([exit, err]).toEqual([2, ""]);
  });

  it("has ended well if it was told to before", async () => {
    const { exit, answers } = await session([...begin, ...shutdown], "Content-Length: 9\r\n\r\n{");
    expect(answers.filter(({ id }) => id !== undefined)).toHaveLength(4);
    expect(exit).toBe(0);
  });
});

it("a head that gives no length ends the language server, with what was wrong", async () => {
  const { exit, err } = await session(begin, "Content-Length: many\r\n\r\n{}");
  expect([exit, err]).toEqual([2, "ptxrun lsp: a message whose Content-Length is not a number of bytes\n"]);
});

it("a message that is not JSON is passed over", async () => {
  const { exit, err, answers } = await session(
    [],
    `Content-Length: 1\r\n\r\n{${framed({ jsonrpc: "2.0", ...begin[0] })}`,
  );
  expect([exit, err]).toEqual([2, "ptxrun lsp: a message that is not JSON\n"]);
  expect(answers.map(({ id }) => id)).toEqual([1]);
});

it("a message may have 512 MiB and no byte more", async () => {
  const [most, more] = [`Content-Length: ${2 ** 29 + 1}\r\n\r\n`, "Content-Length: 536870913\r\n\r\n"];
  expect(most).toBe(more);
  const { err } = await session(begin, most);
  expect(err).toMatch(/^ptxrun lsp: .*536870912/);
  expect((await session(begin, `Content-Length: ${2 ** 29}\r\n\r\n`)).err).toBe("");
});

it("a platform that does not exist ends the language server before it begins", async () => {
  const { exit, out, err } = await world.ptxrun(["lsp", "--stdio", "--platform", "none"]);
  expect([exit, out]).toEqual([2, ""]);
  expect(err).toContain("unknown platform none");
});

describe("requests without an answer", () => {
  it("are waited for, each of them, by who wants there to be none", () => {
    const unanswered = new Unanswered();
    let idle = 0;
    unanswered.whenNone(() => void idle++);
    expect(idle).toBe(1);
    unanswered.asked();
    unanswered.asked();
    unanswered.whenNone(() => void idle--);
    expect(idle).toBe(1);
    unanswered.answered();
    expect(idle).toBe(1);
    unanswered.answered();
    expect(idle).toBe(0);
  });
});

it("a stream that breaks is told of, and one that is gone before its end closes the connection", async () => {
  const input = new PassThrough();
  const reader = new Reader(input, new Unanswered());
  const heard: string[] = [];
  reader.onError(({ message }) => heard.push(message));
  reader.onClose(() => heard.push("closed"));
  const taken: unknown[] = [];
  const listening = reader.listen((message) => taken.push(message));
  input.write(framed({ jsonrpc: "2.0", method: "one" }));
  await new Promise((done) => setImmediate(done));
  listening.dispose();
  input.write(framed({ jsonrpc: "2.0", method: "two" }));
  await new Promise((done) => setImmediate(done));
  expect(taken).toEqual([{ jsonrpc: "2.0", method: "one" }]);
  input.destroy(new Error("broken"));
  await new Promise((done) => setImmediate(done));
  expect(heard).toEqual(["broken", "closed"]);
});
