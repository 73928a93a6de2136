import type { Location } from "../ast.ts";

const PLACE = /\.loc[ \t]+(0|[1-9]\d{0,8})[ \t]+(0|[1-9]\d{0,8})[ \t]+(0|[1-9]\d{0,8})(?![\w$.])/y;
/** Of code that was inlined: the function, and where. */
const INLINED =
  /([ \t]*,[ \t]*function_name[ \t]+)([A-Za-z_][\w$]*|\$[\w$]+)(?:([ \t]*\+[ \t]*)(0|[1-9]\d{0,8})(?![\w$.]))?[ \t]*,[ \t]*inlined_at[ \t]+(0|[1-9]\d{0,8})[ \t]+(0|[1-9]\d{0,8})[ \t]+(0|[1-9]\d{0,8})(?![\w$.])/y;

/** The `.loc` that stands at `start` on one line, as the grammar reads it; undefined for any other. */
export function locationAt(text: string, start: number): Location | undefined {
  PLACE.lastIndex = start;
  const place = PLACE.exec(text);
  if (place === null) return undefined;
  const [file, line, column] = place.slice(1).map(Number) as [number, number, number];
  const found = { kind: "loc", file, line, column } as const;
  const end = PLACE.lastIndex;
  if (text.charCodeAt(end) === 10) return { ...found, start, end };
  INLINED.lastIndex = end;
  const inlined = INLINED.exec(text);
  if (inlined === null) return { ...found, start, end };
  const [, before = "", symbol = "", plus = "", digits] = inlined;
  const from = end + before.length;
  const name = { text: symbol, start: from, end: from + symbol.length };
  const at = name.end + plus.length;
  const offset = digits && ({ kind: "integer", text: digits, start: at, end: at + digits.length } as const);
  const functionName = offset ? { symbol: name, offset } : { symbol: name };
  const [inFile, inLine, inColumn] = inlined.slice(5).map(Number) as [number, number, number];
  const inlinedAt = { file: inFile, line: inLine, column: inColumn };
  return { ...found, functionName, inlinedAt, start, end: INLINED.lastIndex };
}
