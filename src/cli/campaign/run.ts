import { appendFileSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Exit, type ExitCode, exitOfSignal } from "../../environment/exit.ts";
import { quoted } from "../../environment/quoted.ts";
import { reason } from "../../environment/reason.ts";
import { problem } from "../../host/problem.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Shard } from "../check/shard.ts";
import type { CommandIo } from "../command-io.ts";
import { version } from "../version.ts";
import { execute, type Main } from "./execute.ts";
import { inputsOf } from "./inputs.ts";
import { readKeptText } from "./kept.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { type Plan, planText } from "./plan.ts";
import {
  type Head,
  nameOf,
  partHead,
  partNameOf,
  partUnit,
  readPart,
  readShardText,
  shardText,
  unlike,
} from "./shard-file.ts";
import { isIn, strayIn, type Unit, unitsIn, wordsOf } from "./unit.ts";

/** The plan as it lies beside its shards. */
export const PLAN = "plan.json";

/** What became of a shard: the worst of its outcomes, and what is wrong if it could not be done. */
export interface Ran {
  readonly exit: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
}

/** Told when a part is done. */
export type Watch = (unit: Unit, outcome: Outcome, milliseconds: number) => void;

/**
 * Does a shard and leaves its file in `folder`. What was done before a kill is not done again: each outcome is kept as
 * soon as it is known, and the file appears whole, by one rename.
 */
export async function runShard(
  plan: Plan,
  shard: Shard,
  folder: string,
  io: CommandIo,
  main: Main,
  watch: Watch,
): Promise<Ran> {
  const head: Head = {
    schema: "ptxrun.campaign-shard/1",
    name: plan.name,
    plan: plan.hash,
    version,
    build: io.build ?? "sources",
    inputs: inputsOf(plan, io.cwd),
    shard,
  };
  const place = resolve(io.cwd, folder);
  const [whole, part] = [join(place, nameOf(shard)), join(place, partNameOf(shard))];
  try {
    mkdirSync(place, { recursive: true });
    const planned = readKeptText(join(place, PLAN));
    if (planned !== undefined && planned !== planText(plan)) return foreign(join(folder, PLAN), "it is another plan");
    if (planned === undefined) replace(join(place, PLAN), planText(plan));
    const done = readKeptText(whole);
    const read = done === undefined ? undefined : readShardText(done);
    if (read !== undefined && "head" in read && strayIn(plan, shard, read.outcomes) === undefined) {
      const other = unlike(head, read.head);
      return other === undefined ? ended(read.outcomes.values()) : foreign(join(folder, nameOf(shard)), other);
    }
    const before = readPart(readKeptText(part) ?? "");
    const other = before && unlike(head, before.head);
    if (other !== undefined) return foreign(join(folder, partNameOf(shard)), other);
    const outcomes = new Map([...(before?.outcomes ?? [])].filter(([unit]) => isIn(plan, shard, unit)));
    // Half a line of whoever was killed goes, and so does what cannot be read at all.
    replace(part, partHead(head) + [...outcomes].map(([unit, outcome]) => partUnit(unit, outcome)).join(""));
    for (const unit of unitsIn(plan, shard)) {
      if (outcomes.has(unit.number)) continue;
      const begun = io.now();
      const printed = await execute(unit, io, main);
      if (printed.asked !== undefined) return { exit: exitOfSignal(printed.asked), diagnostics: [] };
      if (isRefused(unit, printed.exit)) return refused(unit, printed.err);
      const outcome = outcomeOf(unit.job.kind, printed);
      outcomes.set(unit.number, outcome);
      appendFileSync(part, partUnit(unit.number, outcome));
      watch(unit, outcome, io.now() - begun);
    }
    replace(whole, shardText(head, outcomes));
    rmSync(part, { force: true });
    return ended(outcomes.values());
  } catch (error) {
    const message = `cannot keep the shard in ${folder}: ${reason(error)}`;
    return {
      exit: Exit.usage,
      diagnostics: [problem("PTX2013", message, { expected: "a folder that can be written" })],
    };
  }
}

function ended(outcomes: Iterable<Outcome>): Ran {
  for (const { exit } of outcomes) if (exit !== 0) return { exit: Exit.check, diagnostics: [] };
  return { exit: Exit.ok, diagnostics: [] };
}

const foreign = (path: string, how: string): Ran => ({
  exit: Exit.usage,
  diagnostics: [
    problem("PTX2503", `${path} is there already, and ${how}`, { expected: "another --output, or that file removed" }),
  ],
});

/** Whether the words of the job are wrong, and not what it has found. */
const isRefused = ({ job: { kind } }: Unit, exit: number): boolean =>
  kind !== "command" && (exit === Exit.usage || (kind === "sweep" && exit === Exit.rejected));

function refused(unit: Unit, err: string): Ran {
  const said = err.split("\n")[0] ?? "";
  const line = ["ptxrun", ...wordsOf(unit)].map(quoted).join(" ");
  return {
    exit: Exit.usage,
    diagnostics: [
      problem("PTX2504", `part ${unit.part} of ${unit.job.name} cannot be done: ${said}`, {
        help: [{ message: line }],
      }),
    ],
  };
}

/** Writes a file that is whole or not there, whenever the process or the machine ends. */
function replace(path: string, text: string): void {
  const beside = `${path}.${process.pid}`;
  // Made anew: what others have put there may lead elsewhere.
  rmSync(beside, { force: true });
  const file = openSync(beside, "wx");
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
}
