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
  return {
    error: style(bold, red),
    warning: style(bold, yellow),
    note: style(bold, cyan),
    strong: style(bold),
    faint: style(dim),
    good: style(green),
  };
}

/** A way to write (ECMA-48, SGR): the codes that begin and end it. Bold and dim have one end, and so have all colours. */
type Sgr = readonly [begin: number, end: number];
const bold: Sgr = [1, 22];
const dim: Sgr = [2, 22];
const red: Sgr = [31, 39];
const green: Sgr = [32, 39];
const yellow: Sgr = [33, 39];
const cyan: Sgr = [36, 39];

const sgr = (code: number): string => `\u001b[${code}m`;

/** Writes a text in all of the ways; what ends one of them within the text begins it again, and each line stands for itself. */
function style(...ways: readonly Sgr[]): (text: string) => string {
  const begin = ways.map(([code]) => sgr(code)).join("");
  const end = ways
    .map(([, code]) => sgr(code))
    .reverse()
    .join("");
  return (text) => {
    if (text === "") return "";
    const kept = ways.reduce((all, [code, last]) => all.replaceAll(sgr(last), sgr(last) + sgr(code)), text);
    return begin + kept.replace(/\r?\n/g, (line) => end + line + begin) + end;
  };
}
