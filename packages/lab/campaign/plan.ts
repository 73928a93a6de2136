import { createHash } from "node:crypto";
import { type JsonNode, readJson } from "../../../src/environment/json-text.ts";
import { problem } from "../../../src/host/problem.ts";
import { readSeeds } from "../../../src/launch/value/schedule.ts";
import { jsonText } from "../../../src/present/json.ts";
import { nearest } from "../../../src/resolve/nearest.ts";
import type { Diagnostic, Help, Staged } from "../../../src/source/diagnostic.ts";
import type { Source, Span } from "../../../src/source/source.ts";

/** A campaign's work: jobs one after the other, each in numbered parts that any machine can do. */
export interface Plan {
  readonly name: string;
  readonly jobs: readonly Job[];
  /** SHA-256 of the plan's content, independent of blanks: shards of another plan are rejected. */
  readonly hash: string;
}

/** One job: a command of ptxrun, or any other, in parts. */
export interface Job {
  readonly name: string;
  readonly kind: Kind;
  /** The words behind the command's name, or the whole line of another command. */
  readonly words: readonly string[];
  readonly parts: number;
  /** A range that the parts share out; without it they share out inputs, files or pairs. */
  readonly seeds?: readonly [first: number, last: number];
}

const kinds = ["sweep", "check", "diff", "run", "hunt", "command"] as const;
export type Kind = (typeof kinds)[number];

/** More parts than this are a mistake: a shard's file has a line a part. */
const MOST_PARTS = 10_000_000;

const SCHEMA = "ptxrun.campaign/1";

/** Options that the campaign itself sets for each part. */
const own: ReadonlySet<string> = new Set(
  "--shard --seeds --json --reporter --format --update --watch -o --output --batch --jobs".split(" "),
);

/**
 * Reads a plan, for example
 *
 *     { "schema": "ptxrun.campaign/1", "name": "nightly", "jobs": [
 *       { "name": "add.f16", "sweep": ["add.f16", "--all"], "parts": 64 },
 *       { "name": "order", "run": ["k.ptx", "--block", "64"], "seeds": "0..9999", "parts": 100 } ] }
 *
 * `schema/campaign-1.json` describes it. Messages (PTX2501) point into the text.
 */
export function readPlan(source: Source): Staged<Plan | undefined> {
  const { value: document, diagnostics: broken } = readJson(source);
  const diagnostics: Diagnostic[] = broken.map((each) => ({ ...each, code: "PTX2501" }));
  if (document === undefined) return { value: undefined, diagnostics };
  const reader = new PlanReader(source, diagnostics);
  const plan = reader.plan(document);
  return { value: diagnostics.length === 0 ? plan : undefined, diagnostics };
}

/** A plan as a text with the same content: it is stored beside the shards of a campaign. */
export const planText = ({ name, jobs }: Plan): string =>
  jsonText(
    {
      schema: SCHEMA,
      name,
      jobs: jobs.map(({ kind, words, parts, seeds, ...job }) => ({
        name: job.name,
        [kind]: words,
        parts,
        ...(seeds && { seeds: seeds.join("..") }),
      })),
    },
    2,
  );

class PlanReader {
  readonly #source: Source;
  readonly #diagnostics: Diagnostic[];

  constructor(source: Source, diagnostics: Diagnostic[]) {
    this.#source = source;
    this.#diagnostics = diagnostics;
  }

