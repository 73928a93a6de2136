import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Program } from "../../src/interp/contract/program.ts";
import { parse } from "../../src/parser/index.ts";
import { loadModule } from "../../src/resolve/index.ts";
import type { Diagnostic } from "../../src/source/diagnostic.ts";
import { Source } from "../../src/source/source.ts";
import { share } from "../share.ts";

/** One instruction and how its names are declared, as ptxas 13.0 was asked. */
export interface Asked {
  readonly text: string;
  readonly decl: Readonly<Record<string, string>>;
  readonly target: string;
  readonly version: string;
  readonly family?: string;
  /** Why ptxas rejects it. */
  readonly cat?: string;
  /** Why it should not have been taken. */
  readonly quirk?: string;
}

export function readRecords(name: string): Asked[] {
  const bytes = gunzipSync(readFileSync(new URL(`../data/${name}`, import.meta.url)));
  return bytes
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Asked);
}

/** One record in 36, every fourth of the long suite, or all with `RECORDED=all`: neighbours differ by little. */
export const someOf = (records: readonly Asked[]): readonly Asked[] =>
  process.env["RECORDED"] === "all" ? records : share(records, 36, 4);

/** The module that a record stands for. */
export function moduleText({ text, decl, target, version }: Asked): string {
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

export interface Outcome {
  readonly program: Program | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Takes a record's module through parser and resolver. */
export function resolveRecord(asked: Asked): Outcome {
  const source = new Source("record", moduleText(asked));
  const { value: module, diagnostics } = parse(source);
  const loaded = loadModule(source, module);
  const kernel = loaded.value.kernel("k");
  return {
    program: kernel.value,
    diagnostics: [...diagnostics, ...loaded.diagnostics, ...kernel.diagnostics],
  };
}

/** The errors among diagnostics, as `PTX1203`. */
export const errorCodes = ({ diagnostics }: Outcome): string[] =>
  diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
