import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { lint } from "../../../src/host/lint.ts";
import { Document } from "../src/document.ts";
import { anyEdit, change, numbers, plain } from "./edits.ts";

const header = ".version 8.0\n.target sm_80\n.address_size 64\n";
const three = `${header}.global .b32 counter;
.func (.reg .b32 r) square(.reg .b32 x) { mul.lo.u32 r, x, x; ret; }
.visible .entry first(.param .u64 p) { .reg .b32 %r<3>; .reg .b64 %a; ld.param.u64 %a, [p]; ld.global.b32 %r1, [counter]; call (%r2), square, (%r1); st.global.u32 [%a], %r2; ret; }
.visible .entry second(.param .u64 q) { .reg .b32 %r<2>; mov.u32 %r1, %tid.x; ret; }
.visible .entry third() { add.u32 %r1, %r2; ret; }
`;

const fresh = ({ name, text }: Document) => lint({ name, text }).map(plain);
const kept = (document: Document) => document.diagnostics.map(plain);

describe("after an edit", () => {
  test("the body that was edited is read, and no other", () => {
    const document = new Document("three.ptx", three);
    expect(document.diagnostics.map(({ code }) => code)).toContain("PTX1301");
    expect(document.bodiesRead).toBe(4);
    change(document, "%tid.x", "%tid.y");
    expect(kept(document)).toEqual(fresh(document));
    expect(document.bodiesRead).toBe(1);
  });

  test("nothing is read again where a comment between functions grows", () => {
    const document = new Document("three.ptx", three);
    kept(document);
    change(document, ".visible .entry second", "// the second\n\n.visible .entry second");
    expect(kept(document)).toEqual(fresh(document));
    expect(document.bodiesRead).toBe(0);
  });

  test("bodies that name what is declared otherwise are read again", () => {
    const document = new Document("three.ptx", three);
    kept(document);
    change(document, ".global .b32 counter;", ".global .b64 total;");
    expect(kept(document)).toEqual(fresh(document));
    // Besides the one that names it, the one with a mistake: a message might suggest the new name.
    expect(document.bodiesRead).toBe(2);
    expect(document.diagnostics.map(({ code }) => code)).toContain("PTX1320");
  });

  test("all bodies are read again for another header", () => {
    const document = new Document("three.ptx", three);
    kept(document);
    change(document, "sm_80", "sm_90");
    expect(kept(document)).toEqual(fresh(document));
    expect(document.bodiesRead).toBe(4);
  });

  test("nothing is said of bodies where addresses have 32 bits, until they have 64", () => {
    const document = new Document("three.ptx", three.replace("address_size 64", "address_size 32"));
    expect(kept(document)).toEqual(fresh(document));
    expect(document.diagnostics.map(({ code }) => code)).toEqual(["PTX1508"]);
    expect(document.bodiesRead).toBe(0);
    change(document, "address_size 32", "address_size 64");
    expect(kept(document)).toEqual(fresh(document));
    expect(document.diagnostics.map(({ code }) => code)).toContain("PTX1301");
  });

  test("each body is parsed once where the syntax between them is wrong", () => {
    const document = new Document("three.ptx", `${three}.global .b32 ;\n`);
    expect(kept(document)).toEqual(fresh(document));
    expect(document.bodiesRead).toBe(4);
    change(document, "%tid.x", "%tid.y");
    expect(kept(document)).toEqual(fresh(document));
    expect(document.bodiesRead).toBe(1);
  });

  test("what comes out of a comment again is still known", () => {
    const document = new Document("three.ptx", three);
    kept(document);
    change(document, ".visible .entry second", "/* .visible .entry second");
    expect(kept(document)).toEqual(fresh(document));
    change(document, "/* ", "");
    expect(kept(document)).toEqual(fresh(document));
    expect(document.bodiesRead).toBeLessThanOrEqual(3);
  });
});

describe("a snippet", () => {
  const notes = (text: string) => new Document("t.ptx", text).diagnostics.map(({ code, severity }) => [code, severity]);
  test("that has an instruction which is not executed says so, unless it has mistakes", () => {
    const call = ".param .b8 a[4]; .reg .b64 q; proto: .callprototype ()_ (.param .b8 x[]);\ncall q, (a), proto;";
    expect(notes(call)).toEqual([["PTX9020", "note"]]);
    expect(notes(`${call} not.b16 q, q;`).map(([code]) => code)).toEqual(["PTX1302", "PTX1302"]);
    expect(notes("ret;")).toEqual([]);
  });
});

const kernels = new URL("../../../tests/data/kernels/", import.meta.url);
const module = (name: string) => gunzipSync(readFileSync(new URL(name, kernels))).toString("utf8");
const names = readdirSync(kernels).filter((name) => /O3\.ptx\.gz$/.test(name));

describe("edit by edit, what is kept is what a text as a whole has", () => {
  test.each([
    ["a text with a mistake", three],
    ["a text without a header", three.slice(header.length)],
    ["functions of several kinds", module(names.find((name) => name.startsWith("calls")) ?? names[0] ?? "")],
  ])("in %s", (_, text) => {
    for (let seed = 1; seed <= 5; seed++) {
      const pick = numbers(seed * 7919);
      const document = new Document("text.ptx", text.length > 20_000 ? text.slice(0, 20_000) : text);
      kept(document);
      for (let turn = 0; turn < 12; turn++) {
        const edit = anyEdit(document.text, pick);
        const before = document.text;
        document.edit([edit]);
        expect(kept(document), `seed ${seed}, ${JSON.stringify(edit)} in\n${before}`).toEqual(fresh(document));
      }
    }
  });
});
