// Makes the pastes beside it from `source`: `node tests/data/pastes/render.js` with nvcc, clang and c++filt on the path.
// A command by itself, not a part of the tests. Each form is what a site or a person makes of a compiler's output.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const here = new URL(".", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "pastes-"));

function nvcc(name, ...options) {
  const out = join(folder, "out.ptx");
  const input = join(here, "source", `${name}.cu`);
  execFileSync("nvcc", ["-ptx", "--extended-lambda", "-diag-suppress", "177", ...options, "-o", out, input]);
  // Where it was compiled is nobody's business.
  return readFileSync(out, "utf8").replaceAll(join(here, "source"), "/app");
}

function clang(name) {
  const out = join(folder, "out.ptx");
  const options = ["-S", "-O2", "-x", "cuda", "--cuda-gpu-arch=sm_80", "--cuda-device-only", "-nocudalib", "-nocudainc"];
  execFileSync("clang", [...options, join(here, "source", `${name}.cu`), "-o", out], { stdio: "ignore" });
  return readFileSync(out, "utf8");
}

const filter = (text) => execFileSync("c++filt", { input: text, encoding: "utf8" });

/** The names that the text declares are replaced wherever they stand, within other names too. */
function replaced(text) {
  const heads = text.matchAll(/\.(?:entry|func)\s+(?:\([^)]*\)\s*)?(_Z[\w$]+)|\.(?:global|shared|const|local)[^;=\n]*?\b(_Z[\w$]+)/g);
  const names = [...new Set([...heads].map(([, head, variable]) => head ?? variable))];
  const plain = filter(names.join("\n")).split("\n");
  const pairs = names.map((name, at) => [name, plain[at]]).sort(([a], [b]) => b.length - a.length);
  return pairs.reduce((before, [name, known]) => before.replaceAll(name, known), text);
}

/** What the site's filter of comments leaves today. */
function comments(text) {
  const lines = text.split("\n").filter((line) => !/^\s*(\/\/.*)?$/.test(line));
  return lines.map((line) => (line.indexOf("//") > 0 ? line.slice(0, line.indexOf("//")).trimEnd() : line)).join("\n");
}

/** What its filters of directives, labels, comments and blanks left before it knew PTX. */
function directives(text) {
  const begin = /\.(?:entry|func)\s+(?:\([^)]*\)\s*)?[$.A-Z_a-z][\w$.]*\($/;
  const used = new Set(text.match(/\$L__BB\w+(?=;)/g));
  const kept = [];
  let head = false;
  for (const line of text.split("\n")) {
    if (/^\s*(\/\/.*)?$/.test(line)) continue;
    const label = /^(\$L\w+):/.exec(line);
    if (label !== null && !used.has(label[1])) continue;
    if (begin.test(line)) head = true;
    else if (head) head = !/^\s*\)\s*$/.test(line);
    else if (/^\s*\./.test(line)) continue;
    kept.push(line.replaceAll("\t", " ").replace(/^ +/, " ").replace(/(?<=\S) +/g, " ").trimEnd());
  }
  return kept.join("\n");
}

/** Copied without the lines that look like noise. */
const bare = (text) =>
  text
    .split("\n")
    .filter((line) => !/^\s*\.(?:version|target|address_size|reg)\b/.test(line))
    .join("\n");

const fence = (text) => `\`\`\`ptx\r\n${text.trimEnd().replaceAll("\n", "\r\n").replace("ld.param", "\u00a0ld.param")}\r\n\`\`\`\r\n`;
const page = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const numbered = (text) =>
  text
    .trimEnd()
    .split("\n")
    .map((line, at) => `${String(at + 1).padStart(4)}\t${line}`)
    .join("\n");

/** The same kernel under a name as Numba makes them. */
const numba = (text) =>
  text.replaceAll("axpy", "_ZN8__main__4axpyB2v1B4c8tJEf5ArrayIfLi1E1C7mutable7alignedES0_i");

const made = {
  "square.nvcc": nvcc("square"),
  "square.demangled": replaced(nvcc("square")),
  "square.comments": comments(replaced(nvcc("square"))),
  "square.directives": replaced(directives(nvcc("square"))),
  "square.bare": bare(replaced(nvcc("square"))),
  "square.lineinfo": replaced(nvcc("square", "-lineinfo")),
  "square.debug": filter(nvcc("square", "-G")),
  "square.fence": fence(replaced(nvcc("square"))),
  "square.mark": `\ufeff${nvcc("square")}`,
  "square.numbered": numbered(replaced(nvcc("square"))),
  "template.filtered": filter(nvcc("template")),
  "template.demangled": replaced(nvcc("template")),
  "template.comments": comments(replaced(nvcc("template"))),
  "template.bare": bare(replaced(nvcc("template"))),
  "template.page": page(replaced(nvcc("template"))),
  "calls.filtered": filter(nvcc("calls")),
  "calls.demangled": replaced(nvcc("calls")),
  "calls.comments": comments(filter(nvcc("calls"))),
  "calls.directives": replaced(directives(nvcc("calls"))),
  "calls.bare": bare(replaced(nvcc("calls"))),
  "print.demangled": replaced(nvcc("print")),
  "print.bare": bare(filter(nvcc("print"))),
  "lambda.filtered": filter(nvcc("lambda")),
  "lambda.demangled": replaced(nvcc("lambda")),
  "lambda.directives": replaced(directives(nvcc("lambda"))),
  "widths.nvcc": nvcc("widths"),
  "widths.directives": directives(nvcc("widths")),
  "widths.bare": bare(replaced(nvcc("widths"))),
  "warp.demangled": replaced(nvcc("warp")),
  "warp.directives": replaced(directives(nvcc("warp"))),
  "warp.lineinfo": comments(replaced(nvcc("warp", "-lineinfo", "-arch=sm_90"))),
  "plain.nvcc": nvcc("plain"),
  "plain.directives": directives(nvcc("plain")),
  "plain.numba": numba(nvcc("plain")),
  "plain.numba-demangled": replaced(numba(nvcc("plain"))),
  "clang.clang": clang("clang"),
  "clang.demangled": replaced(clang("clang")),
  "clang.bare": bare(filter(clang("clang"))),
};
// Triton writes this form; nothing that makes it is at hand.
const triton = readFileSync(join(here, "source", "triton.ptx"), "utf8");
Object.assign(made, {
  "triton.triton": triton,
  "triton.comments": comments(triton),
  "triton.bare": bare(triton),
});
for (const [name, text] of Object.entries(made)) {
  const [source = "", form = ""] = name.split(".");
  mkdirSync(join(here, source), { recursive: true });
  writeFileSync(join(here, source, `${form}.ptx`), text);
}
