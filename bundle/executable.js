// Makes one file of Node and ptxrun, for machines without Node: node bundle/executable.js [FILE]
//
// The Node that runs this goes into it, so it is for the same system and processor. Node's own way (single executable
// applications): the script and its files stand in a blob, which postject puts into a copy of Node.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { inject } from "postject";

const root = resolve(import.meta.dirname, "..");
const dist = join(root, "dist");
// Not in dist, all of which is packed.
const [to = join(root, `release/ptxrun-${process.platform}-${process.arch}`)] = process.argv.slice(2);

/** What the command line needs of the package. */
const files = ["core.cjs", "cli.br", "start.cjs", "check-worker.cjs", "pool-worker.cjs"];
const texts = files.map((name) => readFileSync(join(dist, name)));
const sum = createHash("sha256").update(Buffer.concat(texts)).digest("hex").slice(0, 16);

mkdirSync(dirname(to), { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "ptxrun-executable-"));
const at = (name) => join(folder, name);
await build({
  entryPoints: [join(root, "src/cli/start/executable.ts")],
  outfile: at("main.cjs"),
  ...{ bundle: true, minify: true, platform: "node", format: "cjs", target: "node20.19" },
  define: { FILES: JSON.stringify(files), SUM: JSON.stringify(sum) },
});
const config = {
  main: at("main.cjs"),
  output: at("blob"),
  disableExperimentalSEAWarning: true,
  assets: Object.fromEntries(files.map((name) => [name, join(dist, name)])),
};
writeFileSync(at("config.json"), JSON.stringify(config));
execFileSync(process.execPath, ["--experimental-sea-config", at("config.json")], { stdio: "ignore" });
copyFileSync(process.execPath, to);
chmodSync(to, 0o755);
await inject(to, "NODE_SEA_BLOB", readFileSync(at("blob")), {
  // Node looks for this word of its own in the copy.
  sentinelFuse: "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
});
rmSync(folder, { recursive: true });
console.log(`${to}: ${(statSync(to).size / 1e6).toFixed(1)} MB, Node.js ${process.versions.node}`);
