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

/** The sources of the package, as paths from the project. */
export const sourceFiles: readonly string[] = ["src", "packages"]
  .flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true, encoding: "utf8" }).map(
      (file) => `${folder}/${file.replaceAll("\\", "/")}`,
    ),
  )
  .filter((file) => file.endsWith(".ts") && !/^packages\/[^/]+\/(?:tests|node_modules)\//.test(file));
