import { describe, expect, it } from "vitest";
import { pictureAsSvg } from "../../../../src/memory-model/picture/svg.ts";
import { type Element, readXml } from "../../cli/check/junit-xml.ts";
import { iriw, meeting, mp, mpForbidden, sbForbidden } from "./classics.ts";
import { type Example, made, step } from "./executions.ts";

const svg = ({ execution, threads, forbidden }: Example): string => pictureAsSvg(execution, threads, forbidden);
const read = (example: Example): Element => readXml(`<?xml version="1.0" encoding="UTF-8"?>\n${svg(example)}`);

const all = (element: Element): Element[] => [element, ...element.children.flatMap(all)];
const classes = (element: Element): string[] => (element.attributes.get("class") ?? "").split(" ");
const having = (root: Element, ...names: string[]): Element[] =>
  all(root).filter((element) => names.every((name) => classes(element).includes(name)));
/** What the arrows of a kind say, `a to b`. */
const arrows = (root: Element, ...kind: string[]): string[] =>
  having(root, "line", ...kind).flatMap(({ children }) =>
    children.flatMap(({ name, text }) => (name === "title" ? [text.replace(/:.*/, "")] : [])),
  );
const words = (root: Element): string[] => all(root).flatMap(({ name, text }) => (name === "text" ? [text] : []));

