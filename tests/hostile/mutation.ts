import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Random } from "../fuzz/executors/random.ts";
import { mutated, shortened, wordsOf } from "../fuzz/inputs/mutation.ts";
import { type Hostile, limits } from "./corpus.ts";

const folder = resolve(import.meta.dirname, "../../examples");

/** Examples with one to four mistakes in each, half of them run and half of them checked. */
export function broken(count: number): Hostile[] {
  const random = new Random(0x5eed);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ptx"));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8"));
  const words = wordsOf(texts);
  return Array.from({ length: count }, (_, index) => {
    const text = mutated(shortened(random.any(texts), 6000, random), words, random);
    const argv = index % 2 === 0 ? ["run", "FILE", "--block", "5", ...limits] : ["check", "FILE", ...limits];
    return { name: `mutated ${index}`, text, argv };
  });
}
