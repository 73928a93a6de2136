import { Chalk, type ChalkInstance } from "chalk";
import { type Palette, plain } from "../present/palette.ts";
import type { Io } from "./io.ts";

export const colourChoices = ["auto", "always", "never"] as const;
export type ColourChoice = (typeof colourChoices)[number];

/**
 * `--color` has priority over NO_COLOR (no-color.org), NO_COLOR over FORCE_COLOR, FORCE_COLOR over whether the stream
 * is a terminal.
 */
function wantsColour(choice: ColourChoice, terminal: boolean, env: Io["env"]): boolean {
  if (choice !== "auto") return choice === "always";
  if (env.NO_COLOR) return false;
  const force = env.FORCE_COLOR;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  return terminal && env.TERM !== "dumb";
}

/** The palette for one of the two streams. */
export function palette(choice: ColourChoice, stream: "out" | "err", { terminal, env }: Io): Palette {
  if (!wantsColour(choice, terminal[stream], env)) return plain;
  const chalk: ChalkInstance = new Chalk({ level: 1 });
  return {
    error: chalk.bold.red,
    warning: chalk.bold.yellow,
    note: chalk.bold.cyan,
    strong: chalk.bold,
    faint: chalk.dim,
    good: chalk.green,
  };
}
