import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Kernels of the gallery with one case each, whose inputs their checks say. */
export const kernels = [
  "accumulate", "ballot", "bitonic", "fft", "histogram", "int128", "mandelbrot", "matmul", "nbody", "radixsort",
  "reduce", "sha256",
]; // biome-ignore format: a list of names

/** The builds of a kernel: without optimisation (-G) and with it (-O3), for two targets. */
export const builds = ["sm_80.O3", "sm_90.O3", "sm_80.G", "sm_90.G"] as const;
export type Build = (typeof builds)[number];

const { PTXRUN_ROOT } = process.env;
const root = (): string => PTXRUN_ROOT ?? join(import.meta.dirname, "../../..");
export const galleryFolder = (): string => join(root(), "examples/gallery");

export function textOf(kernel: string, build: Build): string {
  if (build === "sm_80.O3") return readFileSync(join(galleryFolder(), `${kernel}.ptx`), "utf8");
  const base = join(root(), "tests/data/gallery", `${kernel}.${build}.ptx`);
  const file = build.endsWith(".G") ? `${base}.gz` : base;
  // What differs from an earlier build in its target alone is not kept.
  if (!existsSync(file)) {
    const other = build === "sm_90.G" ? "sm_80.G" : "sm_80.O3";
    return textOf(kernel, other).replace(".target sm_80", ".target sm_90");
  }
  const bytes = readFileSync(file);
  return (file === base ? bytes : gunzipSync(bytes)).toString();
}

/** The launch of a kernel's case, as words of a command line. */
export function launchOf(kernel: string): string[] {
  const { directives } = JSON.parse(readFileSync(join(galleryFolder(), `${kernel}.ptxcheck.json`), "utf8")) as {
    readonly directives: readonly string[];
  };
  const args = directives.find((each) => each.startsWith("args: "))?.slice("args: ".length) ?? "";
  const given = directives.find((each) => each.startsWith("case ")) ?? "";
  const [left = ""] = given.slice(given.indexOf(": ") + 2).split(" -> ");
  return [...args.split(" "), ...left.split(" ").flatMap((each) => ["-a", each])];
}

/** A text with one instruction changed, and where. */
export interface Planted {
  readonly text: string;
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** What may go wrong in an instruction: `[pattern, replacement]` on its line. */
const faults: readonly (readonly [RegExp, string])[] = [
  [/\badd\.(s32|u32|s64|f32|f64)\b/, "sub.$1"],
  [/\bsub\.(s32|u32|s64|f32|f64)\b/, "add.$1"],
  [/\bmul\.lo\.s32\b/, "add.s32"],
  [/\bmul\.f32\b/, "add.f32"],
  [/\band\.b(32|64)\b/, "or.b$1"],
  [/\bor\.b(32|64)\b/, "xor.b$1"],
  [/\bxor\.b(32|64)\b/, "or.b$1"],
  [/\bshl\.b32\b/, "shr.u32"],
  [/\bshr\.u32\b/, "shl.b32"],
  [/\bmin\.(s32|u32|f32)\b/, "max.$1"],
  [/\bmax\.(s32|u32|f32)\b/, "min.$1"],
  [/\bfma\.rn\.f32\b/, "fma.rz.f32"],
  [/\bsetp\.lt\b/, "setp.le"],
  [/\bsetp\.gt\b/, "setp.ge"],
  [/\bsetp\.ge\b/, "setp.gt"],
  [/\bsetp\.le\b/, "setp.lt"],
  [/\bsetp\.eq\b/, "setp.ne"],
  [/\bsetp\.ne\b/, "setp.eq"],
  [/@%p/, "@!%p"],
  [/@!%p/, "@%p"],
  [/, (\d+);$/, ", 1$1;"],
  [/, 0f3F800000\b/, ", 0f3F800001"],
];

/** Plants a fault at a random instruction of a text; the same seed gives the same. */
export function plant(text: string, seed: number): Planted | undefined {
  const lines = text.split("\n");
  const places = lines.flatMap((line, at) => {
    if (!/^\t(@!?%p\d+ )?\t?[a-z]/.test(line) || !line.trimEnd().endsWith(";")) return [];
    return faults.filter(([pattern]) => pattern.test(line)).map((fault) => ({ at, fault }));
  });
  const chosen = places[mixed(seed) % Math.max(1, places.length)];
  if (chosen === undefined) return undefined;
  const { at, fault } = chosen;
  const before = lines[at] ?? "";
  const after = before.replace(...fault);
  return { text: lines.with(at, after).join("\n"), line: at + 1, before: before.trim(), after: after.trim() };
}

/** A number that has little to do with its seed. */
export function mixed(seed: number): number {
  let word = Math.imul(seed + 0x9e37_79b9, 0x85eb_ca6b) >>> 0;
  word = Math.imul(word ^ (word >>> 15), 0xc2b2_ae35) >>> 0;
  return (word ^ (word >>> 13)) >>> 0;
}
