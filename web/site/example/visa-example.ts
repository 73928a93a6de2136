import type { Form } from "../../../packages/visa/src/index.ts";
import { type Example, hex, noInputs } from "./example.ts";

type Check = Form["check"][number];

/** The element types of vISA by PTX's names for them. */
const elements: Readonly<Record<string, string>> = {
  ud: "u32",
  d: "s32",
  uw: "u16",
  w: "s16",
  ub: "u8",
  b: "s8",
  uq: "u64",
  q: "s64",
  df: "f64",
  f: "f32",
  hf: "f16",
  bf: "bf16",
};
const signs = { neg: "(-)", abs: "(abs)", "neg-abs": "(-abs)", not: "(~)" };

/** One channel of an instruction: a variable for each operand, named as the line names it. Undefined where the check asks for another rounding. */
export function visaExample(form: Form, check: Check): Example | undefined {
  const { types, modifiers, relation, sat, sources, gives, cr0 } = check;
  if (cr0 !== undefined) return undefined;
  const names = types.map((_, at) => form.operands[at]?.name ?? `operand${at}`);
  const operands = names.map((name, at) => {
    const modifier = modifiers?.[at];
    return at < gives.length
      ? `${name}(0,0)<1>`
      : `${modifier === undefined ? "" : signs[modifier]}${name}(0,0)<0;1,0>`;
  });
  const opcode = [form.mnemonic, relation, sat && "sat"].filter((word) => word).join(".");
  // A source more than there are operands is the predicate that the instruction has before it.
  const chosen = sources[names.length - gives.length];
  const lines = [
    ".version 3.8",
    '.kernel "example"',
    ...types.map((type, at) => `.decl ${names[at]} v_type=G type=${type} num_elts=1`),
    ...(chosen === undefined ? [] : [".decl P v_type=P num_elts=1"]),
    `    ${chosen === undefined ? "" : "(P) "}${opcode} (M1, 1) ${operands.join(" ")}`,
    "    ret (M1, 1)",
    "",
  ];
  const read = names.slice(gives.length).map((name, at): [string, string] => [name, hex(sources[at] ?? 0)]);
  const typeOf = (at: number): string => elements[types[at] ?? ""] ?? "u32";
  return {
    project: {
      name: "example.visaasm",
      text: lines.join("\n"),
      inputs: {
        ...noInputs,
        values: { ...Object.fromEntries(read), ...(chosen === undefined ? {} : { P: String(chosen) }) },
      },
    },
    types: Object.fromEntries(names.map((name, at) => [name, typeOf(at)])),
    gives: gives.map((bits, at) => ({
      kind: "buffer",
      name: names[at] ?? "",
      type: typeOf(at),
      bits: [BigInt(bits)],
    })),
  };
}
