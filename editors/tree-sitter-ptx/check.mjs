// Tries the tree-sitter grammar: generates a parser, runs the corpus, and parses every example and every text that is known
// to be accepted. Needs the command `tree-sitter` (or TREE_SITTER) and a C compiler; without them, it says so.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const tool = process.env.TREE_SITTER || "tree-sitter";
/** Texts of a file, so that few files are parsed. */
const TOGETHER = 100;

const missing = [[tool], ["cc"]].find(([command]) => spawnSync(command, ["--version"]).status !== 0);
if (missing !== undefined) console.log(`The tree-sitter grammar is not tried: there is no ${missing[0]} here.`);
else {
  const folder = mkdtempSync(join(tmpdir(), "tree-sitter-ptx-"));
  try {
    check(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function check(folder) {
  cpSync(at("."), folder, { recursive: true });
  const run = (...args) =>
    spawnSync(tool, args, { cwd: folder, encoding: "utf8", env: { ...process.env, TREE_SITTER_DIR: folder } });
  for (const step of [["generate"], ["test"]]) {
    const { status, stdout, stderr } = run(...step);
    if (status !== 0) throw new Error(`tree-sitter ${step[0]} failed:\n${stdout}${stderr}`);
  }
  const texts = readdirSync(at("../../examples"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ptx"))
    .map((file) => join(at("../../examples"), file));
  const accepted = gunzipSync(readFileSync(at("../../tests/data/verdicts/accepted.jsonl.gz")))
    .toString()
    .trim()
    .split("\n");
  for (let first = 0; first < accepted.length; first += TOGETHER) {
    const file = join(folder, `accepted-${first}.ptx`);
    const lines = accepted.slice(first, first + TOGETHER).map((line) => JSON.parse(line).text);
    writeFileSync(file, `${lines.join("\n")}\n`);
    texts.push(file);
  }
  const { stdout } = run("parse", "--quiet", "--stat", ...texts);
  // A last semicolon may be missing, as it is in a text of the manual: that is no ERROR.
  const wrong = stdout.split("\n").filter((line) => line.includes("(ERROR"));
  const counted = /Total parses: (\d+)/.exec(stdout)?.[1];
  if (wrong.length > 0 || Number(counted) !== texts.length)
    throw new Error(`texts with errors, of ${counted} parsed:\n${wrong.join("\n")}`);
  console.log(`${counted} files parse without an error, with ${accepted.length} accepted forms in them.`);
}
