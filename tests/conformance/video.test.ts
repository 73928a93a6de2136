import { describe, expect, test } from "vitest";
import { createSession, Memory } from "../../src/interp/index.ts";
import type { Form } from "../../src/isa/form/define.ts";
import type { Slot } from "../../src/isa/form/syntax.ts";
import { table } from "../../src/isa/table.ts";
import { parseSnippet } from "../../src/parser/index.ts";
import { resolveSnippet } from "../../src/resolve/index.ts";
import { newestVersion, showVersion } from "../../src/resolve/module/header/target.ts";
import { Source } from "../../src/source/source.ts";
import { scattered, spellings } from "./spellings.ts";
import { type Given, video } from "./video-oracle.ts";

const forms = table.find(({ name }) => name === "video")?.forms ?? [];

const corners = [
  0x0, 0x1, 0x2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff,
  0x8080_8080, 0x7f7f_7f7f, 0x7fff_8000, 0x8001_7ffe, 31, 32, 33, 0x1f20_2100, 0x2120_1f01, 0xffff_fffe,
].map(BigInt); // biome-ignore format: by size

const random = scattered(0x5eed_1234_9abcn);
const next = (below: number): number => Number((random.next().value as bigint) % BigInt(below));
const word = (): bigint =>
  next(3) === 0 ? BigInt.asUintN(32, random.next().value as bigint) : (corners[next(corners.length)] ?? 0n);

/** One operand as its place in the line allows it: with a selector or a sign, or without. */
function operandOf({ name, selector, minus }: Slot, at: number, plain: boolean): string {
  const register = name === "d" ? `d${at}` : name;
  if (plain) return register;
  const list = [...(selector?.choices ?? [])];
  const chosen = list.length > 0 && next(4) > 0 ? `.${list[next(list.length)]}` : "";
  return `${minus && next(3) === 0 ? "-" : ""}${register}${chosen}`;
}

/** Every spelling of a form, as it stands and twice with whatever selectors and signs chance picks. */
function textsOf(form: Form): string[] {
  return [...spellings(form)].flatMap(({ words, mods }) =>
    [true, false, false].flatMap((plain, at) => {
      const operands = form.slots.map((slot) => operandOf(slot, at, plain));
      const signs = operands.flatMap((operand, index) =>
        operand.startsWith("-") ? [[`-${form.slots[index]?.name}`, true] as const] : [],
      );
      const excluded = form.conflict({ ...mods, ...Object.fromEntries(signs) });
      return excluded ? [] : [`${words.join(".")} ${operands.join(", ")};`];
    }),
  );
}

/** Runs each text in 64 threads, every one with its own operands, and gives what differs from the oracle. */
function judge(texts: readonly string[]): string[] {
  const threads = 64;
  const rows = Array.from({ length: threads }, (): Given => ({ a: word(), b: word(), c: word() }));
  const lines = texts.map((text, at) => text.replace(/ d\d+/, ` d${at}`));
  const source = new Source("video", `.reg .b32 a, b, c;\n${lines.join("\n")}\nmov.b32 e, c;`);
  const { value: body } = parseSnippet(source);
  const { value: program, diagnostics } = resolveSnippet(source, body, {
    target: "sm_100a",
    version: showVersion(newestVersion),
  });
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  const session = createSession({
    program,
    memory: new Memory({ limit: 1 << 20 }),
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    parameters: new Uint8Array(0),
    addressOf: () => 0n,
  });
  const thread = (at: number) => ({ block: 0, warp: at >> 5, lane: at & 31 });
  rows.forEach((row, at) => {
    for (const [name, bits] of Object.entries(row)) session.writeRegister(thread(at), name, [bits]);
  });
  expect(session.run().reason).toBe("exit");
  const wrong: string[] = [];
  rows.forEach((row, at) => {
    const left = new Map(session.registers(thread(at)).map(({ name, bits }) => [name, bits[0]]));
    lines.forEach((line, index) => {
      const wanted = video(texts[index] ?? "", row);
      const got = left.get(`d${index}`);
      if (got !== wanted) wrong.push(`${line} ${row.a} ${row.b} ${row.c}: ${got}, not ${wanted}`);
    });
  });
  return wrong;
}

describe("every video instruction", () => {
  test("there are some", () => expect(forms.length).toBeGreaterThan(40));

  test.each(forms.map((form) => [form.syntax, form] as const))("%s", (_, form) => {
    const texts = textsOf(form);
    const chunks = Array.from({ length: Math.ceil(texts.length / 64) }, (_, at) => texts.slice(64 * at, 64 * at + 64));
    expect(chunks.flatMap((chunk) => judge(chunk)).slice(0, 10)).toEqual([]);
  });
});