describe("an execution as SVG", () => {
  it("has boxes with values and instructions, in frames, and arrows with names", () => {
    const root = read(mp);
    expect(root.name).toBe("svg");
    expect(root.attributes.get("role")).toBe("img");
    expect(having(root, "box")).toHaveLength(6);
    expect(having(root, "frame")).toHaveLength(2);
    expect(words(root)).toEqual(
      expect.arrayContaining([
        "P0",
        "P1",
        "block 0",
        "x = 0",
        "a: W x = 1",
        "st.release.gpu.global.u32 [flag], 1",
        "r0 = 1, r1 = 1",
      ]),
    );
    expect(arrows(root, "po")).toEqual(["a to b", "c to d"]);
    expect(arrows(root, "rf").sort()).toEqual(["a to d", "b to c"]);
    expect(arrows(root, "sw")).toEqual(["b to c"]);
    expect(arrows(root, "co")).toEqual([]);
    expect(words(root).filter((text) => text === "rf")).toHaveLength(3);
    expect(words(root)).toContain("finally: x = 1, flag = 1");
  });

  it("says in words what it shows", () => {
    const [title, desc] = read(sbForbidden).children;
    expect([title?.name, title?.text]).toEqual(["title", "Forbidden execution: Causality (PTX ISA 8.10.6)"]);
    expect(desc?.name).toBe("desc");
    expect(desc?.text.split("\n")).toEqual([
      "The cycle that forbids it: a -po-> b -sc-> e -po-> f -fr-> a.",
      "Initially x = 0, y = 0.",
      "Thread P0 in block 0: a: W x = 1 by st.relaxed.gpu.global.u32 [x], 1; b: fence.sc.gpu; c: R y = 0 by ld.relaxed.gpu.global.u32 r0, [y]; r0 = 0.",
      "Thread P1 in block 1: d: W y = 1 by st.relaxed.gpu.global.u32 [y], 1; e: fence.sc.gpu; f: R x = 0 by ld.relaxed.gpu.global.u32 r0, [x]; r0 = 0.",
      "init x to f: rf.",
      "init y to c: rf.",
      "c to d: fr.",
      "f to a: fr.",
      "b to e: sw.",
      "b to e: sc.",
      "finally x = 1, y = 1.",
    ]);
    expect(read(mp).children[0]?.text).toBe("Execution that the memory model allows");
  });

  it("shows the cycle that forbids it, and the rest beside it", () => {
    const root = read(sbForbidden);
    expect(words(root)).toContain("Forbidden by Causality (PTX ISA 8.10.6)");
    expect(words(root)).toContain("a -po-> b -sc-> e -po-> f -fr-> a");
    expect(arrows(root, "forbids").sort()).toEqual(["a to b", "b to e", "e to f", "f to a"]);
    expect(arrows(root, "aside").sort()).toEqual([
      "b to c",
      "b to e",
      "c to d",
      "d to e",
      "init x to f",
      "init y to c",
    ]);
    expect(having(root, "box", "forbids")).toHaveLength(4);
    expect(having(read(mp), "forbids")).toHaveLength(0);
    // it is drawn after the rest, so that nothing covers it
    const kinds = having(root, "line").filter(({ children }) => children.some(({ name }) => name === "path"));
    expect(kinds.map((line) => classes(line).includes("forbids"))).toEqual([
      ...Array(6).fill(false),
      ...Array(4).fill(true),
    ]);
  });

  it("draws the steps of a cycle that it leaves out otherwise", () => {
    const { execution, threads } = mp;
    const cycle = [
      { from: 2, to: 5, by: "cause" },
      { from: 5, to: 2, by: "dep" },
    ] as const;
    const root = read({ execution, threads, forbidden: { axiom: "No-Thin-Air", section: "8.10.4", cycle } });
    expect(arrows(root, "forbids").sort()).toEqual(["a to d", "d to a"]);
    expect(arrows(root, "cause")).toEqual(["a to d"]);
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
    expect(arrows(root, "po", "forbids")).toEqual(["a to b", "b to c", "d to e", "e to f"]);
    expect(arrows(root, "po", "aside")).toEqual([]);
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
    expect(having(root, "box", "forbids")).toHaveLength(1);
    expect(arrows(root, "forbids")).toEqual([]);
  });

  it("draws one arrow for all elements of a vector, and one with two heads for a barrier", () => {
    const root = read(meeting);
    expect(arrows(root, "rf").sort()).toEqual(["a to i", "e to g", "init n to d"]);
    expect(arrows(root, "sw").sort()).toEqual(["c and f", "f and k"]);
    for (const line of having(root, "line", "sw"))
      if (line.children.some(({ name }) => name === "path"))
        expect(line.children.filter(({ name }) => name === "polygon")).toHaveLength(2);
  });

  it("draws of a meeting that the cycle goes through its way alone", () => {
    const { execution, threads } = meeting;
    const at = (name: string) => 3 + name.charCodeAt(0) - 97;
    const cycle = [
      { from: at("f"), to: at("c"), by: "sw" },
      { from: at("c"), to: at("d"), by: "po" },
    ] as const;
    const root = read({ execution, threads, forbidden: { axiom: "Causality", section: "8.10.6", cycle } });
    expect(arrows(root, "sw").sort()).toEqual(["f and k", "f to c"]);
  });

  it("puts frames around blocks within clusters", () => {
    const root = read(iriw);
    expect(words(root).filter((text) => /^(?:block|cluster) /.test(text))).toEqual([
      "cluster 0",
      "cluster 1",
      "block 0",
      "block 2",
      "block 1",
    ]);
  });

  it("explains the arrows that it has and no others", () => {
    const keys = having(read(iriw), "key").map((key) => classes(key)[1]);
    expect(keys).toEqual(["po", "rf", "fr"]);
  });

  it("is light or dark as the reader prefers, and leaves a page around it alone", () => {
    const style = read(mp).children.find(({ name }) => name === "style")?.text ?? "";
    const [light = "", dark = ""] = style.split("@media (prefers-color-scheme:dark)");
    expect(dark).toMatch(/^\{.*\}$/s);
    expect(light).toContain(".ptxrun-picture .paper{fill:#ffffff}");
    expect(dark).toContain(".ptxrun-picture .paper{fill:#14171c}");
    for (const [selectors = ""] of style.replace("@media (prefers-color-scheme:dark){", "").matchAll(/[^{}]+(?=\{)/g))
      for (const selector of selectors.split(",")) expect(selector).toMatch(/^\.ptxrun-picture /);
    expect(svg(mp)).not.toMatch(/ id=|url\(|@import|@font-face|href/);
  });

  it("has colours that can be read on both grounds", () => {
    const style = read(mpForbidden).children.find(({ name }) => name === "style")?.text ?? "";
    for (const shade of style.split("@media (prefers-color-scheme:dark)")) {
      const fills = [...shade.matchAll(/([^{}]*)\{fill:(#[\da-f]{6})[^}]*\}/g)];
      const paper = fills.find(([, selector]) => selector?.endsWith(".paper"))?.[2] ?? "";
      const box = fills.find(([, selector]) => selector?.endsWith(".box"))?.[2] ?? "";
      const inks = fills.filter(([, selector]) => !/\.(?:paper|box)$/.test(selector ?? ""));
      expect(inks.length).toBeGreaterThan(9);
      for (const [, , ink = ""] of inks) expect(contrast(ink, paper)).toBeGreaterThan(4.5);
      for (const [, selector = "", ink = ""] of inks)
        if (/text$|code/.test(selector)) expect(contrast(ink, box)).toBeGreaterThan(4.5);
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
