import { describe, expect, it } from "vitest";
import { jsonText } from "../../../src/present/json.ts";

describe("JSON for a terminal", () => {
  it("holds no character that does something to it, and is read back the same", () => {
    const value = { "\u001b[31m": ["\u007f\u0085\u009b\u200e\u2028\u202e\u2066\ufeff", "größe 値"] };
    const text = jsonText(value, 2);
    expect(JSON.parse(text)).toEqual(value);
    expect(text).toContain('"\\u007f\\u0085\\u009b\\u200e\\u2028\\u202e\\u2066\\ufeff"');
    expect(text).toContain("größe 値");
  });
});
