import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type Line, type Plan, readLog, type Verdict } from "./log.ts";

const LOOK_MS = 250;
/** After so many looks at a process that does nothing, it waits for something that never comes. */
const PATIENCE = 480;

/** Has tests judge the mutants of a plan, by processes of which one that a mutant keeps busy for ever is ended. */
export async function judgeByTests(plan: Plan, tell: (verdict: Verdict) => void): Promise<void> {
  writeFileSync(`${plan.log}.plan`, JSON.stringify(plan));
  let told = 0;
  const read = (): readonly Line[] => {
    const lines = readLog(plan.log);
    for (const line of lines.slice(told)) {
      if (line.kind === "verdict") tell(line);
      if (line.kind === "base") console.log(`${line.cpu.toFixed(1)} s  ${line.file}, ${line.reached.length} mutants`);
      if (line.kind === "unusable" || (line.kind === "base" && !line.passes))
        console.log(`left out  ${line.file}: it does not pass`);
    }
    told = lines.length;
    return lines;
  };
  for (let lines = read(); !lines.some(({ kind }) => kind === "end"); lines = read()) {
    const verdicts = lines.length;
    const child = spawn(
      process.execPath,
      ["node_modules/vitest/vitest.mjs", "run", "--config", "tests/mutants/config.ts"],
      {
        // Of the parts of a C program each makes other calls: a share of them would leave most sources unasked.
        env: {
          ...process.env,
          CI: "1",
          PTXRUN_MUTANTS: `${plan.log}.plan`,
          ...(plan.built !== undefined && { PTXRUN_TESTS: "all" }),
        },
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      },
    );
    const end = () => kill(child);
    process.on("exit", end);
    const busy = await whileItWorks(child, read);
    process.off("exit", end);
    const after = read();
    if (after.some(({ kind }) => kind === "end")) return;
    const begun = after.flatMap((line) => (line.kind === "begin" && line.id > 0 ? [line] : [])).at(-1);
    if (begun === undefined || after.length === verdicts) throw new Error(`the tests could not be run:\n${busy.out}`);
    const killed = `${begun.file} > ${busy.stopped ? "it does not end" : "the process dies"}`;
    const verdict: Verdict = { kind: "verdict", id: begun.id, killed, files: 1 };
    appendFileSync(plan.log, `${JSON.stringify(verdict)}\n`);
  }
}

/** Waits for a process's end, or ends it when a test file takes more CPU time than it may. */
async function whileItWorks(
  child: ChildProcess,
  read: () => readonly Line[],
): Promise<{ stopped: boolean; out: string }> {
  let out = "";
  let ended = false;
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data) => {
      out = (out + data).slice(-4000);
    });
  child.on("close", () => {
    ended = true;
  });
  let current = { lines: -1, from: 0, all: 0, looks: 0 };
  while (!ended) {
    await setTimeout(LOOK_MS);
    const lines = read();
    const last = lines.at(-1);
    const worker = lines.findLast((line) => line.kind === "process");
    if (last?.kind !== "begin" || worker === undefined) continue;
    const { own, all } = cpuOf(worker.pid);
    if (current.lines !== lines.length) current = { lines: lines.length, from: own, all, looks: 0 };
    else if (all - current.all > 0.1) Object.assign(current, { all, looks: 0 });
    else current.looks++;
    if (own - current.from > last.most || current.looks === PATIENCE) {
      kill(child);
      return { stopped: true, out };
    }
  }
  return { stopped: false, out };
}

/** CPU seconds of a process, and those together with its children's that have ended. */
function cpuOf(pid: number): { own: number; all: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields
      .slice(11, 15)
      .map((ticks) => Number(ticks) / 100);
    return { own: user + system, all: user + system + childUser + childSystem };
  } catch {
    return { own: 0, all: 0 };
  }
}

function kill({ pid }: ChildProcess): void {
  try {
    // With those that it started.
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
