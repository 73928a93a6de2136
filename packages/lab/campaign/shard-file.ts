import { createHash } from "node:crypto";
import { readShard, type Shard } from "../../../src/system/shard.ts";
import type { Outcome } from "./outcome.ts";

/** What the outcomes of a shard depend on: shards that differ in any of it do not belong to one campaign. */
export interface Head {
  readonly schema: "ptxrun.campaign-shard/1";
  readonly name: string;
  /** `Plan.hash`. */
  readonly plan: string;
  readonly version: string;
  /** Which build of ptxrun it was: two builds may have the same version. */
  readonly build: string;
  /** SHA-256 of the files that the plan names. */
  readonly inputs: string;
  readonly shard: Shard;
}

/** Outcomes by the numbers of their units. */
export type Outcomes = ReadonlyMap<number, Outcome>;

/** A complete shard, or why a text is none. */
export type ReadShard = { readonly head: Head; readonly outcomes: Outcomes } | { readonly wrong: string };

export const nameOf = ({ index, count }: Shard): string => `shard-${index}-of-${count}.jsonl`;

/** The name of the file beside the shard that holds an unfinished shard. */
export const partNameOf = (shard: Shard): string => `${nameOf(shard)}.part`;

const sum = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A shard as lines of JSON: what it belongs to, its outcomes in the order of their numbers, and the sum of all before. */
export function shardText(head: Head, outcomes: Outcomes): string {
  const units = [...outcomes].toSorted(([a], [b]) => a - b);
  const body = [head, ...units.map(([unit, outcome]) => ({ unit, ...outcome }))].map(
    (line) => `${JSON.stringify(line)}\n`,
  );
  const text = body.join("");
  return `${text}${JSON.stringify({ sha256: sum(text) })}\n`;
}

/** Reads what `shardText` has written; detects every changed byte. */
export function readShardText(text: string): ReadShard {
  const end = text.lastIndexOf("\n", text.length - 2) + 1;
  const last = parsed(text.slice(end)) as { readonly sha256?: unknown } | undefined;
  if (!text.endsWith("\n") || typeof last?.sha256 !== "string") return { wrong: "its end is missing" };
  if (last.sha256 !== sum(text.slice(0, end))) return { wrong: "its checksum is wrong" };
  const [first, ...lines] = text.slice(0, end - 1).split("\n");
  const head = parsed(first ?? "");
  if (!isHead(head)) return { wrong: "it is not a shard of a campaign" };
  const outcomes = new Map<number, Outcome>();
  for (const [at, text] of lines.entries()) {
    const line = parsed(text);
    if (!isLine(line)) return { wrong: `its line ${at + 2} is not an outcome of a part` };
    if (outcomes.has(line.unit)) return { wrong: `its line ${at + 2} is unit ${line.unit} again` };
    outcomes.set(...unitOf(line));
  }
  return { head, outcomes };
}

/** The first line of an unfinished shard. */
export const partHead = (head: Head): string => partLine(JSON.stringify(head));

/** A line for an outcome: its checksum is before it, because the end of the file may never be written. */
export const partUnit = (unit: number, outcome: Outcome): string => partLine(JSON.stringify({ unit, ...outcome }));

const partLine = (json: string): string => `${sum(json).slice(0, 16)} ${json}\n`;

/**
 * The complete lines of an unfinished shard: a killed process may have left half a line, and two that ran at the same
 * time may have written between each other's lines.
 */
export function readPart(text: string): { readonly head: Head; readonly outcomes: Outcomes } | undefined {
  const [first, ...lines] = text
    .split("\n")
    .map((line) => (line.slice(0, 16) === sum(line.slice(17)).slice(0, 16) ? parsed(line.slice(17)) : undefined));
  if (!isHead(first)) return undefined;
  return { head: first, outcomes: new Map(lines.filter(isLine).map(unitOf)) };
}

interface Line extends Outcome {
  readonly unit: number;
}

const unitOf = ({ unit, ...outcome }: Line): [number, Outcome] => [unit, outcome];

// A checksum shows that nobody has changed a text since it was made, not who made it: all content that is used is
// checked.

function isHead(line: unknown): line is Head {
  if (!isObject(line) || line["schema"] !== "ptxrun.campaign-shard/1") return false;
  const { name, plan, version, build, inputs, shard } = line;
  if (![name, plan, version, build, inputs].every(isText) || !isObject(shard)) return false;
  return readShard(`${shard["index"]}/${shard["count"]}`) !== undefined;
}

function isLine(line: unknown): line is Line {
  if (!isObject(line)) return false;
  const { unit, exit, counts, findings, located, worst, digest } = line;
  if (!Number.isInteger(unit) || !isCount(exit) || !isObject(counts) || !Object.values(counts).every(isCount))
    return false;
  if (!Array.isArray(findings) || !findings.every(isText) || !(digest === undefined || isText(digest))) return false;
  if (located !== undefined && !(Array.isArray(located) && located.every(isLocated))) return false;
  if (worst === undefined) return true;
  return isObject(worst) && isText(worst["text"]) && isText(worst["ulps"]) && /^\d{1,400}$/.test(worst["ulps"]);
}

function isLocated(finding: unknown): boolean {
  if (!isObject(finding) || !isObject(finding["place"])) return false;
  const { code, severity, message, place } = finding;
  const { file, line, column, endLine, endColumn, text } = place;
  return (
    [code, message, file, text].every(isText) &&
    ["error", "warning", "note"].some((each) => each === severity) &&
    [line, column, endLine, endColumn].every((each) => isCount(each) && each > 0)
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first thing in which two shards do not belong to one campaign, in words. */
export function unlike(a: Head, b: Head): string | undefined {
  if (a.plan !== b.plan) return `it is of another plan (${b.plan.slice(0, 12)} and not ${a.plan.slice(0, 12)})`;
  if (a.version !== b.version || a.build !== b.build)
    return `another ptxrun made it (${b.version}, build ${b.build}, and not ${a.version}, build ${a.build})`;
  return a.inputs === b.inputs ? undefined : "the files that the plan names were others there";
}
