import type { Location } from "../ast.ts";
import { classes, DIGIT, INSIDE } from "./characters.ts";

/** For inlined code: the function, and the call site. */
const INLINED =
  /([ \t]*,[ \t]*function_name[ \t]+)([A-Za-z_][\w$]*|\$[\w$]+)(?:([ \t]*\+[ \t]*)(0|[1-9]\d{0,8})(?![\w$.]))?[ \t]*,[ \t]*inlined_at[ \t]+(0|[1-9]\d{0,8})[ \t]+(0|[1-9]\d{0,8})[ \t]+(0|[1-9]\d{0,8})(?![\w$.])/y;

const INTERMEDIATE = ".loc_intermediate";

/** The `.loc` or `.loc_intermediate` at `start` on one line, as the grammar parses it; undefined for any other. */
export function locationAt(text: string, start: number): Location | undefined {
  if (!text.startsWith(".loc", start)) return undefined;
  const intermediate = text.startsWith(INTERMEDIATE, start);
  let end = start + (intermediate ? INTERMEDIATE.length : 4);
  const file = numberAt(text, end);
  end = numberEnd;
  const line = file < 0 ? -1 : numberAt(text, end);
  end = numberEnd;
  const column = line < 0 ? -1 : numberAt(text, end);
  if (column < 0) return undefined;
  end = numberEnd;
  if (intermediate) return { kind: "loc", intermediate, file, line, column, start, end };
  if (text.charCodeAt(end) === 10) return { kind: "loc", file, line, column, start, end };
  INLINED.lastIndex = end;
  const inlined = INLINED.exec(text);
  if (inlined === null) return { kind: "loc", file, line, column, start, end };
  const [, before = "", symbol = "", plus = "", digits] = inlined;
  const from = end + before.length;
  const name = { text: symbol, start: from, end: from + symbol.length };
  const at = name.end + plus.length;
  const offset = digits && ({ kind: "integer", text: digits, start: at, end: at + digits.length } as const);
  const functionName = offset ? { symbol: name, offset } : { symbol: name };
  const [inFile, inLine, inColumn] = inlined.slice(5).map(Number) as [number, number, number];
  const inlinedAt = { file: inFile, line: inLine, column: inColumn };
  return { kind: "loc", file, line, column, functionName, inlinedAt, start, end: INLINED.lastIndex };
}

/** Where the last number ended. */
let numberEnd = 0;

/** The decimal number, of 9 digits at most, after blanks; -1 for anything else. */
function numberAt(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || code === 9; code = text.charCodeAt(at)) at++;
  const start = at;
  let number = 0;
  let code = text.charCodeAt(at);
  for (; ((classes[code] ?? 0) & DIGIT) !== 0; code = text.charCodeAt(at)) {
    number = 10 * number + code - 48;
    at++;
  }
  numberEnd = at;
  const digits = at - start;
  const sound = start > from && digits > 0 && digits < 10 && (digits === 1 || text.charCodeAt(start) !== 48);
  return sound && ((classes[code] ?? 0) & INSIDE) === 0 ? number : -1;
}
