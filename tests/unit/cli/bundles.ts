import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder for what test files of one run share: the bundle, once one of them has asked for it. */
    readonly bundles: string;
  }
}

/** Runs before all test files of a project. */
export default function setup(project: TestProject): () => void {
  const home = mkdtempSync(join(tmpdir(), "ptxrun-bundles-"));
  project.provide("bundles", home);
  return () => rmSync(home, { recursive: true, force: true });
}
