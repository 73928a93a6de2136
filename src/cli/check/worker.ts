import { parentPort, workerData } from "node:worker_threads";
import { comparerFor } from "../../../packages/lab/diff/jobs.ts";
import { type Slicing, unobserved } from "../../environment/slicing.ts";
import type { ListedFile } from "../../system/paths.ts";
import type { Work } from "../../system/pool.ts";
import { checkPath, type Settings } from "./file/path.ts";

/** The worker side of `pool.ts`: processes the items that it receives, one after the other. */
export function answer(): void {
  const work: Work = workerData;
  const slicing = unobserved(() => performance.now());
  const workOn = workerFor(work, slicing);
  parentPort?.on("message", async ({ index, item }: { readonly index: number; readonly item: unknown }) => {
    const result = await workOn(item);
    parentPort?.postMessage({ index, result });
  });
}

function workerFor({ kind, settings }: Work, slicing: Slicing): (item: unknown) => Promise<unknown> {
  if (kind === "diff") return comparerFor(settings, slicing);
  return (item) => checkPath(item as ListedFile, settings as Settings, slicing);
}
