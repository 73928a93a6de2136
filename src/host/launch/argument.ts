import type { Parameter, Program } from "../../interp/contract/program.ts";
import { nearest } from "../../resolve/nearest.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { Buffer } from "../memory/buffer.ts";
import { fromValue, isElementType, writeBits } from "../memory/element.ts";
import { Multicast } from "../memory/multicast.ts";
import { ImageHandle } from "../memory/texture.ts";
import { problem } from "../problem.ts";

/**
 * The value of a kernel parameter: a number in the parameter's type (floats are rounded to nearest even), raw bits, a
 * buffer's address, a handle, or the bytes of an aggregate.
 */
export type Argument = number | bigint | Buffer | Multicast | ImageHandle | Uint8Array | { readonly bits: bigint };

/** All arguments by position, or by name. */
export type Arguments = readonly Argument[] | ReadonlyMap<string, Argument>;

/** The parameter block of a launch, laid out as the kernel declares it; problems are added to `diagnostics`. */
export function packArguments(program: Program, given: Arguments, diagnostics: Diagnostic[]): Uint8Array {
  const block = new Uint8Array(program.parameterBytes);
  const view = new DataView(block.buffer);
  const named = given instanceof Map ? (given as ReadonlyMap<string, Argument>) : undefined;
  const listed = named === undefined ? (given as readonly Argument[]) : [];
  const { parameters, source } = program;
  const count = `${parameters.length} parameter${parameters.length === 1 ? "" : "s"}`;

  for (const name of named?.keys() ?? []) {
    if (!parameters.some((parameter) => parameter.name === name)) {
      diagnostics.push(unknownParameter(program, name));
    }
  }
  if (listed.length > parameters.length) {
    diagnostics.push(problem("PTX2202", `${program.name} has ${count}, not ${listed.length}`));
  }
  parameters.forEach((parameter, index) => {
    const argument = named === undefined ? listed[index] : named.get(parameter.name);
    const at = { source, span: parameter.span };
    if (argument === undefined) {
      diagnostics.push(problem("PTX2205", `no argument for parameter ${parameter.name} (${index})`, at));
      return;
    }
    const trouble = place(parameter, argument, view);
    if (trouble !== undefined) {
      diagnostics.push(
        problem("PTX2206", `${parameter.name}: ${trouble.message}`, { ...at, expected: trouble.expected }),
      );
    }
  });
  return block;
}

/** A parameter that the kernel does not have, with the one that was probably meant. */
export function unknownParameter(program: Program, name: string): Diagnostic {
  const names = program.parameters.map((parameter) => parameter.name);
  const owner = program.name || "a snippet";
  if (name === "") {
    const message =
      names.length === 0 ? `${owner} has no parameters` : `every parameter of ${owner} has its value already`;
    return problem("PTX2202", message, names.length === 0 ? {} : { expected: names.join(", ") });
  }
  const meant = nearest(name, names);
  return problem("PTX2202", `${owner} has no parameter ${name}`, {
    ...(names.length === 0 ? {} : { expected: names.join(", ") }),
    help:
      meant !== undefined
        ? [{ message: `did you mean ${meant}?` }]
        : program.name === "" &&
            program.registers.some((each) => each.name.replace(/^%/, "") === name.replace(/^%/, ""))
          ? [{ message: `${name} is a register: -r ${name}=VALUE` }]
          : [],
  });
}

type Trouble = { readonly message: string; readonly expected: string } | undefined;

function place(parameter: Parameter, argument: Argument, view: DataView): Trouble {
  const { offset, bytes, type, aggregate } = parameter;
  if (argument instanceof Uint8Array) {
    if (argument.byteLength !== bytes) {
      return { message: `${argument.byteLength} bytes given for a parameter of ${bytes}`, expected: `${bytes} bytes` };
    }
    new Uint8Array(view.buffer, offset, bytes).set(argument);
    return undefined;
  }
  if (aggregate) return { message: "an aggregate takes bytes", expected: `a Uint8Array of ${bytes}` };
  if (argument instanceof Buffer || argument instanceof Multicast) {
    if (bytes !== 8 || !/^[bsu]\d/.test(type)) {
      return { message: `the address of a buffer does not fit a .${type}`, expected: ".b64, .u64 or .s64" };
    }
    writeBits(view, offset, bytes, argument.address);
    return undefined;
  }
  if (argument instanceof ImageHandle) {
    const { kind } = argument.object;
    if (bytes !== 8 || (!/^[bsu]\d/.test(type) && type !== kind)) {
      return { message: `a handle of a .${kind} does not fit a .${type}`, expected: `.${kind}, .b64, .u64 or .s64` };
    }
    writeBits(view, offset, bytes, argument.handle);
    return undefined;
  }
  const bits = typeof argument === "object" ? rawBits(argument.bits, bytes) : numberBits(argument, type);
  if (bits === undefined) {
    const shown = typeof argument === "object" ? `0x${argument.bits.toString(16)}` : String(argument);
    return { message: `${shown} is not a value of .${type}`, expected: `a .${type}` };
  }
  writeBits(view, offset, bytes, bits);
  return undefined;
}

const rawBits = (bits: bigint, bytes: number): bigint | undefined =>
  bits === BigInt.asUintN(bytes * 8, bits) ? bits : undefined;

const numberBits = (value: number | bigint, type: string): bigint | undefined =>
  isElementType(type) ? fromValue(value, type) : undefined;
