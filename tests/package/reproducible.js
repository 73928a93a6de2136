// Builds and packs this commit twice, in two clones in different places, with other rights and at other times, and compares the
// archives byte for byte: node tests/package/reproducible.js
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "ptxrun-twice-"));

/** Clones, builds and packs; gives the archive's bytes. */
function packed(name, mask, zone) {
  const clone = join(folder, name);
  const env = { ...process.env, TZ: zone, LC_ALL: "C", HOME: join(folder, `home-${mask}`) };
  const run = (line) =>
    execFileSync("sh", ["-c", `umask ${mask}; ${line}`], { cwd: clone, env, stdio: ["ignore", "pipe", "inherit"] });
  mkdirSync(clone, { recursive: true });
  run(`git clone -q "${root}" .`);
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  run("npm pack --silent");
  const archive = readdirSync(clone).find((file) => file.endsWith(".tgz"));
  return readFileSync(join(clone, archive));
}

try {
  const [a, b] = [packed("one", "022", "UTC"), packed("another/and deeper", "077", "Asia/Tokyo")];
  const sum = createHash("sha256").update(a).digest("hex");
  if (!a.equals(b)) throw new Error(`two builds have ${a.length} and ${b.length} bytes, and are not the same`);
  console.log(`ok: both have ${a.length} bytes, SHA-256 ${sum}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
