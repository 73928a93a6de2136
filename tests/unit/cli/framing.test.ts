import { describe, expect, it } from "vitest";
import { Framing, framed, MAX_MESSAGE_BYTES } from "../../../src/system/framing.ts";

/** What comes of bytes that come in as these pieces. */
function taken(pieces: readonly (string | Buffer)[]) {
  const messages: unknown[] = [];
  const refused: string[] = [];
  let ended = false;
  const framing = new Framing(
    (message) => messages.push(message),
    (why, ends) => {
      refused.push(why);
      ended ||= ends;
    },
  );
  for (const piece of pieces) framing.push(Buffer.from(piece as string));
  return { messages, refused, ended };
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
        ended: false,
      });
    expect(taken([...bytes].map((byte) => Buffer.from([byte]))).messages).toHaveLength(2);
  });

  it("may have more in their heads, in any case", () => {
    expect(taken(["content-type: x\r\nCONTENT-LENGTH:2\r\n\r\n{}"]).messages).toEqual([{}]);
  });

  it.each([
    ["no length", "Content-Type: x\r\n\r\n", /without Content-Length/],
    ["another length", "X-Content-Length: 2\r\n\r\n", /without Content-Length/],
    ["an empty head", "\r\n\r\n", /without Content-Length/],
    ["an empty length", "Content-Length: \r\n\r\n", /not a number of bytes/],
    ["a length below zero", "Content-Length: -2\r\n\r\n", /not a number of bytes/],
    ["a length in other digits", "Content-Length: 0x2\r\n\r\n", /not a number of bytes/],
    ["a length and more", "Content-Length: 2, 2\r\n\r\n", /not a number of bytes/],
    ["two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n", /two Content-Lengths/],
    ["a byte too many", `Content-Length: ${MAX_MESSAGE_BYTES + 1}\r\n\r\n`, /of more than 16777216 bytes/],
    ["a length beyond all", `Content-Length: ${"9".repeat(400)}\r\n\r\n`, /of more than 16777216 bytes/],
    ["ten digits, the first nine of which are none", "Content-Length: 0000000009999999999\r\n\r\n", /of more than/],
    ["no head", "x".repeat(9000), /no end within 8192 bytes/],
  ])("are refused with %s, and all behind them", (_, text, expected) => {
    for (const pieces of [[text + two], [...text, two]]) {
      const { messages, refused, ended } = taken(pieces);
      expect(messages).toEqual([]);
      expect(refused).toEqual([expect.stringMatching(expected)]);
      expect(ended).toBe(true);
    }
  });

  it("behind one that is not JSON are taken", () => {
    expect(taken([`Content-Length: 2\r\n\r\n{x${framed({ a: 1 })}`])).toEqual({
      messages: [{ a: 1 }],
      refused: ["a message that is not JSON"],
      ended: false,
    });
    expect(taken([`Content-Length: 0\r\n\r\n${framed({ a: 1 })}`])).toEqual({
      messages: [{ a: 1 }],
      refused: ["a message that is not JSON"],
      ended: false,
    });
  });

  it("have at most 16 MB", () => {
    const head = `Content-Length: ${MAX_MESSAGE_BYTES}\r\n\r\n`;
    const bytes = Buffer.alloc(head.length + MAX_MESSAGE_BYTES, " ");
    bytes.write(`${head}{}`);
    expect(taken([bytes])).toEqual({ messages: [{}], refused: [], ended: false });
  });

  it("are copied once, however long they are and however small they are cut", () => {
    for (const length of [1 << 16, 1 << 20])
      for (const cut of [7, 4096, 1 << 22]) {
        const framing = new Framing(
          () => {},
          (why) => {
            throw new Error(why);
          },
        );
        const bytes = Buffer.from(framed({ text: "x".repeat(length) }));
        for (let at = 0; at < bytes.length; at += cut) framing.push(bytes.subarray(at, at + cut));
        // The piece in which a head ends may have come into the head.
        expect(framing.copied).toBeLessThanOrEqual(bytes.length + Math.min(cut, 8192));
      }
    // Of many small ones, the heads that two pieces share, and no more.
    let count = 0;
    const framing = new Framing(
      () => count++,
      () => {},
    );
    const bytes = Buffer.from(framed({ a: 1 }).repeat(4096));
    for (let at = 0; at < bytes.length; at += 1000) framing.push(bytes.subarray(at, at + 1000));
    expect(count).toBe(4096);
    expect(framing.copied).toBeLessThanOrEqual(2 * bytes.length);
  });
});
