import { clusterOf } from "../../../../src/interp/contract/launch/cluster-rank.ts";
import type { Dim3 } from "../../../../src/interp/contract/launch/dim3.ts";
import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Program } from "../../../../src/interp/contract/program.ts";
import type { Source } from "../../../../src/source/source.ts";
import { demangle } from "../../../demangle/src/index.ts";
import { type Excerpt, nameOf } from "./choose.ts";
import type { Recorded, RecordedAccess, Recording } from "./recording.ts";

/** The launch that an excerpt is of. */
export interface Excerpted {
  readonly program: Program;
  /** Its name, and the options of its launch. */
  readonly kernel: string;
  readonly launch: string;
  readonly grid: Dim3;
  readonly cluster?: Dim3 | undefined;
  /** The name of what global memory a byte is in, and where that begins. */
  readonly rangeAt: (at: number) => { readonly name: string; readonly start: number } | undefined;
}

/** Bytes that accesses of the excerpt touch without a gap: a variable of the test. */
interface Place {
  readonly name: string;
  readonly at: number;
  readonly bytes: number;
  readonly space: "global" | "shared";
  readonly initial: bigint;
}

/** A register of the test, and what it holds in the run: undefined where a thread outside of the test wrote that. */
interface Read {
  readonly register: string;
  readonly strong: boolean;
  readonly value: bigint | undefined;
}

/**
 * An excerpt of a run as a litmus test in plain PTX: each thread's accesses, one after the other, with the values of the run.
 * It asks whether all weak reads return what they did, if the strong ones do.
 */
export function excerptAsLitmus(excerpt: Excerpt, recording: Recording, of: Excerpted): string {
  const { threads, events } = excerpt;
  const places = placesOf(events, recording, of);
  const placeOf = (access: RecordedAccess): Place =>
    places.find(({ at, bytes }) => at <= access.at && access.at + access.bytes <= at + bytes)!;
  const values = new Run(places);
  const reads: Read[] = [];
  const bodies = new Map(threads.map((thread) => [nameOf(thread), [] as string[]]));
  const counts = new Map<string, number>();
  const titles = new Map(threads.map((thread) => [nameOf(thread), titleOf(thread, of.grid)]));
  for (const event of events) {
    const body = bodies.get(nameOf(event.thread))!;
    if (event.kind === "fence") body.push(`fence.${event.sem}.${event.scope};`);
    else if (event.kind === "barrier") body.push(...barrierLines(event.of, event.id));
    else {
      const name = nameOf(event.thread);
      const count = counts.get(name) ?? 0;
      const read = event.how === "atomic" ? event.old : event.value;
      const gives = event.how !== "store" && read !== undefined;
      const { lines, registers } = accessLines(event, count, placeOf(event), gives, of.program);
      counts.set(name, count + registers.length);
      if (gives)
        for (const [at, register] of registers.entries()) {
          const bytes = event.bytes / registers.length;
          const from = event.at + at * bytes;
          const value = BigInt.asUintN(8 * bytes, read >> BigInt(8 * bytes * at));
          reads.push({
            register: `${titles.get(name)}:${register}`,
            strong: event.strong,
            value: values.at(from, bytes) === value ? value : undefined,
          });
        }
      if (event.how !== "load") values.write(event.at, event.bytes, event.value);
      body.push(...lines.slice(0, -1), `${lines.at(-1)} // line ${lineOf(event, of.program)}`);
    }
  }
  const out = [
    `//@ litmus ${of.kernel}`,
    `//@ "${titlesText([...titles.values()])} of ${of.kernel}, ${of.launch}"`,
    ...leftOut(excerpt, recording, reads, of.program).map((line) => `// Left out: ${line}.`),
    ...places.map(({ space, bytes, name, initial }) => declaration(space, bytes, name, initial)),
  ];
  const masked = events.some((event) => event.kind === "barrier" && event.of === "warp");
  for (const thread of threads) {
    const { block, warp, lane } = thread;
    const cluster = of.cluster === undefined ? block : clusterOf(block, of.grid, of.cluster);
    out.push(
      `//@ thread ${titles.get(nameOf(thread))} cta ${block} cluster ${cluster} warp ${warp}${masked ? ` lane ${lane}` : ""}`,
    );
    out.push(...bodies.get(nameOf(thread))!);
  }
  return `${[...out, ...claims(reads, places, values)].join("\n")}\n`;
}

