import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { pictureAsSvg } from "../../../../src/memory-model/picture/svg.ts";
import { pictureAsText } from "../../../../src/memory-model/picture/text.ts";
import { iriw, meeting, mpForbidden } from "./classics.ts";
import { crowded, ladder, lonely, sparse } from "./drawings.ts";

/**
 * Pictures are looked at in review, as no test can say that one is well drawn: `UPDATE=1 npx vitest run` with this file's name
 * draws them anew into tests/data/pictures, where a browser shows them.
 */
it.each(Object.entries({ crowded, iriw, ladder, lonely, meeting, mpForbidden, sparse }))(
  "%s is drawn as it was when somebody last looked",
  (name, { execution, threads, forbidden }) => {
    const drawn = pictureAsSvg(execution, threads, forbidden);
    const written = pictureAsText(execution, threads, forbidden);
    for (const [ending, text] of [
      ["svg", drawn],
      ["txt", written],
    ] as const) {
      const file = resolve(import.meta.dirname, `../../../data/pictures/${name}.${ending}`);
      if (process.env["UPDATE"] !== undefined) writeFileSync(file, text);
      expect(text).toBe(readFileSync(file, "utf8"));
    }
  },
);