  plan(document: JsonNode): Plan | undefined {
    const members = this.#members(document, "a plan", ["schema", "name", "jobs"]);
    if (members === undefined) return undefined;
    const schema = members.get("schema");
    const opening = { start: document.span.start, end: document.span.start + 1 };
    if (schema === undefined) this.#wrong("the plan's schema is missing", opening, `{ "schema": "${SCHEMA}", ...`);
    else if (schema.kind !== "string" || schema.text !== SCHEMA)
      this.#wrong("a plan of no known kind", schema.span, `"schema": "${SCHEMA}"`);
    const named = members.get("name");
    if (named === undefined) this.#wrong("the plan's name is missing", opening, '"name": "nightly"');
    const name = (named && this.#text(named, "a plan's name is a text", '"name": "nightly"')) ?? "";
    const list = members.get("jobs");
    if (list?.kind !== "array" || list.items.length === 0) {
      const what =
        list === undefined
          ? "the plan's jobs are missing"
          : list.kind === "array"
            ? "a plan has a job at least"
            : "a plan's jobs are a list";
      this.#wrong(what, list?.span ?? opening, '"jobs": [{ "sweep": ["add.f16"], "parts": 16 }]');
      return undefined;
    }
    const jobs = list.items.flatMap((item) => this.#job(item) ?? []);
    const taken = new Set<string>();
    for (const [at, { name }] of jobs.entries()) {
      if (taken.has(name))
        this.#wrong(`two jobs are ${name}`, list.items[at]?.span ?? list.span, '"name" for one of them');
      taken.add(name);
    }
    const parts = jobs.reduce((sum, job) => sum + job.parts, 0);
    if (parts > MOST_PARTS) this.#wrong(`${parts} parts in all`, list.span, `${MOST_PARTS} at most`);
    const hash = createHash("sha256").update(JSON.stringify({ name, jobs })).digest("hex");
    return { name, jobs, hash };
  }

  #job(node: JsonNode): Job | undefined {
    const members = this.#members(node, "a job", ["name", "parts", "seeds", ...kinds]);
    if (members === undefined) return undefined;
    const [kind, another] = kinds.filter((each) => members.has(each));
    if (kind === undefined || another !== undefined) {
      // A key misspelt has been reported.
      const misspelt = [...members.keys()].some((each) => nearest(each, kinds) !== undefined);
      if (another !== undefined || !misspelt)
        this.#wrong("a job does one thing", node.span, kinds.map((each) => `"${each}"`).join(" or "));
      return undefined;
    }
    const words = this.#words(members.get(kind) ?? node, kind);
    const seeds = this.#seeds(members.get("seeds"), kind, node);
    const parts = members.get("parts") ?? { kind: "number", value: 1, span: node.span };
    const most = Math.min(MOST_PARTS, seeds === undefined ? MOST_PARTS : seeds[1] - seeds[0] + 1);
    if (parts.kind !== "number" || !Number.isInteger(parts.value) || parts.value < 1 || parts.value > most) {
      const quoted = parts.kind === "string" ? ", without quotes" : "";
      this.#wrong("parts that cannot be", parts.span, `1 to ${most}${quoted}`);
      return undefined;
    }
    if (words === undefined) return undefined;
    const name = members.get("name");
    const called =
      name === undefined ? `${kind} ${words.join(" ")}` : this.#text(name, "a name is a text", '"name": "pairs"');
    if (called === undefined) return undefined;
    return { name: called, kind, words, parts: parts.value, ...(seeds && { seeds }) };
  }

  #words(node: JsonNode, kind: Kind): readonly string[] | undefined {
    const example = kind === "sweep" ? '["add.f16", "--all"]' : '["FILE", "--option"]';
    if (node.kind !== "array" || node.items.length === 0) {
      this.#wrong(`${kind} takes the words of a command line`, node.span, example);
      return undefined;
    }
    const words = node.items.map((item) => {
      const word = this.#text(item, "a word is a text", '"--all"');
      const [option = ""] = word?.split("=") ?? [];
      if (kind !== "command" && own.has(option))
        this.#wrong(`${option} is given by the campaign`, item.span, "the other options");
      return word ?? "";
    });
    return words;
  }

  #seeds(node: JsonNode | undefined, kind: Kind, job: JsonNode): Job["seeds"] {
    if (node === undefined) {
      if (kind === "run" || kind === "hunt")
        this.#wrong(`${kind} has seeds to share out`, job.span, '"seeds": "0..999"');
      return undefined;
    }
    if (kind === "sweep" || kind === "diff") {
      this.#wrong(`${kind} has no seeds to share out`, node.span, '"parts" alone');
      return undefined;
    }
    const seeds = node.kind === "string" ? readSeeds(node.text) : undefined;
    if (seeds === undefined) this.#wrong("seeds that cannot be read", node.span, '"FIRST..LAST", below 2^32');
    return seeds;
  }

  #members(node: JsonNode, what: string, known: readonly string[]): ReadonlyMap<string, JsonNode> | undefined {
    if (node.kind !== "object") {
      this.#wrong(`${what} is an object`, node.span, "{ ... }");
      return undefined;
    }
    const members = new Map<string, JsonNode>();
    for (const { key, value } of node.members) {
      if (!known.includes(key.text)) this.#unknown(what, key, known);
      else if (members.has(key.text)) this.#wrong(`${key.text} is given twice`, key.span, "one of them");
      members.set(key.text, value);
    }
    return members;
  }

  #text(node: JsonNode, message: string, expected: string): string | undefined {
    if (node.kind === "string" && node.text !== "") return node.text;
    this.#wrong(message, node.span, expected);
    return undefined;
  }

  #unknown(
    what: string,
    { text, span }: { readonly text: string; readonly span: Span },
    known: readonly string[],
  ): void {
    const meant = nearest(text, known);
    const help = meant === undefined ? [] : [{ message: `did you mean ${meant}?` }];
    this.#wrong(`${what} has no ${text}`, span, known.join(", "), help);
  }

  #wrong(message: string, span: Span, expected: string, help: readonly Help[] = []): void {
    this.#diagnostics.push(problem("PTX2501", message, { source: this.#source, span, expected, help }));
  }
}
