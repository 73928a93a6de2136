import { join } from "node:path";
import { type ExtensionContext, workspace } from "vscode";

/** How to start ptxrun: a program, its first arguments, and what it needs in its environment. */
export interface Ptxrun {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The ptxrun of the setting `ptxrun.path`, or the one in this extension, run by the node that VS Code is made of. */
export function ptxrun(context: ExtensionContext): Ptxrun {
  const path = workspace.getConfiguration("ptxrun").get<string>("path", "").trim();
  const file = path === "" ? join(context.extensionPath, "dist", "ptxrun", "bin", "ptxrun.js") : path;
  if (!/\.[cm]?js$/.test(file)) return { command: file, args: [], env: {} };
  return { command: process.execPath, args: [file], env: { ELECTRON_RUN_AS_NODE: "1" } };
}

/** The words of a command line: blanks part them, quotes hold them together. */
export function wordsOf(line: string): string[] {
  return Array.from(
    line.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g),
    ([whole, double, single]) => double ?? single ?? whole,
  );
}
