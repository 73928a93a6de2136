import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { loadVisa, platformNamed, usual } from "../../packages/visa/src/index.ts";
import { lint } from "../../src/index.ts";
import type { Program } from "../../src/interp/contract/program.ts";
import { parse } from "../../src/parser/index.ts";
import { loadModule } from "../../src/resolve/index.ts";
import type { Diagnostic } from "../../src/source/diagnostic.ts";
import { Source } from "../../src/source/source.ts";

/** A text, and what is said of it by a tool that was asked (ptxas 13.0, or Intel's for vISA), by us, or by both: a line of tests/data/verdicts. */
export interface Verdict {
  readonly text: string;
  /** What is around the text, see `wholeText`; if not said, a kernel that declares the names of `decl`. */
  readonly in?: string;
  readonly decl: Readonly<Record<string, string>>;
  /** sm_100 if not said; a line that has `targets` is a verdict for each of them. */
  readonly target: string;
  /** Of PTX, 9.0 if not said. */
  readonly version: string;
  /** What a test is called by, if not by its text. */
  readonly name?: string;
  readonly family?: string;
  /** Why the tool rejects it: in its words, by a category, or "unrecorded". */
  readonly cat?: string;
  /** Why the tool should not have taken it. */
  readonly quirk?: string;
  /** How the tool prints it. */
  readonly printed?: string;
  /** What we say of it, the text that this underlines, and patterns of which each matches the message, its `expected` or its help. */
  readonly code?: string;
  readonly at?: string;
  readonly says?: readonly string[];
  /** The spelling that was meant, which we must propose. */
  readonly meant?: string;
  /** More than one error is right. */
  readonly several?: true;
}

type Line = Partial<Verdict> & Pick<Verdict, "text"> & { readonly targets?: readonly string[] };

/** A list of verdicts: what was measured is compressed, and what is written by hand is not. */
export function readVerdicts(file: string): readonly Verdict[] {
  const bytes = readFileSync(new URL(`../data/verdicts/${file}`, import.meta.url));
  const lines = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").trimEnd().split("\n");
  return lines.flatMap((line) => {
    const { targets, ...verdict } = JSON.parse(line) as Line;
    return (targets ?? ["sm_100"]).map((target) => ({ decl: {}, target, version: "9.0", ...verdict }));
  });
}

/** The registers that newer.txt names by their kind, `q0` for one of 64 bits. */
const kinds: Readonly<Record<string, string>> = {
  b: "b8",
  h: "b16",
  r: "b32",
  q: "b64",
  x: "b128",
  f: "f32",
  d: "f64",
  p: "pred",
};
const places = {
  s: "module:.shared .align 1024 .b8 s[4096];",
  m: "module:.shared .align 8 .b64 m[4];",
  l: "local:.local .align 16 .b8 l[64];",
  k: "local:.param .b32 k;",
} as const;

/** The verdicts of newer.txt, whose first lines say how it is written; what is refused has `cat`. */
export function readNewer(): readonly Verdict[] {
  const text = readFileSync(new URL("../data/verdicts/newer.txt", import.meta.url), "utf8");
  const verdicts: Verdict[] = [];
  let version = "";
  let targets: readonly string[] = [];
  let others: readonly string[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    if (line.startsWith("@")) {
      const [says = ""] = line.slice(2).split(" | ");
      const [taken = "", refused = ""] = says.split(" ! ");
      [version = "", ...targets] = taken.trim().split(" ");
      others = refused === "" ? [] : refused.trim().split(" ");
      continue;
    }
    const [, wrong, module, written = ""] = /^(- )?(M )?(.*)$/.exec(line) ?? [];
    const names = new Set(written.match(/\b(?:[bhrqxfdp]\d+|[smlk])\b(?!::)/g) ?? []);
    const decl = Object.fromEntries(
      [...names].map((name) => [name, places[name as keyof typeof places] ?? kinds[name.charAt(0)] ?? ""]),
    );
    const same = {
      text: written.replaceAll("\\n", "\n"),
      ...(module === undefined ? { decl } : { decl: {}, in: "module" }),
    };
    const [first = ""] = targets;
    const before = (Number(version) - 0.1).toFixed(1);
    for (const target of targets) verdicts.push({ ...same, target, version, ...(wrong && { cat: "combination" }) });
    if (wrong) continue;
    verdicts.push({ ...same, target: first, version: before, cat: "version" });
    for (const target of others) verdicts.push({ ...same, target, version, cat: "target" });
  }
  return verdicts;
}

