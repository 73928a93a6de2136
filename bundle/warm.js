// Runs the command once for each kind of command line (src/cli/start/start.ts), so that a checkout has the compiled code
// that an installed package makes on its first runs. dist/code is not part of the package: V8 takes only its own.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const kernel = "examples/gallery/accumulate.ptx";
const lines = [
  ["--help"],
  ["-e", "add.u32 a, 1, 2;"],
  ["examples/kernels/collatz.ptx", "--block", "8", "-a", "0=8", "-a", "1=u32x8:iota", "-a", "2=u32x8:fill=0"],
  ["check", kernel],
  ["lint", kernel],
  ["trace", "-e", "add.u32 a, 1, 2;"],
  ["repl", "-e", "add.u32 a, 1, 2;"],
  ["isa", "add"],
  ["explain", "PTX1201"],
];

export function warm() {
  mkdirSync(new URL("../dist/code", import.meta.url), { mode: 0o700 });
  const { NODE_OPTIONS: _, NODE_DISABLE_COMPILE_CACHE: __, ...env } = process.env;
  for (const line of lines)
    execFileSync(process.execPath, ["bin/ptxrun.js", ...line], {
      cwd: root,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
}
