import { describe, expect, it } from "vitest";
import { diagnosticToJson, excerpt, renderDiagnostic, renderDiagnostics } from "../../../src/present/diagnostic.ts";
import { printable } from "../../../src/present/text/escape.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import { Source } from "../../../src/source/source.ts";

const source = new Source("kernel.ptx", "// one\n    add.rz.f16x2 %r1, %r2, %r3;\n");
const diagnostic: Diagnostic = {
  code: "PTX2101",
  severity: "error",
  message: ".rz is not a rounding of add.f16x2",
  source,
  span: { start: 14, end: 17 },
  expected: ".rn, .ftz, .sat or .f16x2",
  manual: "half-precision-floating-point-instructions-add",
};

describe("a diagnostic as text", () => {
  it("shows what, where, what was expected and the manual's section", () => {
    expect(renderDiagnostic(diagnostic)).toBe(
      [
        "error PTX2101: .rz is not a rounding of add.f16x2",
        " --> kernel.ptx:2:8",
        "  |",
        "2 |     add.rz.f16x2 %r1, %r2, %r3;",
        "  |        ^^^ expected .rn, .ftz, .sat or .f16x2",
        "  = manual: https://docs.nvidia.com/cuda/parallel-thread-execution/#half-precision-floating-point-instructions-add",
      ].join("\n"),
    );
  });

  it("shows other places and the way out", () => {
    const related = [{ source, span: { start: 0, end: 6 }, message: "declared here" }];
    const text = renderDiagnostic({ ...diagnostic, related, help: [{ message: "did you mean .rn?" }] });
    expect(text).toContain(" ::: kernel.ptx:1:1\n  |\n1 | // one\n  | ------ declared here\n");
    expect(text).toContain("  = help: did you mean .rn?\n");
  });

  it("tells the first of several that need the same header, and names the others under it", () => {
    const old = { ...diagnostic, needs: { ptx: 78, sm: 90 } };
    const [first, second, last] = [old, { ...old, span: { start: 0, end: 6 } }, { ...old, expected: "another" }];
    expect(renderDiagnostics([first, last, second])).toBe(
      `${renderDiagnostic(first)}\n  = line 1: // one, likewise\n\n${renderDiagnostic(last)}\n`,
    );
  });

  it("leaves an empty line between two and ends with a line end", () => {
    const both = renderDiagnostics([diagnostic, diagnostic]);
    expect(both.split("\n\n")).toHaveLength(2);
    expect(both.endsWith("add\n")).toBe(true);
    expect(renderDiagnostics([])).toBe("");
  });

  it("adds nothing but colour with a palette", () => {
    const tag = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
    const palette = {
      error: tag("e"),
      warning: tag("w"),
      note: tag("n"),
      strong: tag("s"),
      faint: tag("f"),
      good: tag("g"),
      link: tag("l"),
    };
    expect(renderDiagnostic(diagnostic, palette).replaceAll(/<\/?\w>/g, "")).toBe(renderDiagnostic(diagnostic));
  });

  it("is data with its keys in one order", () => {
    expect(JSON.stringify(diagnosticToJson(diagnostic))).toBe(
      '{"code":"PTX2101","severity":"error","message":".rz is not a rounding of add.f16x2","source":"kernel.ptx",' +
        '"line":2,"column":8,"start":14,"end":17,"expected":".rn, .ftz, .sat or .f16x2",' +
        '"manual":"half-precision-floating-point-instructions-add"}',
    );
  });
});

describe("an excerpt", () => {
  const at = (text: string, start: number, end: number) => excerpt(new Source("x", text), { start, end }, "^");

  it("turns tabs into spaces and keeps the underline below", () => {
    expect(at("\tadd\tx;", 5, 6)).toEqual({ line: "    add x;", marks: "        ^" });
  });

  it("shows control characters, and marks that turn the direction, as escapes", () => {
    expect(at("a\u001b[31mb", 1, 2)).toEqual({ line: "a\\x1b[31mb", marks: " ^^^^" });
    expect(printable("x\u202ey\u0000\n\ud800")).toBe("x\\u{202e}y\\x00\\n\\u{d800}");
  });

  it("cuts a long line around what is underlined", () => {
    const { line, marks } = at(`${"x".repeat(5000)}HERE${"y".repeat(5000)}`, 5000, 5004);
    expect(line).toMatch(/^…x+HEREy+…$/);
    expect(line.length).toBeLessThan(110);
    expect(line.slice(marks.indexOf("^"), marks.length)).toBe("HERE");
  });

  it("stays quick on a line of ten million characters", () => {
    const long = `${"x".repeat(10_000_000)}HERE`;
    expect(at(long, 10_000_000, 10_000_004).line.endsWith("HERE")).toBe(true);
  });

  it("marks an empty span, and one that is as long as the file, once and to the line's end", () => {
    expect(at("abc", 3, 3)).toEqual({ line: "abc", marks: "   ^" });
    expect(at("abc\ndef", 1, 7).marks).toBe(" ^^");
  });
});
