import { Device, type Kernel } from "../../../../src/host/index.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../../../src/source/diagnostic.ts";
import { Source, type Span } from "../../../../src/source/source.ts";
import type { Initial, Placement } from "../../model/event.ts";
import { type Claim, defaultBound, type LitmusTest, type ReadOptions } from "../litmus-test.ts";
import { AddressMap, type Range } from "./address-map.ts";
import { bytesOf } from "./element.ts";
import { type Followed, follow } from "./follow.ts";
import { unsupported } from "./supported.ts";

/** The text of a thread: from its `//@ thread` line to the next one, or to the end. */
interface Section {
  readonly name: string;
  readonly words: readonly string[];
  /** Its line, and the text that follows. */
  readonly line: Span;
  readonly body: Span;
}

/** The content of the `//@` lines of a litmus test in plain PTX. */
interface Sections {
  readonly name: string;
  readonly description: string;
  readonly declarations: Span;
  readonly threads: readonly Section[];
  readonly claims: readonly Claim[];
  readonly filter: Span | undefined;
  readonly bound: number | undefined;
  readonly aliases: readonly { readonly name: string; readonly of: string; readonly span: Span }[];
  readonly initially: readonly {
    readonly thread: string;
    readonly register: string;
    readonly value: string;
    readonly span: Span;
  }[];
}

const mark = /^[ \t]*\/\/@ ?(.*)$/;

/** Reads the `//@` lines. */
function sectionsOf(source: Source, diagnostics: Diagnostic[]): Sections {
  const { text } = source;
  let name = "";
  const description: string[] = [];
  const heads: Omit<Section, "body">[] = [];
  const claims: Claim[] = [];
  let filter: Span | undefined;
  let bound: number | undefined;
  const aliases: Sections["aliases"][number][] = [];
  const initially: Sections["initially"][number][] = [];
  for (const line of linesOf(text)) {
    const found = mark.exec(text.slice(line.start, line.end));
    if (!found) continue;
    const said = (found[1] ?? "").trim();
    const [word = "", ...words] = said.split(/\s+/);
    const rest: Span = {
      start: line.start + text.slice(line.start, line.end).indexOf(word) + word.length,
      end: line.end,
    };
    const condition = trimmed(text, rest);
    switch (word) {
      case "litmus":
        name = words.join(" ");
        break;
      case "thread":
        heads.push({ name: words[0] ?? "", words: words.slice(1), line });
        break;
      case "exists":
      case "never":
      case "forall":
        claims.push({ kind: word, condition });
        break;
      case "filter":
        filter = condition;
        break;
      case "bound":
        if (/^[1-9]\d{0,3}$/.test(words[0] ?? "")) bound = Number(words[0]);
        else refuse(line, "the bound is not a number of rounds", "//@ bound 4");
        break;
      case "alias":
        if (words.length === 2) aliases.push({ name: words[0] as string, of: words[1] as string, span: line });
        else refuse(line, "an alias has a name, and the name of a variable", "//@ alias y x");
        break;
      case "initially": {
        const [, thread, register, value] = /^(\w+) ?: ?([\w%$.]+) ?= ?(\S+)$/.exec(words.join(" ")) ?? [];
        if (thread && register && value) initially.push({ thread, register, value, span: line });
        else refuse(line, "this gives no register a value", "//@ initially P0:r0 = 1");
        break;
      }
      default:
        if (said.startsWith('"')) description.push(said.replace(/^"/, "").replace(/"$/, ""));
        else
          refuse(
            line,
            `${word === "" ? "an empty line" : word} is not part of a litmus test`,
            "litmus, thread, exists, never, forall, filter, bound, alias or initially",
          );
    }
  }
  const threads = heads.map((head, i) => ({
    ...head,
    body: { start: head.line.end, end: heads[i + 1]?.line.start ?? text.length },
  }));
  const declarations = { start: 0, end: threads[0]?.line.start ?? text.length };
  return { name, description: description.join(" "), declarations, threads, claims, filter, bound, aliases, initially };

  function refuse(span: Span, message: string, expected: string): void {
    diagnostics.push({ code: "PTX1918", severity: "error", message, source, span: trimmed(text, span), expected });
  }
}

