import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder that the build has made. */
    readonly web: string;
  }
}

/** Builds the page once, into a folder of its own; not in this process, where Vite would transform what the build loads. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "ptxrun-web-"));
  execFileSync(process.execPath, ["web/build.js", folder], { stdio: "inherit" });
  project.provide("web", folder);
  return () => rmSync(folder, { recursive: true });
}