const registers =
  ".reg .u32 a, b, c; .reg .u64 rd, re; .reg .f32 f, g, h; .reg .f64 x, y, z; .reg .pred p, q; .reg .b16 h0, h1, h2; " +
  ".reg .b32 w0, w1, w2; .reg .v4 .f32 v;";

/** The text that a verdict is about. */
export function wholeText(verdict: Verdict): string {
  const { text, target, version } = verdict;
  const header = `.version ${version}\n.target ${target}\n.address_size 64\n`;
  switch (verdict.in) {
    case undefined:
      return declaring(verdict);
    case "kernel":
      return `${header}.entry k(.param .u64 n)\n{\n${registers}\n${text}\nret;\n}\n`;
    case "module":
      return `${header}${text}\n.entry k()\n{\nret;\n}\n`;
    case "vISA":
      return visaText(".decl A v_type=G type=d num_elts=16 align=GRF\n.decl C v_type=G type=d num_elts=16 align=GRF", text, "k"); // biome-ignore format: one line
    case "vISA add":
      return visaText(`${variables(target)}\n${others}`, text, "t");
    default:
      return text;
  }
}

/** The module of an instruction and its names. */
function declaring({ text, decl, target, version }: Verdict): string {
  const module: string[] = [];
  const local: string[] = [];
  const labels: string[] = [];
  for (const [name, declared] of Object.entries(decl)) {
    if (declared.startsWith("module:")) module.push(declared.slice(7));
    else if (declared.startsWith("local:")) local.push(declared.slice(6));
    else if (declared === "label") labels.push(`${name}:`);
    else if (declared !== "kparam") local.push(`.reg .${declared} ${name};`);
  }
  const size = Number(version) >= 2.3 ? ".address_size 64\n" : "";
  const body = `${local.join(" ")}\n${text}\n${labels.join(" ")}`;
  return `.version ${version}\n.target ${target}\n${size}${module.join("\n")}
.entry k(.param .b64 kp0, .param .b32 kp1, .param .align 64 .b8 kpb[128])\n{ {\n${body}\n} ret; }\n`;
}

const visaText = (declarations: string, line: string, kernel: string): string =>
  `.version 3.8\n.kernel "${kernel}"\n${declarations}\n    ${line}\n    ret (M1, 1)\n`;
const types = ["ud", "d", "uw", "w", "ub", "b", "uq", "q", "df", "f", "hf", "bf"];
const variables = (platform: string): string =>
  types
    .filter((type) => type !== "bf" || ["DG2", "PVC", "XE2"].includes(platform))
    .map((type) => `.decl V${type} v_type=G type=${type} num_elts=256 align=GRF`)
    .join("\n");
const others = `.decl P1 v_type=P num_elts=8
.decl P2 v_type=P num_elts=16
.decl P3 v_type=P num_elts=32
.decl Ps v_type=P num_elts=1
.decl A0 v_type=A num_elts=1
.decl A8 v_type=A num_elts=8
.decl A16 v_type=A num_elts=16`;

export interface Outcome {
  /** Of an instruction with its names. */
  readonly program?: Program | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** What we say of the text. */
export function outcomeOf(verdict: Verdict): Outcome {
  const text = wholeText(verdict);
  switch (verdict.in) {
    case undefined:
      return resolveKernel(text);
    case "PTX file": {
      const source = new Source("t.ptx", text);
      const { value, diagnostics } = parse(source);
      const loaded = loadModule(source, value);
      return { diagnostics: [...diagnostics, ...loaded.diagnostics, ...loaded.value.lint()] };
    }
    case "vISA add":
    case "vISA file": {
      const { value, diagnostics } = loadVisa(new Source("t.visaasm", text), { platform: platformNamed(verdict.target) ?? usual }); // biome-ignore format: one line
      return { diagnostics: [...diagnostics, ...(value?.lint() ?? [])] };
    }
    case "snippet":
      return { diagnostics: lint({ name: "m.ptx", text }, { target: verdict.target, version: verdict.version }) };
    default:
      return { diagnostics: lint({ name: "k.ptx", text }) };
  }
}

/** Takes the kernel k of a module through parser and resolver. */
function resolveKernel(text: string): Outcome {
  const source = new Source("record", text);
  const { value: module, diagnostics } = parse(source);
  const loaded = loadModule(source, module);
  const kernel = loaded.value.kernel("k");
  return { program: kernel.value, diagnostics: [...diagnostics, ...loaded.diagnostics, ...kernel.diagnostics] };
}

export const errorsOf = ({ diagnostics }: Outcome): readonly Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === "error");

/** A message with all that it proposes. */
export const wordsOf = ({ message, expected, help = [] }: Diagnostic): string =>
  [message, expected, ...help.map(({ message }) => message)].join("; ");
