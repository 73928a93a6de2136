import { describe, expect, it } from "vitest";
import { parse } from "../../../src/parser/index.ts";
import { Source } from "../../../src/source/source.ts";
import { changedNames, dependsOn, headsOf, inSource, movedPart, type Part, Parts } from "../src/module/module-check.ts";
import { header } from "./texts.ts";

const span = (start: number, end: number) => ({ start, end });
const diagnostic = (start: number, end: number, more: object = {}) =>
  ({ code: "PTX1320", severity: "error", message: "no", span: span(start, end), ...more }) as never;

describe("a part after an edit", () => {
  const source = new Source("t.ptx", "");
  const replace = (start: number, end: number) => ({ span: span(start, end), text: "x" });
  const part: Part = {
    ...span(10, 20),
    findings: {
      diagnostics: [
        diagnostic(12, 14, {
          related: [{ message: "a", source, span: span(2, 4) }],
          help: [{ message: "b", replace: replace(11, 12) }, { message: "c" }],
        }),
      ],
      gaps: [{ opcode: "call", span: span(15, 18) }],
    },
    syntax: [diagnostic(19, 20)],
  };

  it.each<[what: string, edit: [number, number, string], by: number, related: [number, number]]>([
    ["before it all, moves with what it names", [0, 0, "abc"], 3, [5, 7]],
    ["between what it names and it, moves alone", [5, 7, ""], -2, [2, 4]],
    ["against it, moves", [9, 10, ""], -1, [2, 4]],
    ["within what it names, keeps of that what is left", [1, 3, ""], -2, [1, 2]],
    ["over what it names, keeps no more than a place", [1, 5, ""], -4, [1, 1]],
    ["behind it, stays", [20, 25, "abc"], 0, [2, 4]],
  ])("%s", (_, [start, end, text], by, [from, to]) => {
    const now = movedPart(part, { start, end, text });
    expect(now).toEqual({
      ...span(10 + by, 20 + by),
      findings: {
        diagnostics: [
          diagnostic(12 + by, 14 + by, {
            related: [{ message: "a", source, span: span(from, to) }],
            help: [{ message: "b", replace: replace(11 + by, 12 + by) }, { message: "c" }],
          }),
        ],
        gaps: [{ opcode: "call", span: span(15 + by, 18 + by) }],
      },
      syntax: [diagnostic(19 + by, 20 + by)],
    });
  });

  it("that names something behind it follows what is named", () => {
    const named = {
      ...span(0, 5),
      findings: { diagnostics: [diagnostic(1, 2, { related: [{ span: span(9, 10) }] })], gaps: [] },
    };
    const { findings, ...place } = movedPart(named, { start: 6, end: 6, text: "abc" });
    expect(place).toEqual({ ...span(0, 5), syntax: undefined });
    expect(findings?.diagnostics[0]).toEqual(diagnostic(1, 2, { related: [{ span: span(12, 13) }] }));
  });

  it("that says nothing is the same where nothing before it has changed its length", () => {
    const silent = { ...span(10, 20) };
    expect(movedPart(silent, { start: 20, end: 20, text: "abc" })).toBe(silent);
    expect(movedPart(silent, { start: 0, end: 1, text: "a" })).toBe(silent);
    expect(movedPart(silent, { start: 0, end: 1, text: "" })).toMatchObject(span(9, 19));
  });

  it("has diagnostics of the text of now", () => {
    const [old, now] = [new Source("t.ptx", "a"), new Source("t.ptx", "b")];
    const mine = diagnostic(0, 1, { source: now });
    expect(inSource(now, mine)).toBe(mine);
    expect(inSource(now, diagnostic(0, 1, { source: old, related: [{ message: "a", source: old }] }))).toMatchObject({
      source: now,
      related: [{ message: "a", source: now }],
    });
    expect(inSource(now, diagnostic(0, 1, { source: old }))).not.toHaveProperty("related");
  });
});

