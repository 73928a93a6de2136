import type { Io, Signal } from "../../../src/environment/io.ts";
import type { Slicing } from "../../../src/environment/slicing.ts";
import type { Store } from "../../../src/host/index.ts";
import type { Stop } from "../../../src/interp/contract/stop.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import { finalState, findBuffer, select } from "../../../src/launch/dump/dump.ts";
import { KeptOutput } from "../../../src/launch/dump/kept-output.ts";
import { carrierOf, type DumpView } from "../../../src/launch/dump/view.ts";
import { setUp } from "../../../src/launch/input/inputs.ts";
import type { Missing, NamedBuffer } from "../../../src/launch/input/launch-inputs.ts";
import { missingNotes } from "../../../src/launch/input/missing.ts";
import { launch } from "../../../src/launch/launch.ts";
import type { RunCommandOptions } from "../../../src/launch/options.ts";
import { type Loaded, load } from "../../../src/launch/program.ts";
import type { Tolerance } from "../../../src/launch/value/tolerance.ts";
import type { RegisterRow } from "../../../src/present/state.ts";
import { type Diagnostic, hasErrors } from "../../../src/source/diagnostic.ts";
import type { Source } from "../../../src/source/source.ts";
import type { Shard } from "../../../src/system/shard.ts";

/** What commander gives for `diff`. */
export interface DiffOptions extends Omit<RunCommandOptions, "jobs"> {
  readonly batch?: string;
  /** Every how-many-th pair is compared, and the first of them. */
  readonly shard?: Shard;
  /** Threads that compare at the same time. */
  readonly jobs?: number;
  /** Only whether they differ. */
  readonly outputsOnly?: boolean;
  readonly tolerance?: Tolerance;
  /** As many launches as this, inferred from the first text, each with other inputs. */
  readonly random?: number;
}

/** Observes a run from its beginning: its session, and its output. */
export interface Watch {
  session(session: Session): void;
  print(text: string): void;
}

/** The options that both programs run with. */
export type SideOptions = DiffOptions & { readonly store?: Store };

/** One of two programs after its run; `ran` is absent when it did not run. */
export interface Side {
  readonly source: Source;
  readonly diagnostics: readonly Diagnostic[];
  readonly ran?: Ran;
}

export interface Ran {
  readonly kernel: string;
  readonly stop: Stop;
  readonly signal?: Signal;
  readonly steps: number;
  readonly printed: string;
  /** Buffers in the order of their parameters; what is compared of them. */
  readonly buffers: readonly NamedBuffer[];
  readonly variables: readonly Variable[];
  readonly registers: readonly PlacedRow[];
  readonly session: Session;
  /** Parameters that nobody has given a value. */
  readonly missing: readonly Missing[];
  /** All memory with a name: buffers by their place among the parameters, and variables of the module. */
  readonly named: readonly { readonly key: string; readonly address: bigint; readonly bytes: number }[];
}

/** A variable of the module, and whether the run has changed it. */
export interface Variable extends NamedBuffer {
  readonly changed: boolean;
}

/** A register of a thread, by its linear indices. */
export interface PlacedRow extends RegisterRow {
  readonly block: number;
  readonly thread: number;
}

/** Runs a program on a device of its own. */
export async function runSide(
  source: Source,
  options: SideOptions,
  io: Io,
  slicing: Slicing,
  watch?: Watch,
): Promise<Side> {
  const diagnostics: Diagnostic[] = [];
  const unable = (): Side => ({ source, diagnostics });
  const { value: loaded, diagnostics: rejected } = load(source, options, io.now);
  diagnostics.push(...rejected);
  if (loaded === undefined) return unable();
  const inputs = setUp(loaded, options, io, diagnostics);
  if (hasErrors(diagnostics)) return unable();
  const { selection, diagnostics: unknown } = select(options.dump ?? [], loaded, inputs);
  diagnostics.push(...unknown);
  if (hasErrors(diagnostics)) return unable();
  diagnostics.push(...missingNotes(inputs, loaded.kernel));
  const kept = new KeptOutput();
  const chosen = options.dump !== undefined;
  const variables = chosen ? [] : variablesOf(loaded);
  const launched = await launch(
    loaded.kernel,
    inputs,
    options,
    slicing,
    (text) => {
      kept.add(text);
      watch?.print(text);
    },
    (session) => watch?.session(session),
  );
  diagnostics.push(...launched.diagnostics);
  if (launched.value === undefined) return unable();
  const { stop, findings, session, signal } = launched.value;
  diagnostics.push(...findings, ...(stop.reason === "trap" ? [stop.diagnostic] : []));
  const { value: state, diagnostics: gone } = finalState(
    session,
    { registers: selection.registers === "changed" ? new Set() : selection.registers, buffers: [] },
    options,
    inputs.registers,
  );
  diagnostics.push(...gone);
  const registers = state.threads.flatMap(({ block, thread, registers }) =>
    registers.map((row) => ({ ...row, block, thread })),
  );
  const ran: Ran = {
    kernel: loaded.kernel.name,
    stop,
    steps: session.steps,
    printed: kept.text,
    session,
    registers,
    missing: inputs.missing.filter(({ kind }) => kind === "parameter"),
    ...(signal === undefined ? {} : { signal }),
    buffers: chosen ? selection.buffers.map(({ view, ...each }) => ({ ...each, ...as(view) })) : inputs.buffers,
    variables: variables.map(({ before, ...each }) => ({ ...each, changed: hasChanged(each, before) })),
    named: [
      ...inputs.buffers.map(({ buffer: { address, bytes } }, at) => ({ key: `#${at}`, address, bytes })),
      ...(loaded.module?.variables ?? []).flatMap((key) => {
        const variable = loaded.module?.variable(key);
        return variable === undefined ? [] : [{ key, address: variable.address, bytes: variable.bytes }];
      }),
    ],
  };
  return { source, diagnostics, ran };
}

/** The type of a dump view. */
const as = (view: DumpView | undefined) => (view?.type === undefined ? {} : { type: carrierOf(view.type) });

/** Bytes of a variable beyond which no copy is made to see whether it changes: it counts as changed. */
const MOST_COPIED = 2 ** 24;

const hasChanged = ({ buffer }: NamedBuffer, before: Uint8Array | undefined): boolean => {
  if (before === undefined) return true;
  const now = buffer.read();
  return before.some((byte, at) => byte !== now[at]);
};

/**
 * The variables of a module as they are now, in global and constant memory. Those of a vISA kernel are its registers: they are
 * results only where it has no parameters.
 */
function variablesOf(loaded: Loaded): readonly (NamedBuffer & { readonly before: Uint8Array | undefined })[] {
  const { simd, parameters } = loaded.kernel.program;
  const own = simd === undefined || parameters.length === 0 ? [] : [...simd.variables, ...simd.views];
  const registers = new Set(own.map(({ name }) => name));
  return (loaded.module?.variables ?? []).flatMap((name) => {
    const variable =
      name.startsWith("%") || registers.has(name) ? undefined : findBuffer(`global:${name}`, { buffers: [] }, loaded);
    if (variable === undefined) return [];
    const { buffer } = variable;
    return [{ ...variable, before: buffer.bytes <= MOST_COPIED ? buffer.read() : undefined }];
  });
}
