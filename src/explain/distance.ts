import { hex } from "../present/value.ts";
import { apartText, lanesApart } from "../present/working/distance.ts";
import { hexJson } from "./answer.ts";

/** Distances in words, and as JSON: a text for each lane, null where only one of the two is NaN. */
export interface Distance {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** How far each value of a type that has `width` bits is from the one before it. */
export const distancesOf = (type: string, width: number, values: readonly bigint[]): Distance[] =>
  values.slice(1).map((to, at) => {
    const from = values[at] ?? 0n;
    const lanes = lanesApart(type, width, from, to);
    return {
      text: `${hex(from, width)} to ${hex(to, width)}: ${apartText(type, lanes)}`,
      json: {
        type,
        from: hexJson(from),
        to: hexJson(to),
        apart: lanes.map(({ kind, apart }) => (kind === "nan" ? null : `${apart}`)),
      },
    };
  });