describe("what is known of parts", () => {
  const findings = { diagnostics: [], gaps: [] };
  const item = (start: number, end: number) => span(start, end) as never;

  it("is of an item that begins and ends there", () => {
    const parts = new Parts();
    const put = parts.put({ ...span(2, 5), called: ["f"] });
    expect([parts.of(item(2, 5)), parts.of(item(2, 6)), parts.of(item(3, 5))]).toEqual([put, span(2, 6), span(3, 5)]);
    parts.clear();
    expect(parts.of(item(2, 5))).toEqual(span(2, 5));
  });

  it("is forgotten where an edit touches it, and moves behind one", () => {
    const parts = new Parts();
    parts.put({ ...span(0, 5), called: ["a"] });
    parts.put({ ...span(6, 9), called: ["b"] });
    parts.edited({ start: 2, end: 3, text: "xyz" });
    expect([parts.of(item(0, 7)).called, parts.of(item(0, 5)).called, parts.of(item(8, 11)).called]).toEqual([
      ...[undefined, undefined, ["b"]],
    ]);
  });

  it("keeps all but the findings where those depend on what has changed", () => {
    const parts = new Parts();
    parts.put({ ...span(0, 5), called: ["a"], findings, lacks: "x" });
    parts.put({ ...span(6, 9), called: ["b"], findings, lacks: "y" });
    parts.forgetFindings(({ start }) => start === 0);
    expect(parts.of(item(0, 5))).toEqual({ ...span(0, 5), called: ["a"], findings: undefined, lacks: undefined });
    expect(parts.of(item(6, 9))).toEqual({ ...span(6, 9), called: ["b"], findings, lacks: "y" });
  });
});

describe("names whose meaning has changed", () => {
  const heads = (text: string) => {
    const source = new Source("t.ptx", `${header()}${text}`);
    return headsOf(source, parse(source, { bodies: "index" }).value);
  };
  const changed = (before: string, now: string) => {
    const names = changedNames(heads(before), heads(now));
    return names && [...names].sort();
  };
  const [f, g, h] = [".func f() { ret; }\n", ".global .b32 g;\n", ".func h() { ret; }\n"];

  it.each<[before: string, now: string, names: readonly string[] | undefined]>([
    [f + g + h, f + g + h, []],
    ["", "", []],
    // Nobody sees another's body.
    [f + g, f.replace("ret", "exit") + g, []],
    [f + g + h, f + g.replace("b32", "b64") + h, ["g"]],
    [f + g + h, f + h, ["g"]],
    [f + h, f + g + h, ["g"]],
    [f, f + g, ["g"]],
    [g, f + g, ["f"]],
    [f + g, g + f, ["f", "g"]],
    [f + g + h, f.replace("f(", "e(") + g + h, ["e", "f"]],
    [f + g + h, f + g + h.replace("h(", "i("), ["h", "i"]],
    [f + f, f, ["f"]],
    [f, f + f, ["f"]],
    [`${f}.alias a, f;\n`, f, ["a", "f"]],
    // Where each lies follows from all of them.
    [f, `${f}.shared .b32 s;\n`, undefined],
    [
      "",
      Array.from({ length: 20 }, (_, at) => `.global .b32 g${at};\n`).join(""),
      Array.from({ length: 20 }, (_, at) => `g${at}`).sort(),
    ],
    ["", Array.from({ length: 21 }, (_, at) => `.global .b32 g${at};\n`).join(""), undefined],
    ["", ".section .debug { .b8 1 }\n", []],
  ])("between %j and %j are %j", (before, now, names) => expect(changed(before, now)).toEqual(names));

  const text = "0 name 7 other";
  it.each<[part: Part, names: readonly string[], depends: boolean]>([
    [span(0, 8), [], false],
    [span(0, 8), ["name"], true],
    [span(2, 8), ["name"], true],
    [span(3, 8), ["name"], false],
    [span(2, 6), ["name"], true],
    [span(0, 5), ["name"], false],
    [span(0, 1), ["0"], true],
    [span(0, 8), ["other"], false],
    [span(0, 8), ["none", "name"], true],
    [{ ...span(0, 1), lacks: "" }, ["other"], true],
    [{ ...span(0, 1), lacks: "" }, [], false],
    [{ ...span(0, 1), findings: { diagnostics: [diagnostic(0, 1)], gaps: [] } }, ["other"], true],
    [{ ...span(0, 1), findings: { diagnostics: [], gaps: [] } }, ["other"], false],
  ])("are what %j depends on, of %j: %s", (part, names, depends) =>
    expect(dependsOn(part, new Set(names), text)).toBe(depends),
  );
});
