import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agree } from "../../../../../tests/agree.ts";
import { graphOf } from "../../../model/picture/graph.ts";
import { type Box, drawingOf, type Point, widthOf } from "../../../model/picture/layout.ts";
import { iriw, meeting, mp, mpForbidden, sbForbidden } from "./classics.ts";
import { crowded, ladder, lonely, sparse } from "./drawings.ts";
import { type Example, made, step } from "./executions.ts";

const drawing = ({ execution, threads, forbidden }: Example) => {
  const graph = graphOf(execution, threads, forbidden);
  return { ...graph, ...drawingOf(graph.clusters, graph.edges) };
};
type Drawing = ReturnType<typeof drawing>;

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

const left = ({ x, width }: Box) => x - width / 2;
const top = ({ y, height }: Box) => y - height / 2;

/** Whether two boxes overlap by more than what rounding makes of edges. */
const touching = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 - 0.5 && Math.abs(a.y - b.y) < (a.height + b.height) / 2 - 0.5;

/** Whether a stretch goes through a box: it does if some point on it lies inside, looked for pixel by pixel. */
function crosses([from, to]: readonly [Point, Point], box: Box): boolean {
  const around = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, width: Math.abs(from.x - to.x), height: 0 };
  if (!touching({ ...around, width: around.width + 2, height: Math.abs(from.y - to.y) + 2 }, box)) return false;
  const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y));
  return Array.from({ length: steps + 1 }, (_, at) => (steps === 0 ? 0 : at / steps)).some((part) => {
    const point = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    return touching({ ...point, width: 0, height: 0 }, { ...box, width: box.width - 2, height: box.height - 2 });
  });
}

const stretches = (points: readonly Point[]) =>
  points.slice(1).map((point, at): [Point, Point] => [points[at] as Point, point]);

/** What holds of any drawing. */
const rules: Readonly<Record<string, (drawing: Drawing) => void>> = {
  "has each node once, and each edge once": ({ clusters, boxes, edges, lines }) => {
    agree([...boxes.keys()].sort(), clusters.flatMap(({ nodes }) => nodes.map(({ id }) => id)).sort());
    agree(
      lines.map(({ edge }) => edge),
      edges,
    );
  },
  "keeps nodes apart, and in the picture": ({ boxes, width, height }) => {
    const all = [...boxes.values()];
    for (const [at, box] of all.entries()) {
      expect(left(box)).toBeGreaterThanOrEqual(-0.1);
      expect(top(box)).toBeGreaterThanOrEqual(-0.1);
      expect(left(box) + box.width).toBeLessThanOrEqual(width + 0.1);
      expect(top(box) + box.height).toBeLessThanOrEqual(height + 0.1);
      for (const other of all.slice(at + 1)) agree(touching(box, other), false);
    }
  },
  "makes a column of each thread, in program order": ({ clusters, boxes, columns }) => {
    for (const [at, { nodes }] of clusters.entries()) {
      const own = nodes.map(({ id }) => boxes.get(id)!);
      for (const [row, box] of own.entries()) {
        expect(box.x).toBeCloseTo(columns[at]!.x);
        if (row > 0) expect(box.y).toBeGreaterThan(own[row - 1]!.y);
      }
      if (at > 0) expect(left(columns[at]!)).toBeGreaterThan(left(columns[at - 1]!) + columns[at - 1]!.width);
    }
  },
  "has room for all texts": ({ clusters, boxes, columns }) => {
    for (const [at, { head, nodes, foot }] of clusters.entries()) {
      expect(columns[at]!.width).toBeGreaterThan(widthOf([...head, ...foot]));
      for (const { id, lines } of nodes) {
        expect(boxes.get(id)!.width).toBeGreaterThan(widthOf(lines));
        expect(boxes.get(id)!.height).toBeGreaterThan(lines.length * 16);
      }
    }
  },
  "lets no edge run through a node": ({ lines, boxes }) => {
    for (const { points } of lines)
      for (const stretch of stretches(points)) for (const box of boxes.values()) agree(crosses(stretch, box), false);
  },
  "begins and ends edges at the nodes that they connect": ({ lines, boxes }) => {
    const near = ({ x, y }: Point, box: Box) =>
      Math.abs(x - box.x) <= box.width / 2 + 0.1 && Math.abs(y - box.y) <= box.height / 2 + 0.1;
    for (const { edge, points } of lines) {
      agree(near(points[0]!, boxes.get(edge.from)!), true);
      agree(near(points.at(-1)!, boxes.get(edge.to)!), true);
    }
  },
  "names edges where no node hides the name, and no other name does": ({ lines, boxes }) => {
    const names = lines.map(({ edge, label }) => ({ ...label, width: widthOf([edge.name]), height: 12 }));
    for (const [at, name] of names.entries()) {
      for (const box of boxes.values()) agree(touching(name, box), false);
      for (const other of names.slice(at + 1)) agree(touching(name, other), false);
    }
  },
};

const examples = { mp, mpForbidden, sbForbidden, iriw, meeting, crowded, ladder, lonely, sparse };

describe("the layout of a picture", () => {
  it.each(Object.entries(rules))("%s", (_, holds) => {
    for (const example of Object.values(examples)) holds(drawing(example));
  });

  it("does all that for any execution", () => {
    const any = fc.property(anything, (example) => {
      const drawn = drawing(example);
      for (const holds of Object.values(rules)) holds(drawn);
    });
    fc.assert(any, { numRuns: 30 });
  });

  it("is there for threads without events", () => {
    expect(drawing(made([[], []], { relations: {} })).columns).toHaveLength(2);
    expect(drawing(made([], { relations: {} })).columns).toHaveLength(0);
  });
});
