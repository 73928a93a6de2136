import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../tests/share.ts";
import { decode, encode } from "../../page/link.ts";

const inputs = { entry: "", grid: "2,1", block: "32", values: { "%a": "u32x4:iota" }, race: true };

describe("a link", () => {
  it("holds everything, in characters that need no escape", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.dictionary(fc.string(), fc.string()), async (text, values) => {
        const project = { name: "k.ptx", text: text.toWellFormed(), inputs: { ...inputs, values: { ...values } } };
        const link = await encode(project);
        expect(link).toMatch(/^[\w-]+$/);
        expect(await decode(`#${link}`)).toEqual(project);
      }),
      { numRuns: draws(4, 40) },
    );
  });

  it("holds where somebody has left it, and leaves out what is no place", async () => {
    const project = { name: "k.ptx", text: "exit;\n", inputs };
    const left = { position: 7, focus: { block: 1, warp: 0, lane: 3 }, breakpoints: [1, 2] };
    expect(await decode(await encode({ ...project, left }))).toEqual({ ...project, left });
    const strange = { position: -1, focus: { block: 0, warp: 0, lane: 0 }, breakpoints: [] };
    expect(await decode(await encode({ ...project, left: strange }))).toEqual(project);
    const more = { ...left, breakpoints: [1, "2" as unknown as number, 2.5] };
    expect((await decode(await encode({ ...project, left: more })))?.left?.breakpoints).toEqual([1]);
  });

  it("of the first version is read, which has no place", async () => {
    const project = { name: "k.ptx", text: "exit;\n", inputs };
    const [, ...packed] = Buffer.from(await encode(project), "base64url");
    expect(await decode(Buffer.from([1, ...packed]).toString("base64url"))).toEqual(project);
  });

  it("is short for what repeats", async () => {
    const text = "add.u32 %r1, %r2, %r3;\n".repeat(1000);
    expect((await encode({ name: "k.ptx", text, inputs })).length).toBeLessThan(500);
  });

  it("is nothing where there is none", async () => {
    expect(await decode("")).toBeUndefined();
    expect(await decode("#")).toBeUndefined();
  });

  it.each(["#editor", "###", "A", "AA", "AQ", "AQAA", "%E2%82%AC", "AXicSy"])(
    "that is broken says so: %s",
    async (text) => {
      await expect(decode(text)).rejects.toThrow(/the link is broken/);
    },
  );

  it("that was cut anywhere says so", async () => {
    const link = await encode({ name: "k.ptx", text: "exit;\n", inputs });
    for (let length = 1; length < link.length; length++)
      await expect(decode(link.slice(0, length))).rejects.toThrow(/the link is broken/);
  });

  it("of a later version says so", async () => {
    await expect(decode(`Ax${"A".repeat(20)}`)).rejects.toThrow(/newer version/);
  });

  it("that would fill the memory says so", async () => {
    const json = new TextEncoder().encode(JSON.stringify({ name: "k.ptx", text: " ".repeat(2 ** 24), inputs }));
    const packed = new Blob([json]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = Buffer.concat([Buffer.from([1]), Buffer.from(await new Response(packed).arrayBuffer())]);
    // Not the project itself, which nobody wants to see compared.
    const said = await decode(bytes.toString("base64url")).then(
      () => "it was read",
      (error: Error) => error.message,
    );
    expect(said).toMatch(/the link is broken/);
  });

  it("without inputs has those of a program that is left alone", async () => {
    const packed = new Blob([JSON.stringify({ name: "a", text: "b", more: 1, inputs: { grid: 3 } })])
      .stream()
      .pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = Buffer.concat([Buffer.from([1]), Buffer.from(await new Response(packed).arrayBuffer())]);
    expect(await decode(bytes.toString("base64url"))).toEqual({
      name: "a",
      text: "b",
      inputs: { entry: "", grid: "", block: "", values: {}, race: false },
    });
  });
});
