import type { Program } from "../../../../src/interp/contract/program.ts";
import type * as ast from "../../../../src/parser/ast.ts";
import { inOneWord, parseBody, parseSection, wasRepaired } from "../../../../src/parser/index.ts";
import {
  allFindings,
  betterReading,
  type Findings,
  findingsInFunction,
  findingsInSection,
  lacksNames,
} from "../../../../src/resolve/module/findings.ts";
import { calledIn } from "../../../../src/resolve/module/folded.ts";
import type { Needs } from "../../../../src/resolve/module/header/assumed-header.ts";
import { needsOf } from "../../../../src/resolve/module/header/needs.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../../../src/source/diagnostic.ts";
import { inOrder } from "../../../../src/source/in-order.ts";
import { LoadingStopped } from "../../../../src/source/loading.ts";
import { Source, type Span } from "../../../../src/source/source.ts";
import type { Settings } from "../settings.ts";
import { type Edit, growth, moved, touches } from "../text/edit.ts";
import { Reading } from "./reading.ts";
import { isSyntaxError, lintModule } from "./whole.ts";

/**
 * A function or a section of the text, with cached facts that hold until an edit touches it. They follow from its text
 * alone, except the findings, which are dropped when something that they depend on has changed.
 */
export interface Part extends Span {
  /** The findings of `lint`; their spans are those of the current text. */
  readonly findings?: Findings | undefined;
  /** The first name that is declared nowhere: the findings depend on these, which other bodies call. */
  readonly lacks?: string | undefined;
  /** The parser's diagnostics, computed where the module's own syntax is wrong. */
  readonly syntax?: readonly Diagnostic[] | undefined;
  /** The names of the functions that it calls. */
  readonly called?: readonly string[] | undefined;
  /** The header that it needs, where the text states none. */
  readonly needs?: Needs | undefined;
}

/** The part after an edit that does not touch it: all its offsets move. */
export function movedPart(part: Part, edit: Edit): Part {
  const whole = part.start >= edit.end ? growth(edit) : 0;
  const place = ({ start, end }: Span): Span => {
    if (start >= part.start && end <= part.end) return { start: start + whole, end: end + whole };
    const from = moved(start, edit);
    return { start: from, end: Math.max(from, moved(end, edit)) };
  };
  const { findings, syntax } = part;
  // A diagnostic before the edit that does not refer to anything after it stays unchanged.
  if (whole === 0 && !findings?.diagnostics.some(hasRelated)) return part;
  return {
    ...part,
    start: part.start + whole,
    end: part.end + whole,
    findings: findings && {
      diagnostics: findings.diagnostics.map((each) => movedDiagnostic(each, place)),
      gaps: findings.gaps.map((gap) => ({ ...gap, span: place(gap.span) })),
    },
    syntax: syntax?.map((each) => movedDiagnostic(each, place)),
  };
}

const hasRelated = ({ related }: Diagnostic): boolean => related !== undefined;

function movedDiagnostic(diagnostic: Diagnostic, place: (span: Span) => Span): Diagnostic {
  const { related, help } = diagnostic;
  return {
    ...diagnostic,
    span: place(diagnostic.span),
    ...(related && { related: related.map((each) => ({ ...each, span: place(each.span) })) }),
    ...(help && {
      help: help.map((each) =>
        each.replace === undefined ? each : { ...each, replace: { ...each.replace, span: place(each.replace.span) } },
      ),
    }),
  };
}

/** A diagnostic of an earlier text as one of this text, with its spans already adjusted. */
export const inSource = (source: Source, diagnostic: Diagnostic): Diagnostic =>
  diagnostic.source === source
    ? diagnostic
    : {
        ...diagnostic,
        source,
        ...(diagnostic.related && { related: diagnostic.related.map((each) => ({ ...each, source })) }),
      };

/** The items of a module that have findings of their own. */
type Item = ast.Section | (ast.Func & { readonly body: Span });

const isPart = (item: ast.Item): item is Item =>
  item.kind === "section" || (item.kind === "function" && item.body !== undefined);

/** Cached facts about the functions and sections of a text while it is edited. */
export class Parts {
  #byStart = new Map<number, Part>();