/** What memory holds as the excerpt's own writes leave it. */
class Run {
  readonly #bytes: Map<number, bigint> = new Map();

  constructor(places: readonly Place[]) {
    for (const { at, bytes, initial } of places) this.write(at, bytes, initial);
  }

  write(at: number, bytes: number, value: bigint): void {
    for (let byte = 0; byte < bytes; byte++) this.#bytes.set(at + byte, (value >> BigInt(8 * byte)) & 0xffn);
  }

  at(at: number, bytes: number): bigint {
    let value = 0n;
    for (let byte = bytes - 1; byte >= 0; byte--) value = (value << 8n) | (this.#bytes.get(at + byte) ?? 0n);
    return value;
  }
}

/** Whether weak reads return what they did where strong ones do; without weak reads, what the run left where several write. */
function claims(reads: readonly Read[], places: readonly Place[], values: Run): string[] {
  const known = reads.filter(({ value }) => value !== undefined);
  const text = (all: readonly Read[]): string =>
    all.map(({ register, value }) => `${register} == ${value}`).join(" /\\ ");
  const [strong, weak] = [known.filter((read) => read.strong), known.filter((read) => !read.strong)];
  const last = places
    .filter(({ bytes }) => [1, 2, 4, 8].includes(bytes))
    .map(({ name, at, bytes }) => `${name} == ${values.at(at, bytes)}`);
  const claim = weak.length > 0 ? text(weak) : last.join(" /\\ ");
  return [...(strong.length === 0 ? [] : [`//@ filter ${text(strong)}`]), `//@ forall ${claim}`];
}

/** Variables for all bytes that are accessed, with what they held before the first access of the excerpt. */
function placesOf(events: readonly Recorded[], recording: Recording, of: Excerpted): Place[] {
  const accesses = events.filter((each) => each.kind === "access").sort((a, b) => a.at - b.at || b.bytes - a.bytes);
  const spans: { at: number; end: number; first: RecordedAccess }[] = [];
  for (const access of accesses) {
    const last = spans.at(-1);
    if (last !== undefined && access.at < last.end) last.end = Math.max(last.end, access.at + access.bytes);
    else spans.push({ at: access.at, end: access.at + access.bytes, first: access });
  }
  const taken = new Set<string>();
  const firsts = new Set(events);
  const earlier = new Run([]);
  const touched = new Set<number>();
  for (const each of recording.all) {
    if (each.kind !== "access") continue;
    if (firsts.has(each)) break;
    if (each.how === "load") continue;
    earlier.write(each.at, each.bytes, each.value);
    for (let byte = each.at; byte < each.at + each.bytes; byte++) touched.add(byte);
  }
  return spans.map(({ at, end, first }) => {
    let initial = 0n;
    for (let byte = end - 1; byte >= at; byte--)
      initial = (initial << 8n) | (touched.has(byte) ? earlier.at(byte, 1) : recording.before(byte, 1));
    return { name: fresh(placeName(first, of), taken), at, bytes: end - at, space: first.space, initial };
  });
}

/** `data`, `data_12` for its byte 12, `s_4` in shared memory. */
function placeName({ space, address, at }: RecordedAccess, { program, rangeAt }: Excerpted): string {
  const variable =
    space === "shared"
      ? program.variables.find(
          (each) => each.space === "shared" && each.offset <= address && address < each.offset + each.bytes,
        )
      : undefined;
  const range = space === "shared" ? undefined : rangeAt(at);
  const offset = variable !== undefined ? address - variable.offset : range !== undefined ? at - range.start : address;
  const written = variable?.name ?? range?.name ?? space;
  const name = (demangle(written)?.name.split("::").at(-1) ?? written).replaceAll(/\W/g, "_").replace(/^(?=\d)/, "_");
  return offset === 0 ? name : `${name}_${offset}`;
}

function fresh(name: string, taken: Set<string>): string {
  let free = name;
  for (let more = 2; taken.has(free); more++) free = `${name}__${more}`;
  taken.add(free);
  return free;
}

function declaration(space: string, bytes: number, name: string, initial: bigint): string {
  const single = [1, 2, 4, 8].includes(bytes);
  const size = single ? `.b${8 * bytes} ${name}` : `.align 16 .b8 ${name}[${bytes}]`;
  if (initial === 0n || space === "shared") return `.${space} ${size};`;
  const list = Array.from({ length: bytes }, (_, byte) => (initial >> BigInt(8 * byte)) & 0xffn);
  return `.${space} ${size} = ${single ? initial : `{${list.join(", ")}}`};`;
}

const barrierLines = (of: "block" | "cluster" | "warp", id: number): string[] =>
  of === "block"
    ? [`barrier.sync ${id};`]
    : of === "cluster"
      ? ["barrier.cluster.arrive;", "barrier.cluster.wait;"]
      : [`bar.warp.sync 0x${id.toString(16)};`];

const OPCODE =
  /^(ld|st|atom|red)((?:\.(?:weak|volatile|relaxed|acquire|release|acq_rel|mmio|cta|cluster|gpu|sys))*)(?:\.(?:global|shared)(?:::\w+)?)?(.*)$/;

/** An access by its own opcode on the test's variable, with the values of the run. */
function accessLines(
  access: RecordedAccess,
  first: number,
  { name, at }: Place,
  gives: boolean,
  program: Program,
): { readonly lines: readonly string[]; readonly registers: readonly string[] } {
  const { text } = program.source;
  const { span } = program.code[access.pc]!;
  const written = text.slice(span.start, span.end).replace(/^@!?\S+\s+/, "");
  const [, kind = "", manner = "", rest = ""] = OPCODE.exec(written.split(/\s/)[0]!) ?? [];
  const modifiers = rest.replaceAll(/\.\w*::\w+(?:::\w+)?/g, "").replace(/;$/, "");
  const count = Number(/\.v([248])\b/.exec(modifiers)?.[1] ?? 1);
  const bits = (8 * access.bytes) / count;
  const place = `[${name}${access.at === at ? "" : `+${access.at - at}`}]`;
  const list = (all: readonly string[]): string => (count === 1 ? all[0]! : `{${all.join(", ")}}`);
  if (kind === "ld" || kind === "st") {
    const opcode = `${kind}${manner}.${access.space}${modifiers.replace(/\.\w+$/, `.b${bits}`)}`;
    const values = Array.from({ length: count }, (_, i) =>
      String(BigInt.asUintN(bits, access.value >> BigInt(bits * i))),
    );
    if (kind === "st") return { lines: [`${opcode} ${place}, ${list(values)};`], registers: [] };
    const registers = values.map((_, i) => `r${first + i}`);
    return { lines: [`${opcode} ${list(registers)}, ${place};`], registers };
  }
  const opcode = `${kind}${manner}.${access.space}${modifiers}`;
  const isInteger = /\.[bsu](?:32|64|16)$/.test(modifiers);
  const inputs = access.inputs ?? [];
  const moves = isInteger ? [] : inputs.map((value, i) => `mov.b${bits} v${access.pc}_${i}, ${value};`);
  const operands = inputs.map((value, i) => (isInteger ? String(value) : `v${access.pc}_${i}`));
  const registers = gives ? [`r${first}`] : [];
  return { lines: [...moves, `${opcode} ${[...registers, place, ...operands].join(", ")};`], registers };
}

function leftOut(excerpt: Excerpt, recording: Recording, reads: readonly Read[], program: Program): string[] {
  const { source, code } = program;
  const lines = [...new Set([...recording.strange].map((pc) => source.position(code[pc]!.span.start).line))];
  const others = reads.filter(({ value }) => value === undefined).map(({ register }) => register);
  return [
    "other threads, computation, branches, and what values depend on: each store has the value of the run",
    ...(excerpt.alike > 0 ? [`${excerpt.alike} more times that these threads meet by the same instructions`] : []),
    ...(excerpt.more > 0 ? [`${excerpt.more} more pairs of instructions by which they meet`] : []),
    ...(others.length > 0 ? [`what ${others.join(", ")} read in the run: another thread wrote it`] : []),
    ...(lines.length > 0 ? [`what line ${lines.join(", ")} accesses: no plain load, store or atomic operation`] : []),
    ...(recording.full ? ["what comes behind the first million accesses"] : []),
  ];
}

const titleOf = ({ block, warp, lane }: ThreadId, [x, y, z]: Dim3): string =>
  x * y * z === 1 ? `T${32 * warp + lane}` : `B${block}T${32 * warp + lane}`;

const titlesText = (titles: readonly string[]): string =>
  `threads ${titles.slice(0, -1).join(", ")} and ${titles.at(-1)}`;

const lineOf = (
  { pc }: RecordedAccess,
  { source, code }: { readonly source: Source; readonly code: Program["code"] },
) => source.position(code[pc]!.span.start).line;
