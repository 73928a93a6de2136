import { parentPort, workerData } from "node:worker_threads";
import type { ListedFile } from "../paths.ts";
import { checkPath, type Settings } from "./path.ts";

/** The other side of `jobs.ts`: checks the paths that it is sent, one after the other. */
export function answer(): void {
  const settings: Settings = workerData;
  parentPort?.on("message", ({ index, file }: { readonly index: number; readonly file: ListedFile }) => {
    const result = checkPath(file, settings, () => performance.now());
    parentPort?.postMessage({ index, result });
  });
}
