import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const within = (folder: string): readonly string[] =>
  readdirSync(resolve(root, folder)).map((name) => `${folder}/${name}`);

/** The workspaces, as package.json names them. */
export const workspaces: readonly string[] = [...within("packages"), "native", "web", "editors"];

/** Where tests are, as paths from the project: those of the whole, and those of each workspace. */
export const testFolders: readonly string[] = [
  "tests",
  ...workspaces.map((folder) => `${folder}/tests`).filter((folder) => existsSync(resolve(root, folder))),
];

/** Where the sources of the package are, likewise. */
export const sourceFolders: readonly string[] = [
  "src",
  ...within("packages")
    .flatMap(within)
    .filter((folder) => !/\/(?:tests|[\w-]+\.\w+)$/.test(folder)),
];
