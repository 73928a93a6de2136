import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Point, type Rectangle, segments, touches } from "../../../../src/memory-model/picture/labels.ts";
import { type Drawing, drawingOf } from "../../../../src/memory-model/picture/layout.ts";
import { sheetOf } from "../../../../src/memory-model/picture/sheet.ts";
import { agree } from "../../../agree.ts";
import { iriw, meeting, mp, mpForbidden, sbForbidden } from "./classics.ts";
import { type Example, made, step } from "./executions.ts";

const drawing = ({ execution, threads, forbidden }: Example): Drawing =>
  drawingOf(sheetOf(execution, threads), execution, 0, forbidden);

/** Up to eight threads of up to five events, in blocks, clusters and devices, with any arrows between them. */
const anything: fc.Arbitrary<Example> = fc
  .array(fc.array(fc.constantFrom("R", "W", "fence"), { maxLength: 5 }), { minLength: 1, maxLength: 8 })
  .chain((threads) => {
    const count = threads.reduce((sum, { length }) => sum + length, 0);
    const name = fc.nat({ max: Math.max(count - 1, 0) }).map((at) => String.fromCharCode(97 + at));
    const source = fc.oneof(
      { weight: 3, arbitrary: name },
      { weight: 1, arbitrary: fc.constantFrom("init x", "init y") },
    );
    const pairs = fc.array(fc.tuple(source, name), { maxLength: count === 0 ? 0 : 6 });
    return fc
      .record({
        relations: fc.record({ rf: pairs, co: pairs, fr: pairs, sw: pairs, sc: pairs }),
        placements: fc.array(fc.record({ block: fc.nat(1), cluster: fc.nat(1), gpu: fc.nat(1) }), {
          minLength: 8,
          maxLength: 8,
        }),
        places: fc.array(fc.constantFrom("x", "y"), { minLength: count, maxLength: count }),
      })
      .map(({ relations, placements, places }) => {
        let at = 0;
        const columns = threads.map((events) =>
          events.map((does) => step(does, "st.relaxed.gpu.global.u32 [x], 1", places[at++] ?? "x", 1n)),
        );
        const letters = threads.map(({ length }, thread) => {
          const before = threads.slice(0, thread).reduce((sum, each) => sum + each.length, 0);
          return Array.from({ length }, (_, index) => String.fromCharCode(97 + before + index));
        });
        const po = letters.flatMap((own) => own.flatMap((a, i) => own.slice(i + 1).map((b) => [a, b] as const)));
        const known = (a: string) =>
          !a.startsWith("init") || columns.flat().some(({ x, does }) => x === a.slice(5) && does !== "fence");
        const kept = Object.fromEntries(
          Object.entries(relations).map(([key, list]) => [key, list.filter(([a, b]) => a !== b && known(a))]),
        );
        return made(columns, { placements, relations: { ...kept, po } });
      });
  });

const inside = (area: Rectangle, by: number): Rectangle => ({
  x: area.x + by,
  y: area.y + by,
  width: area.width - 2 * by,
  height: area.height - 2 * by,
});

const classics = { mp, mpForbidden, sbForbidden, iriw, meeting };
/** What holds of any drawing. */
const rules: Readonly<Record<string, (drawing: Drawing) => void>> = {
  "lets no arrow run through a box": ({ lines, boxes }) => {
    for (const { points } of lines)
      for (const stretch of segments(points)) for (const box of boxes) agree(touches(stretch, inside(box, 1)), false);
  },
  "begins and ends arrows at the boxes that they connect": ({ lines, boxes }) => {
    const near = ([x, y]: Point, { x: left, y: top, width, height }: Rectangle) =>
      left - 0.1 <= x && x <= left + width + 0.1 && top - 0.1 <= y && y <= top + height + 0.1;
    for (const { arrow, points } of lines) {
      const [from, to] = [arrow.from, arrow.to].map((at) => boxes.find(({ box }) => box.events.includes(at)));
      agree(near(points[0] as Point, from as Rectangle), true);
      agree(near(points.at(-1) as Point, to as Rectangle), true);
    }
  },
  "never draws two arrows along each other": ({ lines }) => {
    const upright = lines.flatMap(({ points }, line) =>
      segments(points).flatMap(([[x0, y0], [x1, y1]]) =>
        x0 === x1 ? [{ line, at: x0, low: Math.min(y0, y1), high: Math.max(y0, y1) }] : [],
      ),
    );
    for (const a of upright)
      for (const b of upright)
        if (a.line < b.line && Math.abs(a.at - b.at) < 2)
          agree(Math.min(a.high, b.high) - Math.max(a.low, b.low) < 1, true);
  },
  "keeps boxes apart, in their frames and in the picture": ({ boxes, frames, notes, width, height }) => {
    for (const [at, box] of boxes.entries()) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
      for (const other of boxes.slice(at + 1)) agree(touching(box, other), false);
      for (const {
        at: [x, y],
      } of notes)
        agree(touching(box, { x, y: y - 5, width: 1, height: 5 }), false);
    }
    for (const frame of frames)
      for (const box of boxes)
        if (touching(frame, box)) agree(box.x >= frame.x && box.x + box.width <= frame.x + frame.width, true);
  },
};

describe("the layout of a picture", () => {
  it.each(Object.entries(rules))("%s", (_, holds) => {
    for (const example of Object.values(classics)) holds(drawing(example));
  });

  it("does all that for any execution", () => {
    const any = fc.property(anything, (example) => {
      const drawn = drawing(example);
      for (const holds of Object.values(rules)) holds(drawn);
    });
    fc.assert(any, { numRuns: 60 });
  });

  it("names each arrow where no box hides the name", () => {
    for (const example of Object.values(classics)) {
      const { lines, boxes } = drawing(example);
      for (const { label } of lines)
        for (const box of boxes)
          expect(touching(box, { x: label[0] - 6, y: label[1] - 5, width: 12, height: 10 })).toBe(false);
    }
  });
});

const touching = (a: Rectangle, b: Rectangle): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
