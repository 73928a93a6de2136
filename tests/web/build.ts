import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildWeb } from "../../web/build/build.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder that the build has made. */
    readonly web: string;
  }
}

/** Builds the page once, into a folder of its own. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "ptxrun-web-"));
  await buildWeb(folder);
  project.provide("web", folder);
  return () => rmSync(folder, { recursive: true });
}
