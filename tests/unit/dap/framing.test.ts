import { describe, expect, it } from "vitest";
import { Framing, framed } from "../../../src/cli/dap/framing.ts";

/** What comes of bytes that come in as these pieces. */
function taken(pieces: readonly (string | Buffer)[]) {
  const messages: unknown[] = [];
  const refused: string[] = [];
  const framing = new Framing(
    (message) => messages.push(message),
    (why) => refused.push(why),
  );
  for (const piece of pieces) framing.push(Buffer.from(piece as string));
  return { messages, refused };
}

const two = framed({ a: 1 }) + framed({ b: "ä😀" });

describe("messages in a stream", () => {
  it("have a head with their length in bytes", () => {
    expect(framed({ b: "ä" })).toBe('Content-Length: 10\r\n\r\n{"b":"ä"}');
  });

  it("are taken however they are cut", () => {
    const bytes = Buffer.from(two);
    for (let at = 0; at <= bytes.length; at++)
      expect(taken([bytes.subarray(0, at), bytes.subarray(at)])).toEqual({
        messages: [{ a: 1 }, { b: "ä😀" }],
        refused: [],
      });
    expect(taken([...bytes].map((byte) => Buffer.from([byte]))).messages).toHaveLength(2);
  });

  it("may have more in their heads, in any case", () => {
    expect(taken(["content-type: x\r\nCONTENT-LENGTH:2\r\n\r\n{}"]).messages).toEqual([{}]);
  });

  it.each([
    ["no length", "Content-Type: x\r\n\r\n", /without Content-Length/],
    ["no JSON", "Content-Length: 2\r\n\r\n{x", /not JSON/],
    ["a length beyond all", "Content-Length: 999999999\r\n\r\n", /of 999999999 bytes/],
    ["no head", "x".repeat(9000), /without Content-Length/],
  ])("are refused with %s", (_, text, expected) => {
    const { messages, refused } = taken([text]);
    expect(messages).toEqual([]);
    expect(refused[0]).toMatch(expected);
  });

  it("behind one that is not JSON are taken", () => {
    expect(taken([`Content-Length: 1\r\n\r\n{${framed({ a: 1 })}`]).messages).toEqual([{ a: 1 }]);
  });
});
