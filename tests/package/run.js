// Packs ptxrun (or takes the archive that is named), installs it in an empty project without a network, and uses it there as a
// stranger would: types, exports and command.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { act } from "./runner.js";

/**
 * Bytes that the package may have, packed: 600,000 before it had a compiled executor, served programs in C, compared two
 * programs, and served editors; 840,000 before it had the memory model and ran what Intel's compiler dumps; 920,000 before it had
 * campaigns, a manual page, completions and a bill of materials; 950,000 while the text of Chevrotain was cut; 970,000 before it had PTX 9.1 to 9.4, device code
 * in files of other kinds, and linked modules; 1,010,000 before clients shared memory, kernels launched kernels, and `doctor`;
 * 1,035,000 before
 * there were exact values beside a run, causes of values (`--why`), lint's doubts, and `hunt`; 1,110,000 before help had pages
 * of topics, `explain` those of registers, targets, types and words, mistakes of other languages were told as what PTX has for
 * them, functions of the library checked what they are given, and editors found names in all texts; 1,140,000 before compiled
 * code multiplied matrices, held copies, and let the race detector hear of accesses late; 1,150,000 before it became C, too, and
 * judged races, and before vISA had .zeinfo and what today's compiler writes; 1,180,000 before it had functions, messages in objects,
 * and vectors in the REPL and in `diff`; 1,200,000 before agents had tools (36,000 of the protocol's SDK), and findings SARIF.
 */
const MOST = 1_300_000;

const root = new URL("../..", import.meta.url).pathname;
const project = mkdtempSync(join(tmpdir(), "ptxrun-package-"));
const home = join(project, "home");
const env = { ...process.env, HOME: home, XDG_CACHE_HOME: "", NODE_OPTIONS: "" };
const run = (file, args, options = {}) =>
  execFileSync(file, args, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], ...options });
const expect = (what, found, wanted) => {
  if (!wanted.test(found)) throw new Error(`${what}: wanted ${wanted}, found:\n${found}`);
  console.log(`ok: ${what}`);
};

try {
  const [, , named] = process.argv;
  if (named === undefined) run("npm", ["pack", "--silent", "--pack-destination", project], { cwd: root });
  else cpSync(named, join(project, basename(named)));
  const archive = readdirSync(project).find((file) => file.endsWith(".tgz"));
  const { size } = statSync(join(project, archive));
  if (size > MOST) throw new Error(`the package has ${size} bytes, more than ${MOST}`);
  console.log(`ok: ${size} bytes, at most ${MOST}`);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  const cache = join(project, "npm-cache");
  run("npm", ["install", "--offline", "--cache", cache, "--silent", "--no-audit", "--no-fund", `./${archive}`]);
  const installed = readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."));
  expect("nothing is fetched", installed.join(" "), /^ptxrun$/);
  cpSync(join(root, "tests/package/stranger.ts"), join(project, "stranger.ts"));

  run(process.execPath, [
    join(root, "node_modules/typescript/bin/tsc"),
    ...["--module", "nodenext", "--target", "es2023", "--strict", "--types", "", "stranger.ts"],
  ]);
  expect(
    "the library through its exports, compiled against its types",
    run(process.execPath, ["stranger.js"]),
    /^all as expected$/m,
  );

  const command = join(project, "node_modules/.bin/ptxrun");
  const line = ["-e", "add.rn.f16x2 p3, p1, p2;", "-r", "p1=0x40003c00", "-r", "p2=0x40003c00"];
  expect("the command in an empty directory, without a home", run(command, line, { env }), /p3\b.*0x44004000/);
  const { HOME: _, ...homeless } = env;
  expect("and without knowing of one", run(command, line, { env: homeless }), /p3\b.*0x44004000/);
  if (existsSync(join(project, "node_modules/ptxrun/dist/code"))) throw new Error("it wrote into the package");
  for (const name of ["a.ptx", "b.ptx"])
    writeFileSync(join(project, name), "//@ case it: a=1 -> d=0xfffffffe\nnot.b32 d, a;\n");
  const checked = run(command, ["check", "--jobs", "2", "a.ptx", "b.ptx"], { env });
  expect("its threads, for which nothing was kept", checked, /2 passed, 0 failed/);
  mkdirSync(home);
  expect("its first run", run(command, line, { env }), /p3\b.*0x44004000/);
  const folder = process.platform === "darwin" ? "Library/Caches/ptxrun" : ".cache/ptxrun";
  const [code, ...others] = readdirSync(join(home, folder));
  expect("what V8 compiled is kept", [code, ...others].join(" "), /^snippet-[\w.-]+\.code$/);
  expect("its second run", run(command, line, { env }), /p3\b.*0x44004000/);
  const kept = join(home, folder, code);
  const bytes = readFileSync(kept);
  writeFileSync(kept, bytes.fill(0x55, bytes.length >> 1));
  expect("a run with damaged code", run(command, line, { env }), /p3\b.*0x44004000/);
  const client = new Client({ name: "stranger", version: "1" });
  await client.connect(new StdioClientTransport({ command, args: ["mcp"], cwd: project, env }));
  const called = await client.callTool({
    name: "run",
    arguments: { text: "not.b32 d, a;", reg: ["a=1"], dump: ["d"] },
  });
  await client.close();
  expect("its tools, by a client of the protocol", called.content[0].text, /^d\b.*0xfffffffe/);
  const acted = act(
    root,
    { package: join(project, archive), paths: "a.ptx" },
    { workspace: project, home: join(project, "runner") },
  );
  expect("the action on it", acted.out, /1 file: 1 passed, 0 failed/);
  const inside = join(project, "node_modules/ptxrun/dist");
  expect("its manual page", readFileSync(join(inside, "ptxrun.1"), "utf8"), /^\.TH PTXRUN 1 /);
  expect("its completions", readdirSync(join(inside, "completions")).join(" "), /^_ptxrun ptxrun\.bash ptxrun\.fish$/);
  expect("its bill of materials", readFileSync(join(inside, "sbom.json"), "utf8"), /"name": "chevrotain"/);
  expect("its version", run(command, ["--version"], { env }), /^\d+\.\d+\.\d+/);
} finally {
  rmSync(project, { recursive: true, force: true });
}
