import { describe, expect, it } from "vitest";
import { runSnippet } from "../../conformance/example.ts";
import { wrongInBody } from "./load.ts";

const declared = `.reg .b32 r, i; .reg .b64 q, a; .reg .f32 f; .reg .b16 h; .reg .pred p; .reg .b128 w;
.shared .align 16 .b32 s[8]; .local .b32 l;\n`;
const wrong = (text: string): string => wrongInBody(declared + text).join(" ");

describe("what an address, a policy and a vector may be", () => {
  it.each([
    ["ld.shared.u32 r, s[i];", ""],
    ["ld.shared.u32 r, s[i+1];", ""],
    ["st.shared.u32 s[q], r;", ""],
    ["ld.shared.u32 r, s[f];", "PTX1315"],
    ["ld.shared.u32 r, s[h];", "PTX1315"],
    ["ld.u32 r, [s+4];", ""],
    ["atom.add.u32 r, [s], 1;", ""],
    ["ld.shared.u32 r, [64];", "PTX1315"],
    ["ld.local.u32 r, [64];", ""],
    ["ld.shared.u32 {r}, [s];", ""],
    ["ld.shared.v2.u32 {_, r}, [s];", ""],
    ["ld.shared.v2.u32 {_, _}, [s];", "PTX1305"],
    ["cvta.shared.u64 q, a+8;", ""],
    ["cvta.shared.u64 q, a*8;", "PTX1101"],
    ["cvta.shared.u32 r, i;", "PTX1210"],
    ["add.u64 q, a+8, a;", ""],
    ["discard.global.L2 [a], 128;", ""],
    ["discard.global.L2 [a], 64;", "PTX1303"],
    ["createpolicy.fractional.L2::evict_last.b64 q, 0.5;", ""],
    ["createpolicy.fractional.L2::evict_last.b64 q, 0.0;", "PTX1303"],
    ["createpolicy.fractional.L2::evict_last.b64 q, -0.5;", "PTX1303"],
    ["createpolicy.fractional.L2::evict_last.b64 q, 2.0;", "PTX1303"],
    ["mov.b32 r, {i};", ""],
    ["mov.u32 r, {i};", "PTX1307"],
    ["mov.pred p, %is_explicit_cluster;", ""],
    ["ld.ca.L1::evict_first.u32 r, [a];", "PTX1207"],
    ["atom.global.dec.b64 q, [a], q;", "PTX1210"],
    ["atom.shared.add.L2::cache_hint.u32 r, [s], r, q;", "PTX1207"],
    ["atom.global.add.noftz.v8.f16x2 {r,r,r,r,r,r,r,r}, [a], {r,r,r,r,r,r,r,r};", "PTX1206"],
    ["red.global.exch.b32 [a], r;", "PTX1206"],
  ])("%s is %s", (text, code) => expect(wrong(text)).toBe(code));
});

describe("what it comes to", () => {
  it("counts elements of the array, not of the access", () => {
    const { registers } = runSnippet(
      ".shared .align 4 .b32 s[4]; .reg .b32 i, a, b; mov.b32 i, 2; st.shared.b32 s[i+1], 0x1234; ld.shared.u8 a, s[3]; ld.shared.u8 b, s[i+1];",
    );
    expect([registers.get("a"), registers.get("b")]).toEqual([[0x34n], [0x34n]]);
  });

  it("a generic instruction finds a shared and a local variable by name", () => {
    const { registers } = runSnippet(
      ".shared .b32 s; .local .b32 l; .reg .b32 a, b; st.b32 [s], 5; st.b32 [l], 6; ld.shared.b32 a, [s]; ld.local.b32 b, [l];",
    );
    expect([registers.get("a"), registers.get("b")]).toEqual([[5n], [6n]]);
  });

  it("a launch without clusters is in no explicit cluster", () => {
    const { registers } = runSnippet(
      ".reg .pred p; .reg .b32 d; mov.pred p, %is_explicit_cluster; selp.b32 d, 1, 2, p;",
    );
    expect(registers.get("d")).toEqual([2n]);
  });
});
