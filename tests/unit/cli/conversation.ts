import type { World } from "./world.ts";

/** What a session of the REPL prints, errors among it where they came, and how it ends. */
export interface Session {
  readonly text: string;
  readonly exit: number;
}

/** Runs lines as a script of the REPL in a world's folder. */
export async function repl(world: World, argv: readonly string[], lines: readonly string[]): Promise<Session> {
  let text = "";
  const print = (piece: string): void => {
    text += piece;
  };
  const stdin = lines.map((line) => `${line}\n`).join("");
  const { exit } = await world.ptxrun(["repl", ...argv], { stdin, out: print, err: print });
  return { text, exit };
}

/** The lines that one command of a session printed, without its echo. */
export async function answer(world: World, argv: readonly string[], ...lines: readonly string[]): Promise<string[]> {
  const { text } = await repl(world, argv, lines);
  const echo = `> ${lines.at(-1)}\n`;
  const behind = text.slice(text.lastIndexOf(echo) + echo.length);
  return behind.split("\n").slice(0, -1);
}
