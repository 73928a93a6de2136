// What a release has, in the folder that is named: the package, the native libraries of this machine for `exec`, the wheel, the
// executable, the extension where there is @vscode/vsce, Homebrew's formula, and the SHA-256 of each. After `npm run build` and
// `npm run native`: `node bundle/release.js FOLDER`.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
const run = (file, words, cwd = root) => execFileSync(file, words, { cwd, stdio: "inherit" });
run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder]);
const libraries = `ptxrun-${version}-native-${systems[process.platform]}-${processors[process.arch]}.tgz`;
// The same files give the same bytes, whoever packs them; the folder stands where the package looks for it.
const same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
const packed = [...same, "--transform=s,^build,package/native,", "-czf", join(folder, libraries), "build"];
run("tar", packed, join(root, "native"));
run("python3", [join(root, "native/python/wheel_of_ptxrun.py"), folder]);
const executable = join(root, "bundle/executable.js");
run(process.execPath, [executable, join(folder, `ptxrun-${process.platform}-${process.arch}`)]);
const extension = join(root, "editors/vscode/ptxrun.vsix");
rmSync(extension, { force: true });
run(process.execPath, [join(root, "editors/vscode/package.js")]);
if (existsSync(extension)) copyFileSync(extension, join(folder, `ptxrun-${version}.vsix`));

const sumOf = (name) =>
  createHash("sha256")
    .update(readFileSync(join(folder, name)))
    .digest("hex");
const { GITHUB_SERVER_URL = "https://github.com", GITHUB_REPOSITORY = "OWNER/ptxrun" } = process.env;
const homepage = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
const archive = `ptxrun-${version}.tgz`;
const values = { homepage, url: `${homepage}/releases/download/v${version}/${archive}`, sha256: sumOf(archive) };
const formula = readFileSync(join(root, "packaging/homebrew/ptxrun.rb"), "utf8");
writeFileSync(
  join(folder, "ptxrun.rb"),
  formula.replace(/"\{(\w+)\}"/g, (_, name) => `"${values[name]}"`),
);
const files = readdirSync(folder).filter((name) => name !== "SHA256SUMS");
writeFileSync(join(folder, "SHA256SUMS"), files.map((name) => `${sumOf(name)}  ${name}\n`).join(""));
