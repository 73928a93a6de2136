import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Cause, Step } from "../diff/origin/describe.ts";
import { launchWords } from "./cause.ts";
import { type Compile, type Compiler, textFor } from "./compiler.ts";
import type { Bucket, Hunted, Judged } from "./hunt.ts";

/** `wrong-3`: what it is, and which of its kind. */
export const nameOf = (bucket: Bucket, number: number): string => `${kindOf(bucket)}-${number}`;

/** What its compiler makes of the example. */
const kindOf = ({ example }: Bucket): Judged["kind"] => example.outcome.kind;

/** Writes the folder of a cause: the source, both compiled texts, the input, and what is to be said about it. */
export async function writeFinding(
  folder: string,
  name: string,
  bucket: Bucket,
  compilers: readonly Compiler[],
  compile: Compile,
  cwd: string,
): Promise<void> {
  const { program, input, outcomes, compiler, seed } = bucket.example;
  const place = resolve(cwd, folder, name);
  mkdirSync(place, { recursive: true });
  const module = { seed, programs: [program] };
  const wrong = compilers.find((each) => each.name === compiler) as Compiler;
  const all = compilers.filter((each) => outcomes.get(each.name)?.kind === "right");
  const right = all.find(({ level }) => level === wrong.level) ?? all[0];
  for (const each of [right, wrong]) if (each !== undefined) writeFileSync(join(place, sourceName(each)), textFor(each, module)); // biome-ignore format: one line
  writeFileSync(join(place, "input.bin"), input);
  for (const [each, file] of [
    [right, "right.ptx"],
    [wrong, "wrong.ptx"],
  ] as const) {
    // biome-ignore format: one line
    const made = each && (await compile(each, module));
    if (made !== undefined && "ptx" in made) writeFileSync(join(place, file), made.ptx);
  }
  writeFileSync(join(place, "README.md"), findingText(name, bucket, right));
}

const sourceName = ({ kind, typed }: Compiler): string => (kind === "nvcc" ? "source.cu" : typed ? "source-typed.ll" : "source.ll"); // biome-ignore format: one line

/** The page of a finding. */
export function findingText(name: string, bucket: Bucket, right: Compiler | undefined): string {
  const { example, key, counts, places } = bucket;
  const words = launchWords(example.program, "input.bin").join(" ");
  const repeat = right === undefined ? `ptxrun wrong.ptx ${words} -d 1` : `ptxrun diff right.ptx wrong.ptx ${words}`;
  return [
    `# ${name}`,
    "",
    key,
    "",
    ...[...example.outcomes].map(([compiler, judged]) => `- ${compiler}: ${verdict(judged)}`),
    "",
    ...causeLines(example.cause),
    `Programs: ${[...counts].map(([compiler, count]) => `${count} by ${compiler}`).join(", ")}; the first: ${places.join(", ")}.`,
    "",
    `    ${repeat}`,
    "",
  ].join("\n");
}

const hex = (bits: bigint): string => `0x${bits.toString(16)}`;

function verdict(judged: Judged): string {
  switch (judged.kind) {
    case "right":
      return "right";
    case "wrong":
      return `output ${judged.output} of thread ${judged.thread} is ${hex(judged.got)}, not ${hex(judged.wanted)}`;
    case "fault":
      return `${judged.code}: ${judged.message}`;
    case "skipped":
      return "skipped";
    case "refused":
      return `no PTX: ${judged.message.split("\n", 1)[0]}`;
  }
}

function causeLines(cause: Cause | undefined): readonly string[] {
  const { origin } = cause ?? {};
  if (origin === undefined) return [];
  const line = (step: Step | undefined): string =>
    step === undefined
      ? "nothing"
      : `\`${step.text}\` with ${step.operands.map(({ name, bits }) => `${name}=${bits}`).join(" ")} gives ${step.results.map(({ name, bits }) => `${name}=${bits}`).join(" ")}`; // biome-ignore format: one line
  const change = origin.changes?.[0];
  return [
    `- right: ${line(origin.a)}`,
    `- wrong: ${line(origin.b)}`,
    ...(change === undefined ? [] : [`- with one change both are right: \`${change.text}\` -> \`${change.instead}\``]),
    "",
  ];
}

/** What a hunt has done, as JSON: `"schema": "ptxrun.hunt/1"`; fields are only ever added. */
export const toJson = (
  { modules, programs, functions, counts, buckets, unfiled }: Hunted,
  compilers: readonly Compiler[],
  seeds: readonly [number, number],
) => ({
  schema: "ptxrun.hunt/1",
  seeds: seeds.join(".."),
  modules,
  programs,
  functions,
  compilers: compilers.map(({ name, version }) => ({ name, version, ...Object.fromEntries(counts.get(name) ?? []) })),
  unfiled,
  findings: [...buckets.values()].map((bucket, at) => ({
    name: nameOf(bucket, at + 1),
    cause: bucket.key,
    programs: Object.fromEntries(bucket.counts),
    places: bucket.places,
  })),
});
