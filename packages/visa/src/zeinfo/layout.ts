import type { AddressMode, Sampler } from "../../../../src/interp/contract/image.ts";
import type { Diagnostic, Staged } from "../../../../src/source/diagnostic.ts";
import type { Source, Span } from "../../../../src/source/source.ts";
import { Malformed, type Node, readYaml } from "./yaml.ts";

/** How the launch of a kernel passes its inputs, as the `.zeinfo` that Intel's compiler writes beside a dump says. */
export interface Layout {
  readonly simd: number;
  /** Bytes of the payload that come in a register of their own, before the rest. */
  readonly inlineBytes: number;
  /** What all threads of a group are given. */
  readonly payload: readonly Part[];
  /** What each thread is given: ids of its work-items. */
  readonly perThread: readonly Part[];
  /** Arguments that the source names, by their number there. */
  readonly args: readonly SourceArgument[];
  /** The argument of each surface in the binding table. */
  readonly surfaces: readonly { readonly index: number; readonly argument: number }[];
  /** Samplers that the source defines, by their numbers. */
  readonly samplers: ReadonlyMap<number, Sampler>;
  /** Bytes of local memory that the kernel's own arrays take; those of arguments stand behind them. */
  readonly localBytes: number;
  /** Bytes of private memory of a thread, in memory that the launch allocates. */
  readonly privateBytes: number;
  readonly span: Span;
}

/** A part of the payload. */
export interface Part {
  /** `arg_bypointer`, `local_size` and the like. */
  readonly type: string;
  readonly offset: number;
  readonly size: number;
  /** Of which argument, and from which byte of it on. */
  readonly argument?: number;
  readonly from: number;
  readonly mode: string;
  readonly space: string;
  /** Of a sampler, its number. */
  readonly sampler: number;
  readonly span: Span;
}

export interface SourceArgument {
  readonly name: string;
  /** `float*`, `int`, `struct S`. */
  readonly type: string;
  readonly bytes: number;
}

/** The most arguments of a kernel. */
const MOST_ARGUMENTS = 1024;

const read = new WeakMap<Source, Staged<ReadonlyMap<string, Layout> | undefined>>();

/** The kernels of a `.zeinfo` by their names. */
export function layoutsIn(source: Source): Staged<ReadonlyMap<string, Layout> | undefined> {
  const known = read.get(source);
  if (known !== undefined) return known;
  const made = readLayouts(source);
  read.set(source, made);
  return made;
}

function readLayouts(source: Source): Staged<ReadonlyMap<string, Layout> | undefined> {
  try {
    const whole = readYaml(source);
    const misc = new Map(itemsOf(whole, "kernels_misc_info").map((each) => [wordOf(each, "name"), each]));
    const kernels = itemsOf(whole, "kernels");
    if (kernels.length === 0) throw new Malformed("no kernels", whole.span, "kernels:, and below it - name: of each");
    return {
      value: new Map(kernels.map((each) => [wordOf(each, "name"), layoutOf(each, misc.get(wordOf(each, "name")))])),
      diagnostics: [],
    };
  } catch (thrown) {
    if (!(thrown instanceof Malformed)) throw thrown;
    const { message, span, expected } = thrown;
    const diagnostic: Diagnostic = { code: "PTX8401", severity: "error", message, source, span, expected };
    return { value: undefined, diagnostics: [diagnostic] };
  }
}

function layoutOf(kernel: Node, misc: Node | undefined): Layout {
  const environment = fieldOf(kernel, "execution_env");
  const simd = numberOf(environment, "simd_size", 32);
  const payload = itemsOf(kernel, "payload_arguments").map(partOf);
  const memory = itemsOf(kernel, "per_thread_memory_buffers").filter((each) => wordOf(each, "type") === "global");
  return {
    simd,
    inlineBytes: numberOf(environment, "inline_data_payload_size", 0),
    payload,
    perThread: itemsOf(kernel, "per_thread_payload_arguments").map(partOf),
    args: argumentsOf(payload, misc),
    surfaces: itemsOf(kernel, "binding_table_indices").map((each) => ({
      index: numberOf(each, "bti_value"),
      argument: numberOf(each, "arg_index"),
    })),
    samplers: new Map(
      itemsOf(kernel, "inline_samplers").map((each) => [numberOf(each, "sampler_index"), samplerOf(each)]),
    ),
    localBytes: numberOf(environment, "slm_size", 0),
    privateBytes: memory.reduce(
      (all, each) => all + numberOf(each, "size") * (wordOf(each, "is_simt_thread") === "true" ? simd : 1),
      0,
    ),
    span: kernel.span,
  };
}

