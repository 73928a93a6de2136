// Makes the bundle's code shorter than esbuild leaves it, by a twentieth of the package: oxc gives names across scopes so
// that equal code looks equal, which compresses better.
import jsTokens from "js-tokens";
import { minifySync } from "rolldown/utils";

/** Characters after which a line ends at the next semicolon, so that editors and tools can show the file. */
const LINE = 20_000;

/** `code` with the same effects, in ASCII. */
export function shorten(name, code) {
  const { code: short, errors } = minifySync(name, code, {
    compress: { target: "es2022" },
    mangle: { toplevel: true },
  });
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  // Each module of esbuild's says that it is strict; once is enough, where all say so.
  const strict = '"use strict";';
  let text = short.includes(`{${strict}`) && !short.startsWith(strict) ? strict : "";
  let start = 0;
  for (const { type, value } of jsTokens(ascii(short.replaceAll(`{${strict}`, "{")))) {
    text += value;
    if (type === "Punctuator" && value === ";" && text.length - start > LINE) {
      text += "\n";
      start = text.length;
    }
  }
  return text;
}

/** Such characters stand in strings, templates and regular expressions alone, where an escape means the same. */
const ascii = (code) =>
  code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
