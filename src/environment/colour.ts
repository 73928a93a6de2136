import { Chalk } from "chalk";
import { type LinkTarget, type Palette, plain } from "../present/text/palette.ts";
import type { Io } from "./io.ts";
import { isSet } from "./is-set.ts";

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
const coloured: Omit<Palette, "link"> = {
  error: bold.red,
  warning: bold.yellow,
  note: bold.cyan,
  strong: bold,
  faint: dim,
  good: green,
};

/**
 * Whether a terminal is known to show links (OSC 8); others may print what they do not understand. FORCE_HYPERLINK has priority
 * over all else, as in other programs.
 */
function wantsLinks(choice: ColourChoice, terminal: boolean, env: Io["env"]): boolean {
  const force = env.FORCE_HYPERLINK;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  if (!terminal || choice === "never" || env.NO_COLOR || isSet(env.CI)) return false;
  const { TERM = "", TERM_PROGRAM = "", VTE_VERSION, WT_SESSION, KONSOLE_VERSION } = env;
  return (
    /^(?:xterm-kitty|xterm-ghostty|alacritty|foot)/.test(TERM) ||
    ["iTerm.app", "WezTerm", "vscode", "ghostty", "zed", "Tabby"].includes(TERM_PROGRAM) ||
    // Before, VTE crashed at some.
    Number(VTE_VERSION) >= 5002 ||
    WT_SESSION !== undefined ||
    Number(KONSOLE_VERSION) >= 201203
  );
}

/** A text between the beginning and the end of a link. */
const linked =
  ({ files }: Pick<Io, "files">) =>
  (text: string, to: LinkTarget): string => {
    const address = "url" in to ? to.url : `${fileAddress(files.resolve(to.file))}#${to.line}`;
    return `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`;
  };

const fileAddress = (path: string): string =>
  `file:///${path
    .split(/[\\/]/)
    .filter((part) => part !== "")
    .map(encodeURIComponent)
    .join("/")}`;

/** The palette for one of the two streams. */
export function palette(
  choice: ColourChoice,
  stream: "out" | "err",
  io: Pick<Io, "terminal" | "env" | "files">,
): Palette {
  const { terminal, env } = io;
  const colours = wantsColour(choice, terminal[stream], env) ? coloured : plain;
  return { ...colours, link: wantsLinks(choice, terminal[stream], env) ? linked(io) : plain.link };
}
