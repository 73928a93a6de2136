import { Device, type Kernel } from "../../host/index.ts";
import type { Initial, Placement } from "../../memory-model/event.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import { Source } from "../../source/source.ts";
import { defaultBound, type LitmusTest, type ReadOptions } from "../litmus-test.ts";
import { bytesOf } from "./element.ts";
import { type Followed, follow } from "./follow.ts";
import { Places, type Range } from "./places.ts";
import { type Section, type Sections, sectionsOf } from "./sections.ts";
import { unsupported } from "./supported.ts";

/** What each thread's text begins with where the test states no version and target. */
const head = ".version 9.0\n.target sm_90a\n.address_size 64\n";

/** A thread's text as a module of its own, and what came of it. */
interface Loaded {
  readonly section: Section;
  readonly placement: Placement;
  readonly kernel: Kernel;
  readonly ranges: readonly Range[];
  readonly shift: number;
  /** What a variable holds at first, by name. */
  readonly bytes: (name: string) => Uint8Array | undefined;
}

/** Reads a litmus test in plain PTX; undefined, with diagnostics, where something is wrong. */
export function readLitmus(source: Source, options: ReadOptions = {}): Staged<LitmusTest | undefined> {
  const diagnostics: Diagnostic[] = [];
  const sections = sectionsOf(source, diagnostics);
  const whole = { start: 0, end: Math.max(source.text.indexOf("\n"), 0) };
  const refuse = (code: Diagnostic["code"], message: string, expected: string, span = whole): void => {
    diagnostics.push({ code, severity: "error", message, source, span, expected });
  };
  if (sections.threads.length === 0) refuse("PTX1912", "the test has no threads", "//@ thread P0 cta 0");
  if (sections.claims.length === 0)
    refuse("PTX1903", "the test claims nothing", "//@ exists, never or forall, and a condition");
  const loaded: Loaded[] = [];
  for (const [index, section] of sections.threads.entries()) {
    const placement = placementOf(section, index, source, diagnostics);
    const one = placement && load(source, sections, section, placement, diagnostics);
    if (one) loaded.push(one);
  }
  if (hasErrors(diagnostics))
    return { value: undefined, diagnostics: diagnostics.filter(({ severity }) => severity === "error") };
  const placements = loaded.map(({ placement }) => placement);
  const bound = options.bound ?? sections.bound ?? defaultBound;
  const ranges = withAliases(loaded[0]?.ranges ?? [], sections, refuse);
  const places = new Places(ranges, placements);
  const initial = initialOf(loaded, places);
  const addresses = new Map(ranges.map(({ name, start }) => [name, BigInt(start)]));
  const registers = new Map(loaded.map(({ section, kernel }) => [section.name, namesOf(kernel)]));
  const first = new Map<string, Map<string, bigint>>();
  for (const { thread, register, value, span } of sections.initially) {
    const number = /^-?(?:0x[\da-f]+|\d+)$/i.test(value) ? signed(value) : addresses.get(value.replace(/^&/, ""));
    if (number === undefined)
      refuse("PTX1918", `${value} is no value`, "a number, or a variable for its address", span);
    else if (!registers.get(thread)?.has(register))
      refuse("PTX1902", `there is no register ${thread}:${register}`, "a register of one of the threads", span);
    else first.set(thread, (first.get(thread) ?? new Map()).set(register, number));
  }
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const threads = loaded.map(({ section: { name }, placement, kernel, shift }, index) => {
    const given = kernel.program.registers.flatMap(({ name: register, bits }): [string, bigint][] => {
      const value = first.get(name)?.get(register) ?? first.get(name)?.get(register.replace(/^%/, ""));
      return value === undefined ? [] : [[register, BigInt.asUintN(bits, value)]];
    });
    const followed: Followed = {
      name,
      placement,
      kernel,
      source,
      shift,
      places,
      bound,
      specials: specialsOf(placement),
      inputs: { registers: new Map(given) },
    };
    return follow(followed, index);
  });
  const { name, description, claims, filter } = sections;
  return {
    value: {
      name,
      description,
      source,
      litmus: { threads, initial },
      claims,
      ...(filter ? { filter } : {}),
      bound,
      addresses,
      registers,
    },
    diagnostics: [],
  };
}

const signed = (text: string): bigint => (text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text));

/** The registers of a thread, with and without their percent sign. */
const namesOf = ({ program }: Kernel): Set<string> =>
  new Set(program.registers.flatMap(({ name }) => [name, name.replace(/^%/, "")]));

