import { describe, expect, it } from "vitest";
import { kindOfText } from "../../../src/host/index.ts";
import { Source } from "../../../src/source/index.ts";

describe("the kind of a text", () => {
  it.each([
    ["add.u32 a, b, c;", "snippet"],
    ["// .entry\nadd.u32 a, b, c;", "snippet"],
    [".entry k() { ret; }", "module"],
    [".version 8.0\n", "module"],
    ["add (M1, 16) V1(0,0)<1> V2(0,0)<1;1,0> V3(0,0)<1;1,0>", "vISA"],
    ['.kernel "k"\n.entry_of_nothing', "vISA"],
  ])("of %j is %s", (text, kind) => {
    expect(kindOfText(new Source("t", text))).toBe(kind);
  });

  it("is found by one look at a source, however often it is asked for", () => {
    let looks = 0;
    const source = new Source("t", "");
    Object.defineProperty(source, "text", {
      get: () => {
        looks += 1;
        return "add.u32 a, b, c;";
      },
    });
    expect(kindOfText(source)).toBe("snippet");
    const first = looks;
    expect(kindOfText(source)).toBe("snippet");
    expect([first > 0, looks]).toEqual([true, first]);
  });
});
