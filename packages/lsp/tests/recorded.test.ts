import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lint } from "../../../src/host/lint.ts";
import { readVerdicts, type Verdict, wholeText } from "../../../tests/conformance/verdict.ts";
import { draws } from "../../../tests/share.ts";
import { Lines } from "../src/text/lines.ts";
import { Client } from "./client.ts";

let client: Client;
beforeAll(async () => {
  client = await (await Client.start()).begin();
});
afterAll(async () => {
  await client.end();
});

const kinds = ["error", "warning", "note"];
/** What `lint` says, as the protocol has it. */
const said = (text: string) => {
  const lines = new Lines(text);
  return lint(text).map(({ code, severity, message, span }) => ({
    code,
    severity: kinds.indexOf(severity) + 1,
    message,
    range: { start: lines.position(span.start), end: lines.position(span.end) },
  }));
};

let made = 0;
/** What the server says of a text when it is opened: then it does not wait for more to be typed. */
async function told(text: string) {
  const uri = `file:///recorded${made++}.ptx`;
  await client.open(uri, text);
  const found = await client.diagnostics(uri);
  await client.connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
  return found.map(({ code, severity, message, range }) => ({
    code,
    severity,
    message: String(message).split("\n", 1)[0],
    range,
  }));
}

/** Modules with so many kernels, each around one recorded form; those for one target and version together. */
const MOST = 250;
function modules(records: readonly Verdict[]): readonly string[] {
  const groups = new Map<string, Verdict[][]>();
  for (const record of records) {
    const key = `${record.target} ${record.version}`;
    const group = groups.get(key) ?? [[]];
    groups.set(key, group);
    const last = group.at(-1);
    if (last === undefined || last.length >= MOST) group.push([record]);
    else last.push(record);
  }
  return [...groups.values()].flat().map((group) => {
    const declared = new Set<string>();
    const parts = group.map((record, at) => {
      const text = wholeText(record);
      const [, head = "", body = ""] = /^([\s\S]*?)(\.entry k\([\s\S]*)$/.exec(text) ?? [];
      const [first = "", second = "", ...own] = head.split("\n");
      const size = own[0]?.startsWith(".address_size") ? own.shift() : "";
      const fresh = own.filter((each) => each !== "" && !declared.has(each) && declared.add(each));
      const top = at === 0 ? [first, second, size] : [];
      return [...top, ...fresh, body.replace(".entry k(", `.entry k${at}(`)].join("\n");
    });
    return parts.join("\n");
  });
}

/** One recorded form in so many; `RECORDED=all` takes each, in some minutes. */
const STEP = process.env["RECORDED"] === "all" ? 1 : draws(320, 96);

describe("the server says what lint says", () => {
  test.each(["accepted.jsonl.gz", "rejected.jsonl.gz"])("of forms in %s", async (name) => {
    const records = readVerdicts(name).filter((_, at) => at % STEP === 0);
    const texts = modules(records);
    expect(texts.join("").match(/\.entry k\d/g)).toHaveLength(records.length);
    for (const text of texts) {
      // Both at once: the server is another process.
      const notifier = told(text);
      const saying = said(text);
      expect(await notifier).toEqual(saying);
    }
  });

  test("of every mistake that people make", async () => {
    const mistakes = [...readVerdicts("mistakes.jsonl"), ...readVerdicts("words.jsonl")];
    const texts = mistakes.filter((each) => /^(kernel|module|file)$/.test(each.in ?? "")).map(wholeText);
    for (const text of texts.filter((_, at) => at % 2 === 0)) expect(await told(text), text).toEqual(said(text));
  });
});
