import type { Kernel } from "../../../src/host/index.ts";
import { Device } from "../../../src/host/index.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import { evaluate, typesOf } from "./evaluate.ts";
import { rowOf } from "./llvm.ts";
import { settled } from "./operation.ts";
import type { Plain, Program } from "./program.ts";
import { fromBytes, packed, toBytes, type Value } from "./type.ts";

/** A program with its inputs and what it must give. */
export interface Case {
  readonly program: Program;
  readonly input: Uint8Array;
  readonly expected: readonly (readonly Value[])[];
}

export const caseOf = (program: Program, input: Uint8Array): Case => ({
  program,
  input,
  expected: evaluate(program, input),
});

/** What a compiled program did. */
export type Outcome =
  | { readonly kind: "right" }
  | { readonly kind: "wrong"; readonly output: number; readonly thread: number; readonly got: bigint; readonly wanted: bigint } // biome-ignore format: one line
  /** It faulted, or its text is not valid. */
  | { readonly kind: "fault"; readonly code: string; readonly message: string };

/** Warp instructions after which a program hangs. */
const MOST_STEPS = 2_000_000;
/** What is in the outputs before. */
const BEFORE = 0xa5;

const fault = ({ code, message }: Diagnostic): Outcome => ({ kind: "fault", code, message });

/** The types of a program's outputs. */
export function outputsOf({ body, outputs }: Program): readonly Plain[] {
  const types = typesOf(body);
  return outputs.map((id) => types.get(id) as Plain);
}

/** Runs the programs of a module that was compiled; `failed` says why it is none. */
export function runModule(ptx: string, cases: readonly Case[]): readonly Outcome[] | { readonly failed: string } {
  const device = new Device();
  const { value: module, diagnostics } = device.module({ name: "hunt.ptx", text: ptx });
  const wrong = diagnostics.find(({ severity }) => severity === "error");
  if (module === undefined) return { failed: `${wrong?.code} ${wrong?.message}` };
  return cases.map((each) => {
    const { value: kernel, diagnostics } = module.kernel(each.program.name);
    return kernel === undefined ? fault(diagnostics[0] as Diagnostic) : runKernel(device, kernel, each);
  });
}

function runKernel(device: Device, kernel: Kernel, { program, input, expected }: Case): Outcome {
  const types = outputsOf(program);
  const row = rowOf(types);
  const given = device.buffer(input);
  const out = device.buffer(new Uint8Array(row.bytes * program.threads).fill(BEFORE));
  const parameters = program.parameters.map(({ type, value }, at) => {
    // Compilers differ in whether padding at the end is of the parameter.
    const bytes = new Uint8Array(kernel.program.parameters[at + 2]?.bytes ?? 0);
    bytes.set(toBytes(type, value).subarray(0, bytes.length));
    return bytes;
  });
  const { value: launched, diagnostics } = kernel.launch({
    grid: 1,
    block: program.threads,
    args: [given, out, ...parameters],
    maxSteps: MOST_STEPS,
    readableRegisters: false,
  });
  try {
    if (launched === undefined) return fault(diagnostics[0] as Diagnostic);
    const { stop } = launched;
    if (stop.reason === "trap") return fault(stop.diagnostic);
    if (stop.reason !== "exit") return { kind: "fault", code: stop.reason, message: `it ended by ${stop.reason}` };
    const bytes = out.read();
    for (let thread = 0; thread < program.threads; thread++)
      for (const [output, type] of types.entries()) {
        const value = fromBytes(type, bytes, thread * row.bytes + (row.offsets[output] ?? 0));
        const [got, wanted] = [packed(type, settled(type, value)), packed(type, expected[thread]?.[output] as Value)];
        if (got !== wanted) return { kind: "wrong", output, thread, got, wanted };
      }
    return { kind: "right" };
  } finally {
    given.free();
    out.free();
  }
}
