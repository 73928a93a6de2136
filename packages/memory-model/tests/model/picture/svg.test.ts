import { describe, expect, it } from "vitest";
import { type Element, readXml } from "../../../../../tests/unit/cli/check/junit-xml.ts";
import { forbidding, lookOf } from "../../../model/picture/graph.ts";
import { pictureAsSvg } from "../../../model/picture/svg.ts";
import { arrowNames } from "../../../model/picture/words.ts";
import { iriw, meeting, mp, mpForbidden, sbForbidden } from "./classics.ts";
import { type Example, made, step } from "./executions.ts";

const svg = ({ execution, threads, forbidden }: Example): string => pictureAsSvg(execution, threads, forbidden);
const read = (example: Example): Element => readXml(`<?xml version="1.0" encoding="UTF-8"?>\n${svg(example)}`);

const all = (element: Element): Element[] => [element, ...element.children.flatMap(all)];
const classes = (element: Element): string[] => (element.attributes.get("class") ?? "").split(" ");
const having = (root: Element, ...names: string[]): Element[] =>
  all(root).filter((element) => names.every((name) => classes(element).includes(name)));
/** What the edges of a kind say, `a -rf-> b`. */
const arrows = (root: Element, ...kind: string[]): string[] =>
  having(root, "edge", ...kind).flatMap(({ children }) =>
    children.flatMap(({ name, text }) => (name === "title" ? [text.replace(/:.*/, "")] : [])),
  );
const isMarked = ({ attributes }: Element): boolean => attributes.get("stroke") === forbidding;
const words = (root: Element): string[] => all(root).flatMap(({ name, text }) => (name === "text" ? [text] : []));