/** `cta 0 cluster 0 gpu 0`: each thread is a block of its own unless told, each block a cluster, all on one device. */
function placementOf(
  { name, words, line }: Section,
  index: number,
  source: Source,
  diagnostics: Diagnostic[],
): Placement | undefined {
  const numbers = new Map<string, number>();
  for (let i = 0; i < words.length; i += 2) {
    const [word = "", number = ""] = words.slice(i, i + 2).map((each) => each.replace(/,$/, ""));
    if (!/^(?:cta|cluster|gpu)$/.test(word) || !/^\d{1,4}$/.test(number)) {
      const message = `${word} ${number}`.trim();
      diagnostics.push({
        code: "PTX1918",
        severity: "error",
        message: `${message} is no place`,
        source,
        span: line,
        expected: "cta N, cluster N or gpu N",
      });
      return undefined;
    }
    numbers.set(word, Number(number));
  }
  if (!/^[A-Za-z]\w*$/.test(name)) {
    diagnostics.push({
      code: "PTX1918",
      severity: "error",
      message: "the thread has no name",
      source,
      span: line,
      expected: "//@ thread P0",
    });
    return undefined;
  }
  const cta = numbers.get("cta") ?? index;
  return { block: cta, cluster: numbers.get("cluster") ?? 1_000_000 + cta, gpu: numbers.get("gpu") ?? 0 };
}

/** What special registers say that depend on the place. */
const specialsOf =
  ({ block }: Placement) =>
  (name: string): number | undefined =>
    name === "ctaid.x" ? block : undefined;

/** The declarations and one thread as a module, in which every offset is that of the test, plus `shift`. */
function load(
  source: Source,
  { declarations, threads }: Sections,
  section: Section,
  placement: Placement,
  diagnostics: Diagnostic[],
): Loaded | undefined {
  const { text } = source;
  const shared = text.slice(declarations.start, declarations.end);
  const states = /^[ \t]*\.version\b/m.test(shared);
  const front = states ? "" : head;
  const blank = (from: number, to: number): string => text.slice(from, to).replaceAll(/[^\n]/g, " ");
  const entry = ".entry t(){";
  const before = threads.slice(0, threads.indexOf(section)).map(({ line, body }) => blank(line.start, body.end));
  const line = `${entry}${" ".repeat(Math.max(section.line.end - section.line.start - entry.length, 0))}`;
  const body = text.slice(section.body.start, section.body.end);
  const module = new Source(source.name, `${front}${shared}${before.join("")}${line}${body}\n}\n`);
  const shift = front.length;
  const device = new Device({ maxMemory: 2 ** 24 });
  const { value, diagnostics: wrong } = device.module(module);
  const read = value?.kernel("t");
  const all = [...wrong, ...(read?.diagnostics ?? [])].filter(({ severity }) => severity === "error");
  for (const each of all)
    diagnostics.push({
      ...each,
      source,
      span: { start: each.span.start - shift, end: each.span.end - shift },
      related: [],
    });
  const kernel = read?.value;
  if (!value || !kernel || all.length > 0) return undefined;
  for (const each of unsupported(kernel.program))
    diagnostics.push({ ...each, source, span: { start: each.span.start - shift, end: each.span.end - shift } });
  const ranges = value.variables.flatMap((name): Range[] => {
    const buffer = value.variable(name);
    const element = bytesOf(value.typeOf(name) ?? "b8");
    return buffer ? [{ name, space: "global", start: Number(buffer.address), bytes: buffer.bytes, element }] : [];
  });
  for (const { name, space, type, offset, bytes } of kernel.program.variables)
    if (space === "shared") ranges.push({ name, space, start: offset, bytes, element: bytesOf(type) });
  return { section, placement, kernel, ranges, shift, bytes: (name) => value.variable(name)?.read() };
}

function withAliases(
  ranges: readonly Range[],
  { aliases }: Sections,
  refuse: (code: "PTX1918", message: string, expected: string, span: Sections["aliases"][number]["span"]) => void,
): Range[] {
  const result = [...ranges];
  for (const { name, of, span } of aliases) {
    const at = result.findIndex((range) => range.name === name);
    const target = ranges.find((range) => range.name === of);
    const known = result[at];
    if (!known || !target || known.bytes !== target.bytes || known.space !== target.space)
      refuse("PTX1918", `${name} cannot be another address of ${of}`, "two variables that are declared alike", span);
    else result[at] = { ...known, aliasOf: of };
  }
  return result;
}

/** What all memory holds at first: global memory once, shared memory for each block. */
function initialOf(loaded: readonly Loaded[], places: Places): Initial[] {
  const initial = new Map<number, Initial>();
  for (const { placement, bytes } of loaded)
    for (const { location, range, offset } of places.elements(placement)) {
      const held = range.space === "global" ? bytes(range.name)?.subarray(offset, offset + range.element) : undefined;
      const value = [...(held ?? [])].reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
      if (!initial.has(location.at)) initial.set(location.at, { location, value });
    }
  return [...initial.values()];
}
