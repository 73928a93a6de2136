// Kills campaigns at random moments until they are done all the same: node tests/campaign/kills.js [--kills 100] [--seed 1]
// Nothing may be lost or counted twice: the merged report has the bytes of one that nobody killed.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "100" }, seed: { type: "string", default: "1" } },
});
const wanted = Number(values.kills);
let state = Number(values.seed);
/** From 0 to 1: the same kills for the same seed, as far as a machine's load lets them be. */
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};

const ptxrun = resolve(import.meta.dirname, "../../bin/ptxrun.js");
const folder = mkdtempSync(join(tmpdir(), "ptxrun-kills-"));
const plan = join(folder, "plan.json");
writeFileSync(
  plan,
  JSON.stringify({
    schema: "ptxrun.campaign/1",
    name: "kills",
    jobs: [
      { name: "differ", sweep: ["add.f16", "--against", "sub.f16", "--count", "1M"], parts: 40 },
      { name: "orders", run: ["-e", "add.u32 d, a, b;", "-r", "a=1", "-r", "b=2"], seeds: "0..399", parts: 40 },
      { name: "others", command: ["sleep", "0.01"], seeds: "0..39", parts: 20 },
    ],
  }),
);

/** Runs a command line to its end, or until it is killed after some milliseconds. */
const run = (words, after) =>
  new Promise((done) => {
    const child = spawn(process.execPath, [ptxrun, "campaign", ...words], { stdio: ["ignore", "pipe", "inherit"] });
    let out = "";
    child.stdout.on("data", (text) => {
      out += text;
    });
    const timer = after === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), after);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      done({ code, killed: signal === "SIGKILL", out });
    });
  });

const merged = async (name) => (await run(["merge", join(folder, name), "--reporter", "json"])).out;
await run(["run", plan, "--output", join(folder, "calm"), "--quiet"]);
const expected = await merged("calm");
if (JSON.parse(expected).jobs[0].counts.cases !== 1_000_000) throw new Error("the campaign itself is wrong");

let [kills, rounds, wrong] = [0, 0, 0];
for (; kills < wanted; rounds++) {
  const name = `round-${rounds}`;
  const count = 1 + Math.floor(random() * 3);
  for (let index = 1; index <= count; index++)
    for (;;) {
      const words = ["run", plan, "--quiet", "--shard", `${index}/${count}`, "--output", join(folder, name)];
      const { killed } = await run(words, 150 + random() * 1500);
      if (!killed) break;
      kills++;
    }
  // What a kill leaves besides is a file that was being written, which nobody reads.
  if ((await merged(name)) !== expected) wrong++;
  if (readdirSync(join(folder, name)).some((file) => file.endsWith(".part"))) wrong++;
  rmSync(join(folder, name), { recursive: true });
}
rmSync(folder, { recursive: true });
console.log(`${kills} kills in ${rounds} campaigns, ${wrong} of them wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
