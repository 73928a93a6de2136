import { printable } from "../../../../src/present/text/escape.ts";
import type { Location } from "../../../../src/source/diagnostic.ts";
import { nameOf } from "../original/originals.ts";
import type { Shell } from "../shell.ts";

/** `add.cu:13  y[i] = v;`; undefined where the program that this was compiled from is not to be found. */
export function originalLine({ originals, palette }: Shell, location: Location | undefined): string | undefined {
  const text = location && originals.text(location);
  if (location === undefined || text === undefined) return undefined;
  return `${palette.faint(`${printable(nameOf(location.file))}:${location.line}`)}  ${printable(text)}`;
}
