import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import type { Input } from "./input.ts";

const folder = resolve(import.meta.dirname, "../../data/fuzz/inputs");
const fileOf = (target: string): string => resolve(folder, `${target}.json.br`);

/** Inputs that went through parts of ptxrun which nothing before them had: `--grow` has found them. */
export function corpus(target: string): readonly Input[] {
  const file = fileOf(target);
  return existsSync(file) ? JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) : [];
}

export function keep(target: string, inputs: readonly Input[]): void {
  writeFileSync(fileOf(target), brotliCompressSync(JSON.stringify(inputs)));
}
