import { parentPort, workerData } from "node:worker_threads";
import { comparerFor } from "../../../packages/lab/diff/jobs.ts";
import { type Pace, unobserved } from "../../environment/pace.ts";
import type { ListedFile } from "../../system/paths.ts";
import type { Work } from "../../system/pool.ts";
import { checkPath, type Settings } from "./file/path.ts";

/** The other side of `pool.ts`: works on the items that it is sent, one after the other. */
export function answer(): void {
  const work: Work = workerData;
  const pace = unobserved(() => performance.now());
  const workOn = workerFor(work, pace);
  parentPort?.on("message", async ({ index, item }: { readonly index: number; readonly item: unknown }) => {
    const result = await workOn(item);
    parentPort?.postMessage({ index, result });
  });
}

function workerFor({ kind, settings }: Work, pace: Pace): (item: unknown) => Promise<unknown> {
  if (kind === "diff") return comparerFor(settings, pace);
  return (item) => checkPath(item as ListedFile, settings as Settings, pace);
}
