import { spawn } from "node:child_process";
import type { Io } from "../../environment/io.ts";

/** Shows a text page by page, by what MANPAGER or PAGER names, or less; false where there is no such program. */
export function paged(text: string, { env, cwd }: Pick<Io, "env" | "cwd">): Promise<boolean> {
  const command = env.MANPAGER || env.PAGER || "less";
  return new Promise((done) => {
    // What less does unless its user says otherwise: it shows colours, and ends where all fits on the screen.
    const surroundings = { ...process.env, LESS: process.env["LESS"] ?? "FRX" };
    // Both variables hold a command line for a shell.
    const pager = spawn("sh", ["-c", command], { cwd, env: surroundings, stdio: ["pipe", "inherit", "inherit"] });
    // Ctrl-C is the pager's.
    const ignore = (): void => {};
    process.on("SIGINT", ignore);
    const end = (shown: boolean): void => {
      process.off("SIGINT", ignore);
      done(shown);
    };
    pager.on("error", () => end(false));
    // A shell's code for a command that it does not find, or cannot run.
    pager.on("exit", (code) => end(code !== 127 && code !== 126));
    // Whoever has read enough closes it.
    pager.stdin.on("error", ignore);
    pager.stdin.end(text);
  });
}