function* linesOf(text: string): Generator<Span> {
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf("\n", start) < 0 ? text.length : text.indexOf("\n", start);
    yield { start, end };
    start = end + 1;
  }
}

function trimmed(text: string, { start, end }: Span): Span {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text.charAt(from))) from++;
  while (to > from && /\s/.test(text.charAt(to - 1))) to--;
  return { start: from, end: to };
}

/** The start of each thread's text where the test states no version and target. */
const head = ".version 9.0\n.target sm_90a\n.address_size 64\n";

/** A thread's text as a separate module, and the result of loading it. */
interface Loaded {
  readonly section: Section;
  readonly placement: Placement;
  readonly kernel: Kernel;
  readonly ranges: readonly Range[];
  readonly shift: number;
  /** The initial value of a variable, by name. */
  readonly bytes: (name: string) => Uint8Array | undefined;
}

/** Reads a litmus test in plain PTX; undefined, with diagnostics, where it has an error. */
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
    const named = placementOf(section, index, source, diagnostics);
    const before = loaded.map(({ placement }) => placement);
    const placement = named && seated(named, index, before);
    const one = placement && load(source, sections, section, placement, diagnostics);
    if (one) loaded.push(one);
  }
  if (hasErrors(diagnostics))
    return { value: undefined, diagnostics: diagnostics.filter(({ severity }) => severity === "error") };
  const placements = loaded.map(({ placement }) => placement);
  const bound = options.bound ?? sections.bound ?? defaultBound;
  const ranges = withAliases(loaded[0]?.ranges ?? [], sections, refuse);
  const places = new AddressMap(ranges, placements);
  const initial = initialOf(loaded, places);
  const addresses = new Map(ranges.map(({ name, start }) => [name, BigInt(start)]));
  const registers = new Map(loaded.map(({ section, kernel }) => [section.name, namesOf(kernel)]));
  const first = new Map<string, Map<string, bigint>>();
  for (const { thread, register, value, span } of sections.initially) {
    const number = /^-?(?:0x[\da-f]+|\d+)$/i.test(value) ? signed(value) : addresses.get(value.replace(/^&/, ""));
    if (number === undefined)
      refuse("PTX1918", `${value} is not a value`, "a number, or a variable for its address", span);
    else if (!registers.get(thread)?.has(register))
      refuse("PTX1902", `there is no register ${thread}:${register}`, "a register of one of the threads", span);
    else first.set(thread, (first.get(thread) ?? new Map()).set(register, number));
  }
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const threads = loaded.map(({ section, placement, kernel, shift }, index) => {
    const { name } = section;
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
      specials: specialsOf(placement, places),
      inputs: { registers: new Map(given) },
    };
    const body = source.text
      .slice(section.body.start, section.body.end)
      .replaceAll(/\/\/.*|\s+/g, " ")
      .trim();
    const code = asksWhere.test(body) ? {} : { code: `${body} ${given}` };
    return { ...follow(followed, index), ...code };
  });
  const { name, description, claims, filter } = sections;
  return {
    value: {
      name,
      description,
      source,
      litmus: { threads, initial, ...(options.model && { model: options.model }) },
      claims,
      ...(filter ? { filter } : {}),
      bound,
      addresses,
      registers,
    },
    diagnostics: [],
  };
}

/** Special registers by which threads tell apart where they run. */
const asksWhere = /%(?:ctaid|laneid|tid|warpid|cluster|lanemask|smid|gridid)/;

const signed = (text: string): bigint => (text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text));

