import { existsSync, readdirSync } from "node:fs";
import { availableParallelism, release, totalmem } from "node:os";
import { join } from "node:path";
import { type ColourChoice, palette } from "../../environment/colour.ts";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import { jsonText } from "../../present/json.ts";
import { printable } from "../../present/text/escape.ts";
import type { Palette } from "../../present/text/palette.ts";
import type { CommandIo } from "../../system/command-io.ts";
import { findProgram } from "../../system/find-program.ts";
import { makeFolder, userFolder } from "../../system/place.ts";
import { version } from "../../system/version.ts";
import { findLibraries } from "../exec/libraries.ts";

/** Something that may work here or not; `needed` is what nobody can do without. */
interface Part {
  readonly name: string;
  readonly works: boolean;
  readonly needed: boolean;
  /** Where it is, or why it does not work. */
  readonly detail?: string;
}

/** What is installed and works here: `schema/self-1.json`. */
interface Self {
  readonly schema: "ptxrun.self/1";
  readonly version: string;
  readonly build: string;
  readonly installed: "package" | "checkout" | "executable" | "sources";
  readonly node: { readonly version: string; readonly v8: string };
  readonly system: {
    readonly platform: string;
    readonly release: string;
    readonly arch: string;
    readonly processors: number;
    readonly memory: number;
  };
  readonly parts: readonly Part[];
}

type Main = (argv: readonly string[], io: CommandIo) => Promise<number>;

/**
 * `ptxrun doctor --self`: what a report of a bug wants to know. Paths begin with ~ where they lie in the user's home. Exit 1
 * where something does not work that nobody can do without.
 */
export async function doctorSelf(
  options: { readonly format: "text" | "json"; readonly color: ColourChoice },
  io: CommandIo,
  main: Main,
): Promise<ExitCode> {
  const self = await examined(io, main);
  io.out(options.format === "json" ? `${jsonText(self, 2)}\n` : textOf(self, palette(options.color, "out", io)));
  return self.parts.every(({ works, needed }) => works || !needed) ? Exit.ok : Exit.check;
}

async function examined(io: CommandIo, main: Main): Promise<Self> {
  const { build = "sources", home } = io;
  const { platform, arch, versions } = process;
  return {
    schema: "ptxrun.self/1",
    version,
    build,
    installed: installedAs(home),
    node: { version: versions.node, v8: versions.v8 },
    system: { platform, release: release(), arch, processors: availableParallelism(), memory: totalmem() },
    parts: [
      await executes("js", true, io, main),
      await executes("wasm", true, io, main),
      await executes("native", false, io, main),
      threads(io),
      libraries(io),
      caches(io),
      ...programs.map(([name, names]) => programIn(name, names, io)),
    ],
  };
}

function installedAs(home: string | undefined): Self["installed"] {
  if (home === undefined) return "sources";
  if (existsSync(join(home, "build.js"))) return "checkout";
  return existsSync(join(home, "package.json")) ? "package" : "executable";
}

/** A sum whose exact value lies between two floats, and its bits when it is rounded up: by the executor, in a run of its own. */
async function executes(name: string, needed: boolean, io: CommandIo, main: Main): Promise<Part> {
  let out = "";
  let err = "";
  const text = "add.rp.f32 d, a, b;";
  const argv = ["run", "-e", text, "-r", "a=1", "-r", "b=1e-9", "-d", "d", "--executor", name, "--format", "json"];
  await main(argv, {
    ...io,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  const [problem = ""] = err.split("\n");
  const works = /"0x3f800001"/.test(out);
  const why = works ? (problem === "" ? undefined : problem) : problem === "" ? wrongIn(out) : problem;
  return { name: `executor ${name}`, works, needed, ...(why !== undefined && { detail: tilde(why, io) }) };
}

/** What a run that gave other bits has said, in short. */
const wrongIn = (out: string): string =>
  /"message": "(.*)"/.exec(out)?.[1] ?? "the bits are wrong: 1 + 1e-9, rounded up";

function threads({ poolWorker, checkWorker }: CommandIo): Part {
  const isThere = [poolWorker, checkWorker].every((file) => file !== undefined && existsSync(file));
  const works = isThere && typeof SharedArrayBuffer === "function";
  const detail = isThere ? "there is no SharedArrayBuffer" : "their scripts are not there: all runs in one thread";
  return { name: "threads", works, needed: false, ...(!works && { detail }) };
}

function libraries(io: CommandIo): Part {
  const { value: folder, diagnostics } = findLibraries(io);
  const name = "libraries for exec";
  if (folder === undefined)
    return { name, works: false, needed: false, detail: tilde(diagnostics[0]?.message ?? "", io) };
  const all = readdirSync(folder).filter((file) => /\.(?:so|dylib)/.test(file));
  return { name, works: true, needed: false, detail: `${tilde(folder, io)}: ${all.toSorted().join(" ")}` };
}

function caches(io: CommandIo): Part {
  const user = process.getuid?.();
  const folder = userFolder({ platform: process.platform, env: io.env, user });
  const name = "folder for caches";
  if (folder === undefined) return { name, works: false, needed: false, detail: "no home is known" };
  const works = makeFolder(folder, user);
  const why = works ? "" : ": others can write it, or it cannot be made";
  return { name, works, needed: false, detail: `${tilde(folder, io)}${why}` };
}

/** Programs that some commands start, and what they may be called. */
const programs: readonly (readonly [name: string, names: readonly string[]])[] = [
  ["C compiler", ["cc", "gcc", "clang"]],
  ["nvcc", ["nvcc"]],
  ["ptxas", ["ptxas"]],
  ["llc", ["llc"]],
  ["chromium", ["chromium", "chromium-browser", "google-chrome"]],
];

function programIn(name: string, names: readonly string[], io: CommandIo): Part {
  const found = findProgram(names, process.env["PATH"] ?? "", io.cwd);
  return { name, works: found !== undefined, needed: false, ...(found !== undefined && { detail: tilde(found, io) }) };
}

/** Nobody who reads a report needs to know what the user is called. */
const tilde = (text: string, { env: { HOME: home } }: CommandIo): string =>
  home === undefined || home.length < 2 ? text : text.replaceAll(home, "~");

function textOf({ build, installed, node, system, parts, ...self }: Self, colours: Palette): string {
  const { platform, release, arch, processors, memory } = system;
  const width = Math.max(...parts.map(({ name }) => name.length));
  const line = ({ name, works, needed, detail }: Part): string => {
    const paint = works ? colours.good : needed ? colours.error : colours.faint;
    return `  ${paint(works ? "yes" : "no ")}  ${name.padEnd(width)}${detail === undefined ? "" : `  ${printable(detail)}`}`;
  };
  return `${[
    `ptxrun ${self.version}, build ${build}, ${installed}`,
    `Node.js ${node.version}, V8 ${node.v8}`,
    `${platform} ${release} ${arch}, ${processors} processors, ${(memory / 2 ** 30).toFixed(1)} GiB`,
    "",
    "What works here:",
    ...parts.map((each) => line(each).trimEnd()),
  ].join("\n")}\n`;
}
