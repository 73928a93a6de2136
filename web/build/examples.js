// The list of examples, with inputs as the page's fields take them.
import { existsSync, readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { groups } from "../examples.js";

const root = fileURLToPath(new URL("../../examples/", import.meta.url));

/** Gives `{ path, text }` of the list and of each example. */
export function exampleFiles() {
  const files = [];
  const list = [];
  for (const [group, members] of Object.entries(groups))
    for (const [path, title, about, chosen] of members) {
      const text = readFileSync(root + path, "utf8");
      const file = path.replace("/", "-");
      files.push({ path: `examples/${file}`, text });
      list.push({
        id: basename(file, extname(file)),
        title,
        about,
        group,
        file,
        inputs: inputsOf(path, text, chosen),
      });
    }
  return [{ path: "examples/index.json", text: JSON.stringify(list) }, ...files];
}

/** The fields of a golden case: what stands before its arrow, and the sizes of the `args:` line above it. */
function inputsOf(path, text, chosen) {
  const sidecar = `${root}${path}check.json`;
  const own = text.split("\n").flatMap((line) => (line.startsWith("//@ ") ? [line.slice(4)] : []));
  const lines = existsSync(sidecar) ? JSON.parse(readFileSync(sidecar, "utf8")).directives : own;
  let args = [];
  for (const line of lines) {
    if (line.startsWith("args:")) args = line.slice(5).trim().split(/\s+/);
    const [, name, words] = /^case ([^:]+):(.*?)->/.exec(line) ?? [];
    if (name === undefined || (chosen !== undefined && name !== chosen)) continue;
    return { ...sizes(path, args), values: values(path, text, words.trim()) };
  }
  if (chosen !== undefined) throw new Error(`${path} has no case ${chosen}`);
  return {};
}

function sizes(path, args) {
  const inputs = {};
  for (let at = 0; at < args.length; at += 2) {
    const [option, value] = [args[at], args[at + 1]];
    if (option === "--grid" || option === "--block") inputs[option.slice(2)] = value;
    else if (option === "--sanitize") inputs.race = value.includes("race");
    else throw new Error(`${path}: the page has no field for ${option}`);
  }
  return inputs;
}

function values(path, text, words) {
  // Of the only kernel: names of parameters by their places.
  const header = /\.entry\s+[\w$]+\s*\(([^)]*)\)/.exec(text)?.[1] ?? "";
  const names = header.split(",").map((each) => /([\w$%]+)(?:\[\d*\])?\s*$/.exec(each.trim())?.[1]);
  const found = {};
  for (const word of words === "" ? [] : words.split(/\s+/)) {
    const at = word.indexOf("=");
    const [name, value] = [word.slice(0, at), word.slice(at + 1)];
    if (value.includes("@")) throw new Error(`${path}: the page reads no files`);
    found[/^\d+$/.test(name) ? names[Number(name)] : name] = value;
  }
  return found;
}
