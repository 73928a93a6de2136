import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Kind, MEMORY, MOST_READ, Reader, SOCKET, u32, u64, utf8, VERSION } from "../../../src/clients/protocol.ts";

const header = readFileSync(join(import.meta.dirname, "../../../native/protocol.h"), "utf8");

describe("the two sides of the protocol", () => {
  it("have the same kinds of messages", () => {
    const theirs = [...header.matchAll(/^ {2}MESSAGE_(\w+) = (\d+)/gm)].map(([, name = "", value]) => [
      name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      Number(value),
    ]);
    expect(Object.fromEntries(theirs)).toEqual(Kind);
  });

  it("have the same numbers", () => {
    const defined = new Map([...header.matchAll(/^#define (\w+) (.+)$/gm)].map(([, name, value]) => [name, value]));
    expect(
      ["PROTOCOL_VERSION", "SOCKET_DESCRIPTOR", "MEMORY_DESCRIPTOR"].map((name) => Number(defined.get(name))),
    ).toEqual([VERSION, SOCKET, MEMORY]);
    expect([defined.get("MOST_READ"), MOST_READ]).toEqual(["(1u << 30)", 1 << 30]);
  });
});

it("reads numbers and texts in the order in which they are written", () => {
  const payload = Buffer.concat([u32(0xffff_fffe), u32(7), u64(2n ** 64n - 3n), utf8("größer")]);
  const words = new Reader({ kind: 0, payload });
  expect([words.i32(), words.u32(), words.u64(), words.text()]).toEqual([-2, 7, 2n ** 64n - 3n, "größer"]);
  expect(() => new Reader({ kind: 0, payload: u32(1) }).u64()).toThrow(RangeError);
});
