// Makes the executable (bundle/executable.js) and uses it where there is no Node, with and without a folder for caches.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "ptxrun-executable-"));
const file = join(folder, "ptxrun");
try {
  execFileSync(process.execPath, [join(root, "bundle/executable.js"), file], {
    stdio: ["ignore", "inherit", "ignore"],
  });
  cpSync(join(root, "examples/golden"), join(folder, "golden"), { recursive: true });
  writeFileSync(join(folder, "bad.ptx"), "add.f16 d, a;\n");
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);

  /** Runs it with nothing of ours in its surroundings. */
  const run = (home, ...words) =>
    spawnSync(file, words, { cwd: folder, encoding: "utf8", env: { PATH: "/bin", HOME: home, TMPDIR: temporary } });
  const expect = (what, { status, stdout, stderr }, exit, text) => {
    if (status === exit && `${stdout}${stderr}`.includes(text)) return;
    throw new Error(`${what}: exit ${status}\n${stdout}${stderr}`);
  };
  const sum = ["-e", "add.f16 d, a, b;", "-r", "a=0x3c00", "-r", "b=1.5"];
  for (const home of [folder, join(folder, "none")]) {
    expect("a sum", run(home, ...sum), 0, "d  f16  0x4100  2.5");
    // In worker threads, which want files.
    expect("golden checks", run(home, "check", "golden", "--jobs", "2"), 0, "0 failed");
    expect("a mistake", run(home, "bad.ptx"), 3, "PTX1");
    expect("the manual page", run(home, "man"), 0, ".TH PTXRUN");
  }
  if (readdirSync(temporary).length > 0) throw new Error(`left behind: ${readdirSync(temporary)}`);
  const started = performance.now();
  for (let time = 0; time < 5; time++) run(folder, ...sum);
  console.log(`a run takes ${((performance.now() - started) / 5).toFixed(0)} ms; all is well`);
} finally {
  rmSync(folder, { recursive: true });
}