/** The registers of a thread, with and without their percent sign. */
const namesOf = ({ program }: Kernel): Set<string> =>
  new Set(program.registers.flatMap(({ name }) => [name, name.replace(/^%/, "")]));

/** `cta 0 cluster 0 gpu 0`: by default each thread is a separate block, each block a cluster, all on one device. */
function placementOf(
  { name, words, line }: Section,
  index: number,
  source: Source,
  diagnostics: Diagnostic[],
): Placement | undefined {
  const numbers = new Map<string, number>();
  for (let i = 0; i < words.length; i += 2) {
    const [word = "", number = ""] = words.slice(i, i + 2).map((each) => each.replace(/,$/, ""));
    if (!/^(?:cta|cluster|gpu|warp|lane)$/.test(word) || !/^\d{1,4}$/.test(number)) {
      const message = `${word} ${number}`.trim();
      diagnostics.push({
        code: "PTX1918",
        severity: "error",
        message: `${message} is not a place`,
        source,
        span: line,
        expected: "cta N, cluster N, gpu N, warp N or lane N",
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
  const warp = numbers.get("warp");
  const cluster = numbers.get("cluster") ?? 1_000_000 + cta;
  const lane = numbers.get("lane");
  return {
    block: cta,
    cluster,
    gpu: numbers.get("gpu") ?? 0,
    ...(warp !== undefined && { warp }),
    ...(lane !== undefined && { lane }),
  };
}

/** A placement with its warp and its lane: a thread that names no warp is one, and by default it is the next lane of its warp. */
function seated(placement: Placement, index: number, before: readonly Placement[]): Placement {
  const { gpu, cluster, block, warp = -1 - index } = placement;
  const others = before.filter(
    (each) => each.gpu === gpu && each.cluster === cluster && each.block === block && each.warp === warp,
  );
  const next = others.reduce((least, { lane = -1 }) => Math.max(least, lane + 1), 0);
  return { ...placement, warp, lane: placement.lane ?? next };
}

/** Special registers that depend on the thread's position. */
const specialsOf =
  (placement: Placement, places: AddressMap) =>
  (name: string): number | undefined => {
    const blocks = places.ranks(placement);
    switch (name) {
      case "ctaid.x":
        return placement.block;
      case "laneid":
        return placement.lane;
      case "cluster_ctarank":
        return blocks.findIndex(({ block }) => block === placement.block);
      case "cluster_nctarank":
        return blocks.length;
      default:
        return undefined;
    }
  };

/**
 * Instructions behind a thread's end that name all shared memory, so that it lies where that of other threads does.
 * `declares`: the thread declares its registers.
 */
function naming(declarations: string, declares: boolean): string {
  const names = [...declarations.matchAll(/^[ \t]*\.shared\b[^;\n]*?\.\w+[ \t]+([\w$%]+)[ \t]*(?:\[|;)/gm)];
  if (names.length === 0) return "";
  const moves = names.map(([, name]) => `mov.b64 address_of, ${name};`);
  return `exit;\n${declares ? "{ .reg .b64 address_of; " : ""}${moves.join(" ")}${declares ? " }" : ""}\n`;
}

/** The declarations and one thread as a module, in which every offset is the test's plus `shift`. */
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
  const module = new Source(
    source.name,
    `${front}${shared}${before.join("")}${line}${body}\n${naming(shared, /^[ \t]*\.reg\b/m.test(body))}}\n`,
  );
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

/** Initial memory: global memory once, shared memory for each block. */
function initialOf(loaded: readonly Loaded[], places: AddressMap): Initial[] {
  const initial = new Map<number, Initial>();
  for (const { placement, bytes } of loaded)
    for (const { location, range, offset } of places.elements(placement)) {
      const held = range.space === "global" ? bytes(range.name)?.subarray(offset, offset + range.element) : undefined;
      const value = [...(held ?? [])].reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
      if (!initial.has(location.at)) initial.set(location.at, { location, value });
    }
  return [...initial.values()];
}
