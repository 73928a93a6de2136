// What a release has for action.yml, in the folder that is named: the package, the native libraries of this machine for
// `exec`, and their SHA-256. After `npm run build` and `npm run native`: `node bundle/release.js FOLDER`.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** As GitHub's runners call systems and processors. */
const systems = { linux: "Linux", darwin: "macOS" };
const processors = { x64: "X64", arm64: "ARM64" };

const [, , named] = process.argv;
if (named === undefined) throw new Error("the folder to write to: node bundle/release.js FOLDER");
const folder = resolve(named);
mkdirSync(folder, { recursive: true });
execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
const libraries = `ptxrun-${version}-native-${systems[process.platform]}-${processors[process.arch]}.tgz`;
// The same files give the same bytes, whoever packs them; the folder stands where the package looks for it.
const same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
execFileSync("tar", [...same, "--transform=s,^build,package/native,", "-czf", join(folder, libraries), "build"], {
  cwd: join(root, "native"),
});
const files = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
const sumOf = (name) =>
  createHash("sha256")
    .update(readFileSync(join(folder, name)))
    .digest("hex");
writeFileSync(join(folder, "SHA256SUMS"), files.map((name) => `${sumOf(name)}  ${name}\n`).join(""));
