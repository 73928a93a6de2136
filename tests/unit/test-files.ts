import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { testFolders } from "../folders.ts";

const root = resolve(import.meta.dirname, "../..");

/** The texts of all files of tests in some languages, by their paths from the project. */
export const testFiles = (endings: RegExp): ReadonlyMap<string, string> =>
  new Map(
    testFolders
      .flatMap((folder) =>
        readdirSync(resolve(root, folder), { recursive: true, encoding: "utf8" }).map(
          (file) => `${folder}/${file.replaceAll("\\", "/")}`,
        ),
      )
      .filter((file) => !file.startsWith("tests/data/") && !file.includes("node_modules") && endings.test(file))
      .map((file) => [file, readFileSync(resolve(root, file), "utf8")]),
  );
