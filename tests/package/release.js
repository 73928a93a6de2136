// Makes a release (in the folder that is named, or in one that is thrown away) and follows docs/install.md with its files: each
// line in an empty home, from no index. A line is followed as far as its programs are here and need no network; the last line says
// which are left out.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "ptxrun-release-"));
const files = resolve(process.argv[2] ?? join(folder, "release"));
const { GITHUB_SERVER_URL: server = "https://github.com", GITHUB_REPOSITORY: repository = "OWNER/ptxrun" } =
  process.env;

const expect = (what, found, wanted) => {
  if (!wanted.test(found)) throw new Error(`${what}: wanted ${wanted}, found:\n${found}`);
  console.log(`ok: ${what}`);
};
/** Programs that fetch what a package is made with: nixpkgs, Homebrew's Node, an image of Node. */
const fetching = ["nix", "brew", "podman"];
const has = (program) => !fetching.includes(program) && spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

/** A kernel of the package for Python, on an array of its own. */
const python = `
import ctypes, ptxrun
data = (ctypes.c_uint32 * 4)()
ptxrun.run(""".version 8.0
.target sm_80
.address_size 64
.visible .entry squares(.param .u64 to) {
  .reg .b32 %r<3>; .reg .b64 %d<3>;
  ld.param.u64 %d1, [to]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;
  mul.lo.u32 %r2, %r1, %r1; st.global.u32 [%d1], %r2; ret;
}""", 1, 4, [data])
print(list(data))
`;

/** A shell in an empty home, whose npm and pip put things there and ask nobody. */
function shellIn(home) {
  mkdirSync(home);
  execFileSync("python3", ["-m", "venv", join(home, "venv")]);
  const path = [home, join(home, "bin"), join(home, "venv/bin"), process.env.PATH].join(":");
  const npm = { npm_config_prefix: home, npm_config_cache: join(home, "npm"), npm_config_offline: "true" };
  const env = { PATH: path, HOME: home, PIP_NO_INDEX: "1", NO_COLOR: "1", ...npm };
  return (file, ...words) => execFileSync(file, words, { cwd: home, env, encoding: "utf8" });
}

try {
  execFileSync(process.execPath, [join(root, "bundle/release.js"), files], { stdio: "inherit" });
  const formula = readFileSync(join(files, "ptxrun.rb"), "utf8");
  const [, name] = /^ {2}url ".*\/releases\/download\/v[\d.]+\/(.*)"$/m.exec(formula) ?? [];
  const sum = createHash("sha256")
    .update(readFileSync(join(files, name)))
    .digest("hex");
  expect(
    "the formula",
    formula,
    new RegExp(`url "${server}/${repository}/releases/download/v${version}/.*"\n {2}sha256 "${sum}"`),
  );

  const [, text] = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/install.md"), "utf8"));
  const lines = text.split("\n").filter((line) => /^[^#]/.test(line));
  const without = new Set();
  for (const [at, line] of lines.entries()) {
    for (const [, tag, file] of line.matchAll(/releases\/download\/v([\d.]+)\/(\S+)/g))
      if (tag !== version || !existsSync(join(files, file))) throw new Error(`this release has no ${file} of ${tag}`);
    const local = line.replaceAll(/https:\S+\/releases\/download\/v[\d.]+/g, pathToFileURL(files).href);
    const parts = local.split(" && ");
    const wanting = parts.findIndex((part) => !has(/^\S+/.exec(part)[0]));
    if (wanting !== -1) without.add(/^\S+/.exec(parts[wanting])[0]);
    const followed = parts.slice(0, wanting === -1 ? parts.length : wanting);
    if (followed.length === 0) continue;
    const home = join(folder, `home${at}`);
    const shell = shellIn(home);
    shell("sh", "-c", followed.join(" && "));
    if (/^(npm|python3|curl .* chmod) /.test(line))
      expect(line, shell("ptxrun", "-e", "add.f16 d, a, b;", "-r", "a=1.5", "-r", "b=2.0"), /^d +f16 +0x4300/);
    if (line.startsWith("python3"))
      expect("the package for Python", shell("python3", "-c", python), /^\[0, 1, 4, 9\]$/m);
  }
  console.log(`all is well${without.size > 0 ? `; not tried: ${[...without].join(", ")}` : ""}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
