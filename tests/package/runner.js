// Runs the steps of action.yml as a runner of GitHub does: expressions are put in, scripts run in the workspace with files for
// their outputs and the summary, and what actions/cache would keep is kept in a folder. What it does not know, it refuses.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** The action as data. */
export const readAction = (folder) => parse(readFileSync(join(folder, "action.yml"), "utf8"));

/**
 * Runs the action in `folder` with `inputs` in `workspace`; `home` has the runner's own files, and what was cached. Gives how it
 * ended, what was printed, its outputs, the summary, and the names of the steps that ran.
 */
export function act(folder, inputs, { workspace, home, env = {}, repository = "" }) {
  const action = readAction(folder);
  const unknown = Object.keys(inputs).filter((name) => !(name in action.inputs));
  if (unknown.length > 0) throw new Error(`the action has no input ${unknown}`);
  const temp = join(home, "temp");
  mkdirSync(temp, { recursive: true });
  const summary = join(home, "summary.md");
  writeFileSync(summary, "");
  const given = Object.entries(action.inputs).map(([name, { default: usual }]) => [name, inputs[name] ?? usual ?? ""]);
  const context = {
    inputs: Object.fromEntries(given),
    github: { action_path: folder, action_repository: repository },
    steps: {},
  };
  const lookUp = (words) => words.split(".").reduce((value, word) => value?.[word], context) ?? "";
  const filled = (text) => String(text).replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, words) => lookUp(words));
  const isWanted = (condition) => {
    if (condition === undefined) return true;
    const [, words, value] = /^([\w.-]+) != '(.*)'$/.exec(condition) ?? [];
    if (words === undefined) throw new Error(`a condition that this runner does not know: ${condition}`);
    return lookUp(words) !== value;
  };
  const ran = [];
  const toKeep = [];
  const printed = { out: "", err: "" };
  let exit = 0;
  for (const step of action.runs.steps) {
    if (!isWanted(step.if)) continue;
    ran.push(step.name);
    const outputs = {};
    if (step.id !== undefined) context.steps[step.id] = { outputs };
    if (step.uses?.startsWith("actions/setup-node@")) continue;
    if (step.uses?.startsWith("actions/cache@")) {
      const [path, key] = [filled(step.with.path), join(home, "cache", filled(step.with.key))];
      const hit = existsSync(key);
      if (hit) cpSync(key, path, { recursive: true });
      else toKeep.push([path, key]);
      outputs["cache-hit"] = String(hit);
      continue;
    }
    if (step.shell !== "bash" || step.run.includes("${{"))
      throw new Error(`${step.name}: a script is for bash, and no expression stands in it`);
    const file = join(home, "outputs");
    writeFileSync(file, "");
    const variables = Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value)]);
    const ended = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
      cwd: workspace,
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        HOME: home,
        CI: "true",
        GITHUB_ACTIONS: "true",
        GITHUB_WORKSPACE: workspace,
        GITHUB_OUTPUT: file,
        GITHUB_STEP_SUMMARY: summary,
        RUNNER_TEMP: temp,
        RUNNER_OS: "Linux",
        RUNNER_ARCH: "X64",
        ...env,
        ...Object.fromEntries(variables),
      },
    });
    printed.out += ended.stdout;
    printed.err += ended.stderr;
    exit = ended.status ?? 1;
    for (const [, name, value] of readFileSync(file, "utf8").matchAll(/^([\w-]+)=(.*)$/gm)) outputs[name] = value;
    if (exit !== 0) break;
  }
  if (exit === 0) for (const [path, key] of toKeep) cpSync(path, key, { recursive: true });
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, filled(value)]);
  return { exit, ...printed, ran, outputs: Object.fromEntries(outputs), summary: readFileSync(summary, "utf8") };
}
