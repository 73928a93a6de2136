import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { brotliDecompressSync } from "node:zlib";

/**
 * Dumps of the kernels of `opencl` and `suites` in `tests/data/visa` for several devices by IGC 1 (Debian 12) and IGC 2 (Debian unstable), with
 * the `.zeinfo` beside each: `archive.js` there makes them.
 */
const file = resolve(import.meta.dirname, "../../../tests/data/visa/dumps.json.br");
const all = JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as Readonly<Record<string, string>>;

/** Names of dumps, `igc2/dg2/add.visaasm` and the like, with their texts; a program's bytes are in base64. */
export const archive: ReadonlyMap<string, string> = new Map(Object.entries(all));

/** `igc1/dg2`, `igc2/bmg` ... */
export const archived: readonly string[] = [
  ...new Set([...archive.keys()].map((name) => name.split("/", 2).join("/"))),
];

/** What the compiler wrote for a kernel, by the ends of their names. */
export const besides = (device: string, kernel: string): readonly (readonly [end: string, bytes: Uint8Array])[] =>
  [...archive].flatMap(([name, text]) => {
    const [, end] = name.startsWith(`${device}/${kernel}.`) ? name.slice(device.length + 1).split(/\.(.*)/) : [];
    if (end === undefined) return [];
    return [[end, end === "progbin" ? Uint8Array.from(Buffer.from(text, "base64")) : new TextEncoder().encode(text)]];
  });
