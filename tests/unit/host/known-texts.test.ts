import { describe, expect, it } from "vitest";
import { Device, type DeviceOptions, must, type SnippetOptions, type Text } from "../../../src/index.ts";
import { Source } from "../../../src/source/source.ts";

const kernel = (name: string, lines = 1): string =>
  `.visible .entry ${name}() { .reg .b32 %r<2>; ${"add.u32 %r1, %r1, 1;\n".repeat(lines)} ret; }\n`;
const module = (body: string): string => `.version 8.0\n.target sm_80\n.address_size 64\n${body}`;
const load = (text: Text, options: SnippetOptions = {}, device: DeviceOptions = {}) =>
  must(must(new Device(device).module(text, options)).kernel("k")).program;

describe("a text that was loaded before", () => {
  it("gives the same program on another device", () => {
    const text = module(kernel("k"));
    expect(load(`${text} `)).toBe(load(`${text} `));
    expect(load({ name: "a.ptx", text })).toBe(load({ name: "a.ptx", text }));
  });

  it("gives the same program as a snippet, and with options in turn", () => {
    const snippet = (target: string) => must(new Device().snippet("add.u32 a, 1, 2;", { target })).program;
    const [first, other] = [snippet("sm_80"), snippet("sm_90")];
    expect(other).not.toBe(first);
    expect([snippet("sm_80"), snippet("sm_90")]).toEqual([first, other]);
    expect(snippet("sm_80")).toBe(first);
  });

  it("gives the same program of vISA, by platform", () => {
    const visa =
      '.version 4.1\n.kernel "k"\n.decl V99 v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) V99(0,0)<1> 0x1:d\nret (M1, 1)\n';
    const one = (grf: 32 | 64) => must(new Device().module(visa, { grf } as SnippetOptions));
    expect(must(one(32).kernel("k")).program).toBe(must(one(32).kernel("k")).program);
    expect(must(one(64).kernel("k")).program).not.toBe(must(one(32).kernel("k")).program);
  });

  it("is another where its name, the target or the memory differ", () => {
    const text = ".version 8.0\n.entry k() { ret; }";
    const first = load({ name: "a.ptx", text }, { target: "sm_80" });
    expect(load({ name: "b.ptx", text }, { target: "sm_80" }).source.name).toBe("b.ptx");
    expect(load({ name: "a.ptx", text }, { target: "sm_90" }).target).toBe("sm_90");
    expect(load({ name: "a.ptx", text }, { target: "sm_80" }, { maxMemory: 2 ** 24 })).not.toBe(first);
  });

  it("is the user's own where it is a Source", () => {
    const [a, b] = [new Source("a.ptx", module(kernel("k"))), new Source("a.ptx", module(kernel("k")))];
    expect([load(a).source, load(b).source]).toEqual([a, b]);
    expect(load(a).source).toBe(a);
    expect(load(b).source).toBe(b);
  });

  it("is forgotten when many others were loaded since", () => {
    const text = module(kernel("k"));
    const first = load(text);
    for (let at = 0; at < 300; at++) load(`${text}// ${at}\n`);
    expect(load(text)).not.toBe(first);
  });

  it("gives the same mistakes", () => {
    const wrong = () => new Device().module(module(".global .b32 x[;")).diagnostics;
    expect(wrong().map(({ code }) => code)).toEqual(wrong().map(({ code }) => code));
    expect(wrong().length).toBeGreaterThan(0);
  });

  it("has no less room than a text that is loaded for the first time", () => {
    // Each kernel takes three quarters of what 4 MiB allow.
    const text = module(kernel("k", 1200) + kernel("l", 1200));
    const room = { maxMemory: 4 * 2 ** 20 };
    const codes = (name: string) =>
      must(new Device(room).module(text))
        .kernel(name)
        .diagnostics.map(({ code }) => code);
    expect([codes("k"), codes("l"), codes("k")]).toEqual([[], [], []]);
  });
});

it("says of a text what it says the first time, whatever it was read as before", () => {
  const text = "```ptx\n.version 8.0\n.entry k() { ret; }\n```\n";
  const codes = (target: string) => new Device().module(text, { target }).diagnostics.map(({ code }) => code);
  expect(codes("sm_80").length).toBeGreaterThan(0);
  expect([codes("sm_90"), codes("sm_80")]).toEqual([codes("sm_80"), codes("sm_80")]);
});