  /**
   * Drops the parts that an edit touches, and moves the rest. A part that comes out of a comment again is
   * still cached.
   */
  edited(edit: Edit): void {
    const kept = [...this.#byStart.values()].flatMap((part) => (touches(edit, part) ? [] : [movedPart(part, edit)]));
    this.#byStart = new Map(kept.map((part) => [part.start, part]));
  }

  /** The cached facts of an item; without any, only its span. */
  of({ start, end }: Item): Part {
    const known = this.#byStart.get(start);
    return known?.end === end ? known : { start, end };
  }

  put(part: Part): Part {
    this.#byStart.set(part.start, part);
    return part;
  }

  /** Drops the findings of the parts that `concerned` selects. */
  forgetFindings(concerned: (part: Part) => boolean): void {
    for (const part of this.#byStart.values())
      if (concerned(part)) this.put({ ...part, findings: undefined, lacks: undefined });
  }

  clear(): void {
    this.#byStart.clear();
  }
}

/** An item without its body, and the names that it declares. */
interface Head {
  readonly text: string;
  readonly names: readonly string[];
  /** Addresses of shared variables depend on all of them. */
  readonly shared: boolean;
}

/** The heads of a module: the part of it that its bodies can see. */
export const headsOf = (source: Source, { items }: ast.Module): readonly Head[] =>
  items.map((item) => ({
    text: source.text.slice(item.start, endOf(item)),
    names: namesOf(item),
    shared: item.kind === "declaration" && item.space.text === "shared",
  }));

function endOf(item: ast.Item): number {
  if (item.kind === "section") return item.start;
  return item.kind === "function" && item.body !== undefined ? item.body.start : item.end;
}

function namesOf(item: ast.Item): readonly string[] {
  switch (item.kind) {
    case "function":
      return [item.name.text];
    case "declaration":
      return item.variables.map(({ name }) => name.text);
    case "alias":
      return [item.alias.text, item.aliasee.text];
    default:
      return [];
  }
}

/** Each changed name is searched in the complete text. */
const MOST_NAMES = 20;

/**
 * The names whose meaning has changed; undefined where too much has changed to decide. The heads before and after those
 * that differ are the same and in the same order.
 */
export function changedNames(before: readonly Head[], now: readonly Head[]): ReadonlySet<string> | undefined {
  const most = Math.min(before.length, now.length);
  let first = 0;
  while (first < most && before[first]?.text === now[first]?.text) first++;
  let last = 0;
  while (last < most - first && before.at(-1 - last)?.text === now.at(-1 - last)?.text) last++;
  const changed = [...before.slice(first, before.length - last), ...now.slice(first, now.length - last)];
  const names = new Set(changed.flatMap((head) => head.names));
  return changed.some(({ shared }) => shared) || names.size > MOST_NAMES ? undefined : names;
}

/** True where findings of a part may change because these names changed their meaning. */
export function dependsOn(part: Part, names: ReadonlySet<string>, text: string): boolean {
  if (names.size === 0) return false;
  // Messages suggest names that resemble the written one, so a part with findings is read again.
  if (part.lacks !== undefined || (part.findings?.diagnostics.length ?? 0) > 0) return true;
  const own = text.slice(part.start, part.end);
  return [...names].some((name) => own.includes(name));
}

/**
 * The findings of `ptxrun lint` for a module, updated after each edit with little work: the module's index is parsed
 * anew, and of its functions only those that an edit has touched, or that use a changed name.
 */
export class ModuleCheck {
  /** Bodies and sections that the last check has read. */
  read = 0;
  readonly #parts = new Parts();
  /** The inputs that the cached findings depend on. */
  #heads: ReturnType<typeof headsOf> | undefined;
  #header = "";

  /** Notes an edit of the text. */
  edited(edit: Edit): void {
    this.#parts.edited(edit);
  }

  /** Drops all cached facts: the settings have changed. */
  forget(): void {
    this.#parts.clear();
    this.#heads = undefined;
  }

  /** The module's heads in a version of its text. */
  reading(source: Source, module: ast.Module, settings: Settings): Reading {
    return new Reading(source, module, settings, (func, block) => {
      const part = isPart(func) ? this.#parts.of(func) : undefined;
      const needs = part?.needs ?? needsOf([block()]);
      if (part !== undefined && part.needs === undefined) this.#parts.put({ ...part, needs });
      return needs;
    });
  }

  /**
   * All errors and warnings, as `lint` returns them. Yields after each body that it reads: a caller may stop there,
   * and what was found by then is kept.
   */
  *check(
    { value: module, diagnostics: parsed }: Staged<ast.Module>,
    reading: Reading,
    settings: Settings,
  ): Generator<void, readonly Diagnostic[]> {
    this.read = 0;
    const { source } = reading;
    const items = module.items.filter(isPart);
    const image = inOneWord(source, [...parsed, ...(hasErrors(parsed) ? [] : reading.diagnostics)]);
    try {
      const found = image.some(isSyntaxError)
        ? yield* this.#syntax(source, items, parsed)
        : yield* this.#meaning(module, items, reading, image);
      // The repair may have removed text anywhere, so facts about a single body are not valid.
      if (!wasRepaired(source)) return found;
      this.forget();
      const own = new Source(source.name, source.text);
      return lintModule(own, settings).map((each) => inSource(source, each));
    } catch (stopped) {
      if (!(stopped instanceof LoadingStopped)) throw stopped;
      return inOrder([...image, stopped.diagnostic]);
    }
  }

  /** Where the module's own syntax is wrong: the parser's diagnostics of all bodies. */
  *#syntax(
    source: Source,
    items: readonly Item[],
    parsed: readonly Diagnostic[],
  ): Generator<void, readonly Diagnostic[]> {
    const found = [...parsed];
    for (const item of items) {
      const known = this.#parts.of(item);
      const part = known.syntax ? known : this.#parts.put({ ...known, syntax: syntaxOf(source, item) });
      for (const each of part.syntax ?? []) found.push(inSource(source, each));
      if (part === known) continue;
      this.read++;
      yield;
    }
    return withoutShadows(found.sort((a, b) => a.span.start - b.span.start));
  }

  *#meaning(
    module: ast.Module,
    items: readonly Item[],
    reading: Reading,
    image: readonly Diagnostic[],
  ): Generator<void, readonly Diagnostic[]> {
    const { source } = reading;
    if (reading.narrow) return inOrder(image);
    this.#compare(source, module, reading.header);
    const lacking: Item[] = [];
    const firsts = new Map<Item, Staged<Program>>();
    for (const item of items) {
      const part = this.#parts.of(item);
      if (part.findings === undefined) {
        this.read++;
        if (item.kind === "section") this.#parts.put({ ...part, findings: findingsInSection(source, item) });
        else {
          const staged = reading.alone(item);
          const lacks = lacksNames(staged.diagnostics);
          if (lacks) firsts.set(item, staged);
          const called = part.called ?? calledIn(reading.block(item));
          const findings = lacks ? undefined : findingsInFunction(staged);
          this.#parts.put({ ...part, called, findings, lacks: lacks ? "" : undefined });
        }
        yield;
      }
      if (this.#parts.of(item).lacks !== undefined) lacking.push(item);
    }
    if (lacking.length > 0) yield* this.#paste(items, lacking, firsts, reading);
    return inOrder([
      ...image,
      ...allFindings(
        source,
        items.map((item) => this.#findings(source, item)),
      ),
    ]);
  }

  /** Bodies that use undeclared names are also read as parts of a text that lacks declarations. */
  *#paste(
    items: readonly Item[],
    lacking: readonly Item[],
    firsts: ReadonlyMap<Item, Staged<Program>>,
    reading: Reading,
  ): Generator<void, void> {
    const names = reading.folded(items.flatMap((item) => this.#parts.of(item).called ?? []));
    const lacks = [...names.keys()].slice(reading.scope.names.size).sort().join(" ") || "nothing";
    for (const item of lacking) {
      const part = this.#parts.of(item);
      if (item.kind === "section" || (part.findings !== undefined && part.lacks === lacks)) continue;
      let first = firsts.get(item);
      if (first === undefined) {
        this.read++;
        first = reading.alone(item);
      }
      const findings = findingsInFunction(betterReading(first, reading.pasted(item, names)));
      this.#parts.put({ ...part, findings, lacks });
      yield;
    }
  }

  /** Drops findings whose dependencies have changed. */
  #compare(source: Source, module: ast.Module, header: string): void {
    const heads = headsOf(source, module);
    const same = this.#heads !== undefined && this.#header === header;
    const names = same && this.#heads !== undefined ? changedNames(this.#heads, heads) : undefined;
    this.#parts.forgetFindings((part) => names === undefined || dependsOn(part, names, source.text));
    this.#heads = heads;
    this.#header = header;
  }

  #findings(source: Source, item: Item): Findings {
    const { findings } = this.#parts.of(item);
    if (findings === undefined) return { diagnostics: [], gaps: [] };
    return { ...findings, diagnostics: findings.diagnostics.map((each) => inSource(source, each)) };
  }
}

const syntaxOf = (source: Source, item: Item): readonly Diagnostic[] =>
  (item.kind === "section" ? parseSection(source, item) : parseBody(source, item)).diagnostics;

/** A comment that never ends hides the braces after it, so these missing braces are not reported. */
function withoutShadows(found: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!found.some(({ code }) => code === "PTX1006")) return found;
  return found.filter(({ code }) => code !== "PTX1104");
}
