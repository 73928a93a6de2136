// What a key costs the language server in a module of 1 MB: the change, the completion that an editor asks for, and the
// diagnostics of the text as it is then, in processor time of the server (all its threads), key by key.
//
//   node tests/bench/lsp.js [--bytes 1000000] [--strict]
//
// With `--strict` it exits 1 where the middle key takes more than 50 ms. The kernels are those that nvcc wrote for sm_80; a
// statement is typed into the middle one, and another into a head. Linux alone tells the times (/proc).
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

const { values } = parseArgs({
  options: { bytes: { type: "string", default: "1000000" }, strict: { type: "boolean", default: false } },
});

const folder = new URL("../data/kernels/", import.meta.url);
const kernels = readdirSync(folder)
  .filter((name) => name.endsWith("sm_80.O3.ptx.gz"))
  .flatMap((name) =>
    gunzipSync(readFileSync(new URL(name, folder)))
      .toString("utf8")
      .split(/^(?=\.visible \.entry)/m)
      .slice(1),
  )
  .map((text) => ({ name: /\.entry (\w+)/.exec(text)?.[1] ?? "", text: text.slice(0, text.lastIndexOf("\n}") + 2) }))
  .filter(({ name, text }) => name !== "" && !/call|\.shared|\.extern|\.const|\.global \.align|_ZZ/.test(text));
const parts = [".version 9.0\n.target sm_80\n.address_size 64\n"];
for (let size = 0, at = 0; size < Number(values.bytes); at++) {
  const { name, text } = kernels[at % kernels.length];
  parts.push(`${text.replaceAll(name, `${name}_${at}`)}\n`);
  size += text.length;
}
const text = parts.join("");

const server = spawn(process.execPath, [new URL("../../bin/ptxrun.js", import.meta.url).pathname, "lsp", "--stdio"], {
  stdio: ["pipe", "pipe", "inherit"],
});
const connection = createMessageConnection(
  new StreamMessageReader(server.stdout),
  new StreamMessageWriter(server.stdin),
);
let heard = () => {};
connection.onNotification("textDocument/publishDiagnostics", (params) => heard(params));
connection.listen();

/** Milliseconds of processor time that the server has had. */
const spent = () =>
  readdirSync(`/proc/${server.pid}/task`)
    .map((task) => Number(readFileSync(`/proc/${server.pid}/task/${task}/schedstat`, "utf8").split(" ")[0]) / 1e6)
    .reduce((sum, each) => sum + each, 0);

const uri = "file:///large.ptx";
const published = (version) =>
  new Promise((done) => {
    heard = (params) => params.version === version && done(params.diagnostics);
  });
const lineOf = (offset) => text.slice(0, offset).split("\n").length - 1;

await connection.sendRequest("initialize", { processId: null, rootUri: null, capabilities: {} });
const opening = published(1);
let start = spent();
await connection.sendNotification("textDocument/didOpen", {
  textDocument: { uri, languageId: "ptx", version: 1, text },
});
const found = await opening;
console.log(
  `${text.length} bytes, ${parts.length - 1} kernels: open ${(spent() - start).toFixed(0)} ms, ${found.length} diagnostics`,
);

let version = 1;
/** Types a text at a place, and gives what each key took. */
async function typed(words, line, character) {
  const times = [];
  for (const [at, key] of [...words].entries()) {
    version++;
    const position = { line, character: character + at };
    start = spent();
    const diagnosing = published(version);
    await connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges: [{ range: { start: position, end: position }, text: key }],
    });
    await connection.sendRequest("textDocument/completion", {
      textDocument: { uri },
      position: { line, character: character + at + 1 },
    });
    await diagnosing;
    times.push(spent() - start);
  }
  return times;
}

const report = (what, times) => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  console.log(
    `${what}: ${times.length} keys, middle ${at(0.5).toFixed(1)} ms, nine in ten below ${at(0.9).toFixed(1)} ms, most ${at(1).toFixed(1)} ms`,
  );
  return at(0.5);
};
const body = text.indexOf("\n\tret;", text.length / 2);
const statement = "\tadd.rn.f32 %f1, %f2, %f3; setp.lt.s32 %p1, %r1, %r2;";
await typed(statement, lineOf(body + 1), 0);
const middle = report("in a body", await typed(statement, lineOf(body + 1), 0));
const head = text.indexOf(".visible .entry", text.length / 3);
report("between functions", await typed("// about the next kernel", lineOf(head), 0));
server.kill();
connection.dispose();
if (values.strict && middle > 50) process.exitCode = 1;
