import { parentPort, workerData } from "node:worker_threads";
import { unobserved } from "../pace.ts";
import type { ListedFile } from "../paths.ts";
import { checkPath, type Settings } from "./path.ts";

/** The other side of `jobs.ts`: checks the paths that it is sent, one after the other. */
export function answer(): void {
  const settings: Settings = workerData;
  const pace = unobserved(() => performance.now());
  parentPort?.on("message", async ({ index, file }: { readonly index: number; readonly file: ListedFile }) => {
    const result = await checkPath(file, settings, pace);
    parentPort?.postMessage({ index, result });
  });
}
