import { expect, it } from "vitest";
import { Document } from "../src/document.ts";
import { quickFixes } from "../src/quick-fixes.ts";

const kernel = (body: string): string => `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<4>;
${body}
  ret;
}
`;

/** What an editor offers for a text, and the line that each makes of the one that it changes. */
function offered(text: string): readonly (readonly [title: string, line: string])[] {
  const document = new Document("a.ptx", text);
  return quickFixes(document, { start: 0, end: text.length }).map(({ title, edit }) => {
    const made = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    const at = edit.start + edit.text.lastIndexOf("\n") + 1;
    const line = made.slice(made.lastIndexOf("\n", at - 1) + 1, made.indexOf("\n", at));
    return [title, line.trim()];
  });
}

const addresses = `  ld.param.u64 %rd0, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %r3, %r1, 4;
  add.s64 %rd3, %rd0, %rd2;
  mov.f32 %f1, 0f3F800000;
  st.global.f32 [%rd3], %f1;`;

it("of a wrong register for a result is the one that is read and never written", () => {
  expect(offered(kernel(addresses))).toEqual([
    ["write %rd2, which is read and never written", "mul.wide.u32 %rd2, %r1, 4;"],
  ]);
});

it("of an undeclared register is a declaration at the beginning of the body, where no other is meant", () => {
  const text = kernel(addresses.replace("%r3, %r1", "%rd2, %r1").replace("[%rd3], %f1", "[%rd3], %g1"));
  expect(offered(text).map(([, line]) => line)).toEqual(["st.global.f32 [%rd3], %f1;"]);
  const used = text.replace("  ret;", "  st.global.f32 [%rd3], %f1;\n  ret;");
  expect(offered(used)).toEqual([["declare it first: .reg .f32 %g1;", ".reg .f32 %g1;"]]);
});

it("of several that could be meant names none", () => {
  const text = kernel(addresses.replace("add.s64 %rd3, %rd0, %rd2", "add.s64 %rd3, %rd1, %rd2"));
  expect(offered(text)).toEqual([]);
});

it("of a difference in an address is a sum with a negative constant", () => {
  const text = kernel("  ld.param.u64 %rd1, [out];\n  ld.global.f32 %f1, [%rd1-4];");
  expect(offered(text)).toEqual([["write `+-` and the constant", "ld.global.f32 %f1, [%rd1+-4];"]]);
});
