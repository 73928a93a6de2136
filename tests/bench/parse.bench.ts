import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { bench, describe } from "vitest";
import { parse } from "../../src/parser/index.ts";
import { Source } from "../../src/source/source.ts";

// Run with `npm run bench -- tests/bench/parse.bench.ts`. Each file is one megabyte, made by
// repeating what nvcc wrote, so that hz is megabytes a second.
const megabyte = (name: string): Source => {
  const path = new URL(`../data/nvcc/${name}.ptx.gz`, import.meta.url);
  const text = gunzipSync(readFileSync(path)).toString("utf8");
  const again = text.slice(text.indexOf(".visible .entry"));
  return new Source(name, text + again.repeat(Math.floor((1e6 - text.length) / again.length)));
};

describe.each(["plain", "lines", "debug"])("a megabyte of nvcc's output: %s", (name) => {
  const source = megabyte(name);
  bench("all bodies", () => void parse(source));
  bench("index", () => void parse(source, { bodies: "index" }));
});
