// The programs that keep.js has kept: tests/data/compiled.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { inputs } from "./host.js";

const folder = resolve(import.meta.dirname, "../../data/compiled");

/** All of them, in order. `expected` is what the host gave, a 64-bit word a result; `input` is made from the seed. */
export function* kept() {
  for (const name of readdirSync(folder)
    .filter((each) => each.endsWith(".br"))
    .sort()) {
    const lines = brotliDecompressSync(readFileSync(join(folder, name)))
      .toString("utf8")
      .trimEnd()
      .split("\n");
    for (const line of lines) {
      const { expected, ...one } = JSON.parse(line);
      const bytes = Uint8Array.from(Buffer.from(expected, "base64"));
      yield { ...one, input: inputs(one.seed, one.threads), expected: new BigUint64Array(bytes.buffer) };
    }
  }
}

/** Launches one on a device of the library; what it gives, and how it ends. */
export function launch({ Device, must }, { kind, seed, build, ptx, input, count, threads, block, grid }) {
  const device = new Device();
  const kernel = must(must(device.module({ name: `${kind} ${seed}, ${build}`, text: ptx })).kernel("k"));
  const out = device.buffer(new BigUint64Array(threads * count));
  const args = [device.buffer(input), out, threads];
  const { stop } = must(kernel.launch({ grid, block, args, stack: 65536, maxSteps: 1e7 }));
  return { stop, words: new BigUint64Array(Uint8Array.from(out.read()).buffer) };
}
