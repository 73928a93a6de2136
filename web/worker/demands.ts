import type { Kernel, Module } from "../../src/host/index.ts";
import type { Operand } from "../../src/interp/contract/operand.ts";
import { writtenBy } from "../../src/interp/contract/plan/effects.ts";
import type { Instruction, Program, Register } from "../../src/interp/contract/program.ts";
import { liveInOf } from "../../src/resolve/body/liveness.ts";
import type { Demand } from "../page/client.ts";

/** Elements of a buffer that is proposed. */
const ELEMENTS = 32;

/** What a launch asks for: parameters, registers that are read before they are written, and variables of the module. */
export function demandsOf({ program }: Kernel, module: Module | undefined): readonly Demand[] {
  const pointers = pointersOf(program);
  const isSnippet = program.name === "";
  let given = 0;
  const exampleOf = (type: string): string => sample(type, given++);
  const buffer = (type: string): string => `${type}x${ELEMENTS}:iota`;
  return [
    ...program.parameters.map(({ name, type, bytes, aggregate }): Demand => {
      const pointed = bytes === 8 && !aggregate ? pointers.parameters.get(name) : undefined;
      const example = aggregate
        ? `hex:${"00".repeat(bytes)}`
        : pointed === undefined
          ? exampleOf(type)
          : buffer(pointed);
      return { name, kind: "parameter", type: aggregate ? `b8[${bytes}]` : type, example };
    }),
    ...askedFor(program).map((register): Demand => {
      const pointed = register.bits === 64 ? pointers.registers.get(`${register.bank}${register.slot}`) : undefined;
      const { name, type } = register;
      return { name, kind: "register", type, example: pointed === undefined ? exampleOf(type) : buffer(pointed) };
    }),
    ...(isSnippet && program.carryIn !== undefined
      ? [{ name: "cc.cf", kind: "carry", type: "pred", example: "1" } as const]
      : []),
    ...(module?.variables ?? []).flatMap((name): readonly Demand[] => {
      // A parameter of vISA is a variable as well.
      if (program.parameters.some((each) => each.name === name)) return [];
      const bytes = module?.variable(name)?.bytes ?? 0;
      return bytes === 0 ? [] : [{ name, kind: "variable", type: `b8[${bytes}]`, example: `u32x${bytes >> 2}:iota` }];
    }),
  ];
}

/**
 * Registers that a launch has to give. A predicate of vISA is read as the mask that it is, which says nothing of what is read
 * first: it is asked for where no instruction writes it. Registers of the machine itself, with a percent sign, begin as it says.
 */
function askedFor(program: Program): readonly Register[] {
  if (program.dispatchSlot === undefined) return liveInOf(program).map(({ register }) => register);
  const written = new Set(
    program.code.flatMap(({ plan, operands }) =>
      operands.slice(0, writtenBy(plan)).map((operand) => operand !== undefined && "slot" in operand && operand.slot),
    ),
  );
  return program.registers.filter(({ name, across, slot }) => across && !name.startsWith("%") && !written.has(slot));
}

/** Values that differ, so that people see which one goes where. */
const floats = ["1.5", "2.5", "0.25", "4.0"];
const integers = ["6", "3", "5", "7"];

/** A value of a type, the `at`-th of a launch. */
function sample(type: string, at: number): string {
  const [one = "", other = ""] = [at, at + 1].map((each) => (/f\d/.test(type) ? floats : integers)[each % 4]);
  if (type === "pred") return "1";
  return type.endsWith("x2") ? `${one},${other}` : one;
}

/**
 * Parameters and registers from whose values addresses are made, and the type of what lies there. What a register holds is
 * followed in the order of the code, which is right for what compilers and people write.
 */
function pointersOf(program: Program) {
  /** By bank and slot: where the value came from. */
  const from = new Map<string, string>();
  const parameters = new Map<string, string>();
  const read = new Set<string>();
  const registers = new Map<string, string>(liveInOf(program).map(({ register }) => [slotKey(register), ""]));
  for (const key of registers.keys()) from.set(key, key);
  for (const instruction of program.code)
    follow(instruction, program, from, (origin, type, isRead) => {
      const found = origin.startsWith("=") ? parameters : registers;
      const name = origin.replace("=", "");
      if (isRead && found === parameters) read.add(name);
      if ((found.get(name) ?? "") === "") found.set(name, type);
    });
  for (const [key, type] of registers) if (type === "") registers.delete(key);
  return { parameters, registers, read };
}

/** Parameters behind which a kernel reads, as far as its code says so: what it makes is likelier behind the others. */
export const readParameters = (program: Program): ReadonlySet<string> => pointersOf(program).read;

const slotKey = ({ bank, slot }: { readonly bank: string; readonly slot: number }): string => `${bank}${slot}`;

function follow(
  { opcode, operands }: Instruction,
  program: Program,
  from: Map<string, string>,
  found: (origin: string, type: string, isRead: boolean) => void,
): void {
  const words = opcode.split(".");
  const [mnemonic = ""] = words;
  const [first, ...rest] = operands;
  const address = operands.find((each) => each?.kind === "address");
  const into = first?.kind === "slot" ? slotKey(first) : undefined;
  if (mnemonic === "ld" && words.includes("param") && address?.kind === "address") {
    const parameter = program.parameters.find(({ offset }) => BigInt(offset) === BigInt.asUintN(32, address.offset));
    if (into !== undefined && parameter !== undefined && address.base === undefined)
      from.set(into, `=${parameter.name}`);
    return;
  }
  if (address?.kind === "address" && address.base !== undefined) {
    const origin = from.get(slotKey(address.base));
    const type = words.findLast((word) => /^(?:[busf]|bf)\d+(?:x2)?$/.test(word));
    if (origin !== undefined && type !== undefined) found(origin, type, mnemonic !== "st" && mnemonic !== "red");
  }
  if (into === undefined || !/^(?:mov|cvta|add|mad|sub|shf|or)$/.test(mnemonic)) return;
  const origin = rest.map((each: Operand | undefined) => (each?.kind === "slot" ? from.get(slotKey(each)) : undefined));
  const one = origin.find((each) => each !== undefined);
  if (one !== undefined) from.set(into, one);
}
