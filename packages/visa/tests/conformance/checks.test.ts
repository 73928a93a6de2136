import { describe, expect, it } from "vitest";
import { Device } from "../../../../src/host/index.ts";
import { forms } from "../../src/index.ts";
import type { Check, Form } from "../../src/isa/define.ts";

const bytesIn: Readonly<Record<string, number>> = {
  ud: 4,
  d: 4,
  uw: 2,
  w: 2,
  ub: 1,
  b: 1,
  uq: 8,
  q: 8,
  df: 8,
  f: 4,
  hf: 2,
  bf: 2,
};

const little = (value: number | bigint, bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, at) => Number((BigInt(value) >> BigInt(8 * at)) & 0xffn));

/** Runs one channel of an instruction on the machine, by its text, and gives what its destinations hold. */
function run(form: Form, check: Check): bigint[] {
  const names = check.types.map((_, at) => `X${at}`);
  const written = form.operands.filter((each) => each.written).length;
  const signs = { neg: "(-)", abs: "(abs)", "neg-abs": "(-abs)", not: "(~)" };
  const operands = names.map((name, at) => {
    const modifier = check.modifiers?.[at];
    return at < written ? `${name}(0,0)<1>` : `${modifier === undefined ? "" : signs[modifier]}${name}(0,0)<0;1,0>`;
  });
  const guard = form.mnemonic === "sel" ? "(P) " : "";
  const opcode = [form.mnemonic, ...(check.relation ? [check.relation] : []), ...(check.sat ? ["sat"] : [])].join(".");
  const declared = check.types.map((type, at) => `.decl X${at} v_type=G type=${type} num_elts=1`).join("\n");
  const text = `.version 3.8\n.kernel "k"\n${declared}\n.decl P v_type=P num_elts=1\n    ${guard}${opcode} (M1, 1) ${operands.join(" ")}\n`;
  const { value: module, diagnostics } = new Device().module(text);
  expect(diagnostics).toEqual([]);
  const sources = check.sources.slice(0, names.length - written);
  for (const [at, value] of sources.entries()) {
    const name = names[written + at] ?? "";
    module?.variable(name)?.write(little(value, bytesIn[check.types[written + at] ?? ""] ?? 0));
  }
  const kernel = module?.kernel("k").value;
  const chosen = check.sources[sources.length];
  const registers = new Map(chosen === undefined ? [] : [["P", BigInt(chosen)] as const]);
  expect(kernel?.launch({ registers }).value?.stop).toEqual({ reason: "exit" });
  return names.slice(0, written).map((name) => {
    const bytes = module?.variable(name)?.read() ?? new Uint8Array();
    return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  });
}

describe("vISA's table", () => {
  for (const form of forms) {
    it.each(
      form.check.map(
        (check) => [JSON.stringify(check, (_, each) => (typeof each === "bigint" ? `${each}` : each)), check] as const,
      ),
    )(`${form.mnemonic}: %s`, (_, check) => expect(run(form, check)).toEqual(check.gives.map(BigInt)));
  }

  it("has a worked check for every form that computes on elements", () => {
    const without = forms.filter(({ run, check }) => run !== undefined && check.length === 0);
    expect(without.map(({ mnemonic }) => mnemonic)).toEqual(["madw", "movs", "setp", "addr_add"]);
  });
});
