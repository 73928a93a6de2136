import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Device } from "../../../../src/host/index.ts";

interface Case {
  readonly id: number;
  readonly title: string;
  readonly instruction: string;
  readonly grf_bytes: 32 | 64;
  readonly exec_mask: string;
  readonly cr0: string;
  readonly decls: readonly {
    readonly name: string;
    readonly type: string;
    readonly num_elts: number;
    readonly alias?: string;
    readonly alias_offset?: number;
  }[];
  readonly predicates: Readonly<Record<string, string>>;
  readonly addresses: Readonly<Record<string, readonly { readonly var: string; readonly byte: number }[]>>;
  readonly inputs: Readonly<Record<string, readonly string[]>>;
  readonly expected: Readonly<Record<string, readonly string[]>>;
}

const data = join(import.meta.dirname, "../../../../tests/data/visa");
const cases = readFileSync(join(data, "add-cases.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Case);

/** Elements as hexadecimal digits, the highest first, to bytes with the lowest first. */
const bytesOf = (elements: readonly string[]): Uint8Array =>
  Uint8Array.from(
    elements.flatMap((digits) => (digits.match(/../g) ?? []).reverse().map((byte) => Number.parseInt(byte, 16))),
  );

const quietNaN = /^(?:7fc00000|7e00|7fc0|7ff8000000000000)$/;

function textOf({ decls, predicates, addresses, instruction }: Case): string {
  const lines = decls.map(({ name, type, num_elts, alias, alias_offset }) =>
    alias === undefined
      ? `.decl ${name} v_type=G type=${type} num_elts=${num_elts} align=GRF`
      : `.decl ${name} v_type=G type=${type} num_elts=${num_elts} alias=<${alias}, ${alias_offset}>`,
  );
  for (const name of Object.keys(predicates)) lines.push(`.decl ${name} v_type=P num_elts=32`);
  for (const [name, elements] of Object.entries(addresses))
    lines.push(`.decl ${name} v_type=A num_elts=${elements.length}`);
  // %cr0 is mentioned so that the host can set it.
  return `.version 3.8\n.kernel "case"\n${lines.join("\n")}\n    mov (M1_NM, 1) %null(0,0)<1> %cr0(0,0)<0;1,0>\n    ${instruction}\n    ret (M1, 1)\n`;
}

describe("worked cases of add", () => {
  it("has all of them", () => expect(cases).toHaveLength(41));

  it.each(cases)("$id: $title", (one) => {
    const { value: module, diagnostics } = new Device().module(textOf(one), { grf: one.grf_bytes });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    for (const [name, elements] of Object.entries(one.inputs)) module?.variable(name)?.write(bytesOf(elements));
    module?.variable("%cr0")?.write(bytesOf([one.cr0]));
    for (const [name, elements] of Object.entries(one.addresses)) {
      const words = elements.map(
        ({ var: variable, byte }) => (module?.variable(variable)?.address ?? 0n) + BigInt(byte),
      );
      module
        ?.variable(name)
        ?.write(bytesOf(words.map((word) => BigInt.asUintN(32, word).toString(16).padStart(8, "0"))));
    }
    const { value: kernel, diagnostics: wrong } = module?.kernel("case") ?? { diagnostics: [] };
    expect(wrong.filter(({ severity }) => severity === "error")).toEqual([]);
    const masks = { ...one.predicates, "%em": one.exec_mask };
    const registers = new Map(Object.entries(masks).map(([name, digits]) => [name, BigInt(`0x${digits}`)]));
    const { value: launch } = kernel?.launch({ registers }) ?? {};
    expect(launch?.stop).toEqual({ reason: "exit" });
    for (const [name, elements] of Object.entries(one.expected)) {
      const width = elements[0]?.length ?? 0;
      const bytes = module?.variable(name)?.read() ?? new Uint8Array();
      const got = elements.map((_, at) =>
        [...bytes.subarray((at * width) / 2, ((at + 1) * width) / 2)]
          .reverse()
          .map((byte) => byte.toString(16).padStart(2, "0"))
          .join(""),
      );
      expect(got).toEqual(elements);
    }
  });

  it("prints NaN as the quiet one without payload", () => {
    const all = cases.flatMap(({ expected }) => Object.values(expected).flat());
    expect(all.some((digits) => quietNaN.test(digits))).toBe(true);
  });
});
