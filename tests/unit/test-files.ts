import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const tests = resolve(import.meta.dirname, "..");

/** The texts of all files below `tests` in some languages, by their paths from there. */
export const testFiles = (endings: RegExp): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(tests, { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => !file.startsWith("data/") && !file.includes("node_modules") && endings.test(file))
      .map((file) => [file, readFileSync(resolve(tests, file), "utf8")]),
  );
