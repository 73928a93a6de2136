import { expect, it } from "vitest";
import { lint } from "../../../src/index.ts";

const around = (section: string): string =>
  `.version 9.0\n.target sm_90\n.section .debug_str { ${section} }\n.entry k() { ret; }\n`;
const marks = (text: string): string[] =>
  lint(text).map(({ code, span }) => `${code} ${text.slice(span.start, span.end)}`);

it("reads sections, which a run does not need", () => {
  expect(marks(around("$L: .b8 97, 255, -1\n.b32 $L"))).toEqual([]);
  expect(marks(around(".b8 256"))).toEqual(["PTX1419 256"]);
  expect(marks(around(".b8 1, 0x"))).toEqual(["PTX1008 0x"]);
  expect(marks(around(".foo 1"))).toEqual(["PTX1419 .foo"]);
});