describe("an execution as SVG", () => {
  it("has a node for each instruction, in a frame for each thread, and each edge once", () => {
    const root = read(mp);
    expect(root.name).toBe("svg");
    expect(root.attributes.get("role")).toBe("img");
    expect(having(root, "node")).toHaveLength(6);
    expect(having(root, "frame")).toHaveLength(3);
    expect(words(root)).toEqual(
      expect.arrayContaining([
        "P0",
        "P1",
        "block 0",
        "x = 0",
        "a: W x = 1",
        "   st.release.gpu.global.u32 [flag], 1",
        "r0 = 1, r1 = 1",
      ]),
    );
    expect(arrows(root).sort()).toEqual(["a -po-> b", "a -rf-> d", "b -rf-> c", "b -sw-> c", "c -po-> d"]);
    expect(words(root).filter((text) => text === "rf")).toHaveLength(2);
    expect(words(root)).toContain("finally: x = 1, flag = 1");
  });

  it("says in words what it shows", () => {
    const [title, desc] = read(sbForbidden).children;
    expect(title?.text).toBe("Forbidden by Causality (PTX ISA 8.10.6): a -po-> b -sc-> e -po-> f -fr-> a");
    const said = desc?.text.split("\n") ?? [];
    expect(said.slice(0, 2)).toEqual([
      "initially; x = 0; y = 0",
      "P0 block 0; a: W x = 1    st.relaxed.gpu.global.u32 [x], 1; b: fence.sc.gpu; c: R y = 0    ld.relaxed.gpu.global.u32 r0, [y]; r0 = 0",
    ]);
    expect(said).toContain("b -sw-> e: synchronizes with: a release and its acquire, or a barrier");
    expect(said).toContain("finally: x = 1, y = 1");
    expect(read(mp).children[0]?.text).toBe("Execution that the memory model allows");
  });

  it("shows the cycle that forbids it, above the rest", () => {
    const root = read(sbForbidden);
    expect(words(root)).toContain("Forbidden by Causality (PTX ISA 8.10.6)");
    expect(words(root)).toContain("a -po-> b -sc-> e -po-> f -fr-> a");
    expect(arrows(root, "forbids").sort()).toEqual(["a -po-> b", "b -sc-> e", "e -po-> f", "f -fr-> a"]);
    expect(having(root, "node").filter(isMarked)).toHaveLength(4);
    expect(having(read(mp), "forbids")).toHaveLength(0);
    const kinds = having(root, "edge").map((edge) => classes(edge).includes("forbids"));
    expect(kinds).toEqual([...Array(6).fill(false), ...Array(4).fill(true)]);
  });

  it("draws the steps of a cycle that it leaves out otherwise", () => {
    const { execution, threads } = mp;
    const cycle = [
      { from: 2, to: 5, by: "cause" },
      { from: 5, to: 2, by: "dep" },
    ] as const;
    const root = read({ execution, threads, forbidden: { axiom: "No-Thin-Air", section: "8.10.4", cycle } });
    expect(arrows(root, "forbids").sort()).toEqual(["a -cause-> d", "d -dep-> a"]);
    expect(arrows(root, "cause")).toEqual(["a -cause-> d"]);
  });

  it("marks the arrows that together are a step", () => {
    const { execution, threads } = sbForbidden;
    const cycle = [
      { from: 2, to: 4, by: "po" },
      { from: 4, to: 5, by: "fr" },
      { from: 5, to: 7, by: "po" },
      { from: 7, to: 2, by: "fr" },
    ] as const;
    const root = read({ execution, threads, forbidden: { axiom: "Causality", section: "8.10.6", cycle } });
    expect(arrows(root, "po", "forbids")).toEqual(["a -po-> b", "b -po-> c", "d -po-> e", "e -po-> f"]);
    expect(arrows(root, "po")).toHaveLength(4);
  });

  it("marks the instruction whose halves contradict each other", () => {
    const { execution, threads } = meeting;
    const [read0, write0] = [6, 7];
    const forbidden = {
      axiom: "Atomicity",
      section: "8.10.3",
      cycle: [
        { from: read0, to: write0, by: "rmw" as const },
        { from: write0, to: read0, by: "fr" as const },
      ],
    };
    const root = read({ execution, threads, forbidden });
    expect(having(root, "node").filter(isMarked)).toHaveLength(1);
    expect(arrows(root, "forbids")).toEqual([]);
  });

  it("draws one arrow for all elements of a vector, and one with two heads for a barrier", () => {
    const root = read(meeting);
    expect(arrows(root, "rf").sort()).toEqual(["a -rf-> i", "e -rf-> g", "init n -rf-> d"]);
    expect(arrows(root, "sw").sort()).toEqual(["c <-sw-> f", "f <-sw-> k"]);
    for (const edge of having(root, "edge", "sw"))
      expect(edge.children.filter(({ name }) => name === "polygon")).toHaveLength(2);
  });

  it("draws of a meeting that the cycle goes through its way alone", () => {
    const { execution, threads } = meeting;
    const at = (name: string) => 3 + name.charCodeAt(0) - 97;
    const cycle = [
      { from: at("f"), to: at("c"), by: "sw" },
      { from: at("c"), to: at("d"), by: "po" },
    ] as const;
    const root = read({ execution, threads, forbidden: { axiom: "Causality", section: "8.10.6", cycle } });
    expect(arrows(root, "sw").sort()).toEqual(["f -sw-> c", "f <-sw-> k"]);
  });

  it("explains the edges that it has and no others", () => {
    const keys = words(read(iriw)).flatMap((text) => /^(\w+) .*\(8\.9\.\d\)$/.exec(text)?.[1] ?? []);
    expect(keys).toEqual(["po", "rf", "fr"]);
  });

  it("is dark where the reader prefers that, and leaves a page around it alone", () => {
    const style = read(mp).children.find(({ name }) => name === "style")?.text;
    expect(style).toMatch(/^@media \(prefers-color-scheme:dark\)\{\.ptxrun-picture\{[^{}]*\}\}$/);
    expect(svg(mp)).not.toMatch(/ id=|url\(|@import|@font-face|href/);
  });

  it("has colours that can be read, light and turned round", () => {
    const root = read(mpForbidden);
    const inks = new Set(all(root).flatMap(({ attributes }) => attributes.get("fill") ?? []));
    inks.delete("none");
    for (const ground of ["#ffffff", "#f4f6f9"]) inks.delete(ground);
    expect(inks.size).toBeGreaterThan(3);
    for (const ink of [...inks, ...arrowNames.map((name) => lookOf({ name, forbids: false }).colour)]) {
      expect(contrast(ink, "#ffffff")).toBeGreaterThan(4.5);
      expect(contrast(turned(ink), "#000000")).toBeGreaterThan(4.5);
    }
  });

  it("is well-formed whatever names and instructions hold", () => {
    const odd = '</text><script>alert("1")</script>&\u0000\u202e\ud800';
    const example = made([[step("W", odd, odd, 1n), step("fence", odd)]], {
      names: [odd],
      relations: { po: [["a", "b"]] },
    });
    const root = read({ ...example, forbidden: { axiom: odd, section: odd, cycle: [] } });
    expect(all(root).some(({ name }) => name === "script")).toBe(false);
    expect(words(root).join("\n")).toContain('</text><script>alert("1")');
  });

  it("is a picture even of nothing", () => {
    const root = read(made([], { relations: {} }));
    expect(Number(root.attributes.get("height"))).toBeGreaterThan(0);
    expect(svg(made([], { relations: {} }))).not.toMatch(/NaN|Infinity/);
  });
});

/** What `invert(1) hue-rotate(180deg)` makes of a colour, after Filter Effects 1. */
function turned(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => 255 - Number.parseInt(colour.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  const all = 0.426 * red + 1.43 * green + 0.144 * blue;
  return `#${[all - red, all - green, all - blue].map((part) => hex(Math.min(255, Math.max(0, Math.round(part))))).join("")}`;
}

const hex = (part: number): string => part.toString(16).padStart(2, "0");

/** Contrast of two colours after WCAG 2. */
function contrast(a: string, b: string): number {
  const [one, other] = [luminance(a), luminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
