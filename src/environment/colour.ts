import { Chalk } from "chalk";
import { type Palette, plain } from "../present/text/palette.ts";
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

const { bold, dim, green } = new Chalk({ level: 1 });
const coloured: Palette = {
  error: bold.red,
  warning: bold.yellow,
  note: bold.cyan,
  strong: bold,
  faint: dim,
  good: green,
};

/** The palette for one of the two streams. */
export const palette = (choice: ColourChoice, stream: "out" | "err", { terminal, env }: Io): Palette =>
  wantsColour(choice, terminal[stream], env) ? coloured : plain;
