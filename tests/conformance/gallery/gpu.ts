import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { type Buffer, Device, type Launch, type LaunchOptions, type Module, must } from "../../../src/index.ts";

const folder = new URL("../../data/gallery/", import.meta.url);
const files = new Set(readdirSync(folder));
const examples = new URL("../../../examples/gallery/", import.meta.url);
/** The first build of most sources, where `ptxrun check examples` runs it. */
const BESIDE = "first";

/** What `examples/gallery/build.sh` has made of a source, `sm_80.O3` and so on; the first may lie beside the source. */
export function buildsOf(name: string): string[] {
  const made = [...files].flatMap((file) => new RegExp(`^${name}\\.(sm_\\w+\\.(?:O3|G))\\.ptx`).exec(file)?.[1] ?? []);
  return existsSync(new URL(`${name}.ptx`, examples)) ? [BESIDE, ...made] : made;
}

/** A device with one module of the gallery. */
export class Gpu {
  readonly device = new Device();
  readonly module: Module;

  constructor(name: string, build: string) {
    this.module = must(this.device.module({ name: `${name}.${build}.ptx`, text: ptx(name, build) }));
  }

  /** Device memory with these contents, or that many zero bytes. */
  buffer(contents: number | ArrayBufferView): Buffer {
    return this.device.buffer(typeof contents === "number" ? new Uint8Array(contents) : contents);
  }

  /** Runs a kernel, which must end by itself and without a finding; notes are allowed. */
  launch(kernel: string, options: LaunchOptions): Launch {
    const launch = must(must(this.module.kernel(kernel)).launch(options));
    const { stop, findings } = launch;
    const faults = "diagnostic" in stop ? [stop.diagnostic] : [];
    const messages = [...faults, ...findings.filter(({ severity }) => severity !== "note")];
    const told = messages.map(({ code, message }) => `${code} ${message}`);
    expect([stop.reason, ...told].join("\n")).toBe("exit");
    return launch;
  }
}

/** A build's text. */
const ptx = (name: string, build: string): string =>
  build === BESIDE ? readFileSync(new URL(`${name}.ptx`, examples), "utf8") : read(`${name}.${build}.ptx`);

/** A file of `tests/data/gallery`, unpacked if it is there with `.gz`. */
function read(file: string): string {
  const packed = files.has(`${file}.gz`);
  const bytes = readFileSync(new URL(packed ? `${file}.gz` : file, folder));
  return (packed ? gunzipSync(bytes) : bytes).toString("utf8");
}

/** A check of one source of the gallery; it runs for every build. */
export type Check = (gpu: Gpu) => void;

/**
 * The arrays that a program of `examples/gallery/expected` has computed: a line each, of label, type and bits in hexadecimal.
 * Lines with one label follow each other as rows of one array.
 */
export class Values {
  readonly #lines: readonly (readonly string[])[];

  constructor(name: string) {
    this.#lines = read(`${name}.values`).trimEnd().split("\n").map((line) => line.split(" ")); // biome-ignore format: one thing
  }

  #words(label: string, type: string): string[] {
    const lines = this.#lines.filter(([name, kind]) => name === label && kind === type);
    if (lines.length === 0) throw new Error(`no ${label} of type ${type}`);
    return lines.flatMap((line) => line.slice(2));
  }

  u16(label: string): Uint16Array {
    return Uint16Array.from(this.#words(label, "u16"), (word) => Number.parseInt(word, 16));
  }

  /** Floats by their bits: a NaN keeps its payload. */
  f32(label: string): Uint32Array {
    return Uint32Array.from(this.#words(label, "f32"), (word) => Number.parseInt(word, 16));
  }

  f64(label: string): BigUint64Array {
    return BigUint64Array.from(this.#words(label, "f64"), (word) => BigInt(`0x${word}`));
  }
}

export const words = (buffer: Buffer): number[] => Array.from(new Uint32Array(buffer.read().buffer));
export const integers = (buffer: Buffer): number[] => Array.from(new Int32Array(buffer.read().buffer));
export const halves = (buffer: Buffer): number[] => Array.from(new Uint16Array(buffer.read().buffer));
export const longs = (buffer: Buffer): bigint[] => Array.from(new BigUint64Array(buffer.read().buffer));
export const floats = (buffer: Buffer): number[] => Array.from(new Float32Array(buffer.read().buffer));
export const doubles = (buffer: Buffer): number[] => Array.from(new Float64Array(buffer.read().buffer));

/** `count` words without a pattern, always the same. */
export function noise(count: number, seed = 1): Uint32Array {
  let state = seed >>> 0;
  return Uint32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
  });
}

/** Integers from `low` to `high`, both included. */
export const between = (low: number, high: number, count: number, seed = 1): number[] =>
  Array.from(noise(count, seed), (word) => low + ((word >>> 4) % (high - low + 1)));

/** `f(0)` to `f(count - 1)`. */
export const list = <T>(count: number, f: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => f(i));
