import { describe, expect, test } from "vitest";
import { parse } from "../../../src/parser/index.ts";
import { ModuleGrammar } from "../../../src/parser/module.ts";
import { Source } from "../../../src/source/source.ts";
import { cost, growth, LINEAR } from "../../cost.ts";
import { draws } from "../../share.ts";
import { HEADER, marks, readModule, readSnippet } from "./read.ts";

const DEEP = draws(20_000, 100_000);
const codes = (text: string): string[] => marks(readSnippet(text).diagnostics).map((mark) => mark.slice(0, 7));

test("Chevrotain finds the grammar free of ambiguities", () => {
  expect(() => new ModuleGrammar("validate")).not.toThrow();
});

describe("nesting", () => {
  const nest = (open: string, inner: string, close: string, depth: number): string =>
    open.repeat(depth) + inner + close.repeat(depth);
  const shapes: Record<string, (depth: number) => string> = {
    blocks: (depth) => nest("{", "ret;", "}", depth),
    parentheses: (depth) => `mov.u32 a, ${nest("(", "1", ")", depth)};`,
    lists: (depth) => `call ${nest("({", "a", "})", depth / 2)};`,
    braces: (depth) => `mov.u32 a, ${nest("{", "b", "}", depth)};`,
    initialisers: (depth) => `.local .u32 a[1] = ${nest("{", "1", "}", depth)};`,
    masks: (depth) => `.local .u32 a = ${nest("0xFF(", "a", ")", depth)};`,
    signs: (depth) => `mov.u32 a, ${"-".repeat(depth)}1;`,
    casts: (depth) => `mov.u32 a, ${"(.s64)".repeat(depth)}1;`,
    conditionals: (depth) => `mov.u32 a, ${"1?2:".repeat(depth)}3;`,
    sums: (depth) => `mov.u32 a, ${"1+".repeat(depth)}1;`,
  };

  test.each(Object.keys(shapes))("%s nest 200 deep", (name) => {
    expect(codes(shapes[name]!(200))).toEqual([]);
  });

  test.each(Object.keys(shapes))(`%s ${DEEP} deep are one message, not a full stack`, (name) => {
    expect(codes(shapes[name]!(DEEP))).toEqual(["PTX1107"]);
    expect(codes(shapes[name]!(300))).toEqual(["PTX1107"]);
  });

  test("opened and never closed ends quickly too", () => {
    expect(codes("{".repeat(DEEP))).toEqual(["PTX1107"]);
    expect(codes(`mov.u32 a, ${"(".repeat(DEEP)}`)).toEqual(["PTX1107"]);
    expect(codes(`mov.u32 a, ${"{".repeat(DEEP)}`)).toEqual(["PTX1107"]);
    expect(codes(`ld.u32 a, ${"[".repeat(DEEP)}`)).toEqual(["PTX1110"]);
    expect(codes("}".repeat(DEEP)).at(-1)).toBe("PTX1119");
  });

  test("in a module as well", () => {
    const text = `${HEADER}.entry k() ${"{".repeat(DEEP)}${"}".repeat(DEEP)}\n.global .u32 g = ${"(".repeat(DEEP)}1;`;
    expect(readModule(text).diagnostics.map(({ code }) => code)).toEqual(["PTX1107", "PTX1107"]);
  });

  test("depth counts what is open, not what has been", () => {
    expect(codes("{ ret; }\n".repeat(1000))).toEqual([]);
    expect(codes("mov.u32 a, (1);\n".repeat(1000))).toEqual([]);
    expect(codes("mov.u32 a, (1;\n".repeat(50) + nest("{", "ret;", "}", 200))).toEqual(Array(50).fill("PTX1104"));
  });
});

describe("size", () => {
  const kernel = (name: string): string =>
    `.entry ${name}(.param .u64 p)\n{\n.reg .u32 %r<4>;\n${"add.s32 %r1, %r2, %r3; // }\n".repeat(40)}ret;\n}\n`;

  test("megabytes reach their index in linear time, and far sooner than they are read", async () => {
    const text = (count: number) => HEADER + Array.from({ length: count }, (_, index) => kernel(`k${index}`)).join("");
    expect(text(2000).length).toBeGreaterThan(2_000_000);
    const index = (count: number) =>
      expect(parse(new Source("t", text(count)), { bodies: "index" }).value.items).toHaveLength(count + 3);
    expect(await growth(index, [200, 2000])).toBeLessThan(LINEAR);
    const whole = await cost(() => parse(new Source("t", text(100))), 0);
    expect(await cost(() => index(100), whole / 3)).toBeLessThan(whole / 3);
  });

  test("a line of four megabytes is read in linear time, a longer one is refused", async () => {
    const most = 2 ** 22;
    const comment = (length: number) => parse(new Source("t", `${HEADER}//${"x".repeat(length - 2)}\n`)).diagnostics;
    expect(comment(most)).toEqual([]);
    expect(comment(most + 1)).toMatchObject([{ code: "PTX1011", span: { start: HEADER.length } }]);
    expect(codes("x".repeat(most + 1))).toEqual(["PTX1011"]);
    expect(codes(`ret;\n${"9".repeat(most + 1)}\nret;`)).toEqual(["PTX1011"]);
    // Ten megabytes on many lines are no matter.
    expect(parse(new Source("t", `${HEADER}${`//${"x".repeat(1e6)}\n`.repeat(10)}`)).diagnostics).toEqual([]);
    for (const line of [
      (size: number) => `mov.u32 a, ${"x".repeat(size)};`,
      (size: number) => `mov.u32 a, "${"x".repeat(size)}`,
      (size: number) => "9".repeat(size),
    ])
      expect(await growth((size) => readSnippet(line(size)), [most / 16, most])).toBeLessThan(LINEAR);
  });

  test.each(["(", "[", "@", ".", "#", '"', "x ", "x,", "x(1;", "0f", ".entry ", "{x ", "x x;"])(
    "mistakes take linear time: %s",
    async (part) => {
      const read = (size: number) => parse(new Source("t", HEADER + part.repeat(size / part.length)));
      expect(await growth(read, [20_000, 200_000])).toBeLessThan(LINEAR);
    },
  );
});
