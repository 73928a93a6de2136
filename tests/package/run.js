// Packs ptxrun, installs it in an empty project, and uses it there as a stranger would: types, exports and command.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("../..", import.meta.url).pathname;
const project = mkdtempSync(join(tmpdir(), "ptxrun-package-"));
const run = (file, args, options = {}) =>
  execFileSync(file, args, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], ...options });
const expect = (what, found, wanted) => {
  if (!wanted.test(found)) throw new Error(`${what}: wanted ${wanted}, found:\n${found}`);
  console.log(`ok: ${what}`);
};

try {
  run("npm", ["pack", "--silent", "--pack-destination", project], { cwd: root });
  const archive = readdirSync(project).find((file) => file.endsWith(".tgz"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", `./${archive}`]);
  cpSync(join(root, "tests/package/stranger.ts"), join(project, "stranger.ts"));

  run(process.execPath, [
    join(root, "node_modules/typescript/bin/tsc"),
    ...["--module", "nodenext", "--target", "es2023", "--strict", "--skipLibCheck", "--types", "", "stranger.ts"],
  ]);
  expect(
    "the library through its exports, compiled against its types",
    run(process.execPath, ["stranger.js"]),
    /^all as expected$/m,
  );

  const command = join(project, "node_modules/.bin/ptxrun");
  const once = run(command, ["-e", "add.rn.f16x2 p3, p1, p2;", "-r", "p1=0x40003c00", "-r", "p2=0x40003c00"]);
  expect("the command in an empty directory", once, /p3\b.*0x44004000/);
  expect("its version", run(command, ["--version"]), /^\d+\.\d+\.\d+/);
} finally {
  rmSync(project, { recursive: true, force: true });
}