const modes: Readonly<Record<string, AddressMode>> = {
  none: "clamp_to_edge",
  repeat: "wrap",
  clamp_edge: "clamp_to_edge",
  clamp_border: "clamp_to_border",
  mirror: "mirror",
};

function samplerOf(node: Node): Sampler {
  const mode = modes[wordOf(node, "addrmode")] ?? "clamp_to_edge";
  return {
    address: [mode, mode, mode],
    filter: wordOf(node, "filtermode") === "linear" ? "linear" : "nearest",
    normalized: wordOf(node, "normalized") === "true",
    levels: { filter: "nearest", bias: 0, least: 0, most: Number.POSITIVE_INFINITY },
    border: [0, 0, 0, 0],
    seamless: false,
  };
}

function partOf(node: Node): Part {
  const argument = numberOf(node, "arg_index", -1);
  return {
    type: wordOf(node, "arg_type"),
    offset: numberOf(node, "offset", 0),
    size: numberOf(node, "size", 0),
    ...(argument < 0 ? {} : { argument }),
    from: numberOf(node, "source_offset", 0),
    mode: wordOf(node, "addrmode"),
    space: wordOf(node, "addrspace"),
    sampler: numberOf(node, "sampler_index", 0),
    span: node.span,
  };
}

/** With their names and types where the compiler gives them, else as large as the parts of the payload. */
function argumentsOf(payload: readonly Part[], misc: Node | undefined): readonly SourceArgument[] {
  const infos = new Map((misc ? itemsOf(misc, "args_info") : []).map((each) => [numberOf(each, "index"), each]));
  const count = 1 + Math.max(-1, ...infos.keys(), ...payload.map(({ argument = -1 }) => argument));
  if (count > MOST_ARGUMENTS)
    throw new Malformed(`argument ${count - 1}`, misc?.span ?? { start: 0, end: 0 }, `${MOST_ARGUMENTS} at most`);
  return Array.from({ length: count }, (_, at) => {
    const parts = payload.filter(({ argument }) => argument === at);
    const info = infos.get(at);
    const [type = "", bytes] = (info ? wordOf(info, "type_name") : "").split(";");
    const pointer = parts.some((each) => each.type === "arg_bypointer");
    const most = Math.max(
      0,
      ...parts.filter((each) => each.type === "arg_byvalue").map(({ from, size }) => from + size),
    );
    return {
      name: (info && wordOf(info, "name")) || `arg${at}`,
      type,
      // Small numbers stand in parts of four bytes.
      bytes: pointer ? 8 : Number(bytes) || most || 8,
    };
  });
}

const fieldOf = (node: Node | undefined, key: string): Node | undefined =>
  node?.kind === "map" ? node.entries.get(key) : undefined;

/** The items below a key; none where it is absent. */
function itemsOf(node: Node, key: string): readonly Node[] {
  const found = fieldOf(node, key);
  if (found === undefined || (found.kind === "word" && found.text === "")) return [];
  if (found.kind !== "list") throw new Malformed(`${key} is no list`, found.span, `${key}:, and below it lines with -`);
  return found.items;
}

/** The word behind a key; empty where there is none. */
function wordOf(node: Node, key: string): string {
  const found = fieldOf(node, key);
  return found?.kind === "word" ? found.text : "";
}

function numberOf(node: Node | undefined, key: string, otherwise?: number): number {
  const found = fieldOf(node, key);
  if (found === undefined && otherwise !== undefined) return otherwise;
  const text = found?.kind === "word" ? found.text : "";
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value) || Math.abs(value) > 2 ** 31)
    throw new Malformed(`${key} is no number`, (found ?? node)?.span ?? { start: 0, end: 0 }, `${key}: 8`);
  return value;
}
