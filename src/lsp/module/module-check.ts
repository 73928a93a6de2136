import type { Program } from "../../interp/contract/program.ts";
import type * as ast from "../../parser/ast.ts";
import { inOneWord, parseBody, parseSection, wasMended } from "../../parser/index.ts";
import {
  allFindings,
  betterReading,
  type Findings,
  findingsInFunction,
  findingsInSection,
  lacksNames,
} from "../../resolve/module/findings.ts";
import { calledIn } from "../../resolve/module/folded.ts";
import { needsOf } from "../../resolve/module/needs.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import { inOrder } from "../../source/in-order.ts";
import { LoadingStopped } from "../../source/loading.ts";
import { Source } from "../../source/source.ts";
import type { Settings } from "../settings.ts";
import type { Edit } from "../text/edit.ts";
import { changedNames, dependsOn, headsOf } from "./heads.ts";
import { type Item, inSource, isPart } from "./part.ts";
import { Parts } from "./parts.ts";
import { Reading } from "./reading.ts";
import { isSyntaxError, lintModule } from "./whole.ts";

/**
 * What `ptxrun lint` says of a module, found again after each edit with little work: the module's index is read anew, and
 * of its functions only those that an edit has touched, or that name what has changed.
 */
export class ModuleCheck {
  /** Bodies and sections that the last check has read. */
  read = 0;
  readonly #parts = new Parts();
  /** What the findings that are kept were found with. */
  #heads: ReturnType<typeof headsOf> | undefined;
  #header = "";

  /** Notes an edit of the text. */
  edited(edit: Edit): void {
    this.#parts.edited(edit);
  }

  /** Forgets all that is known: the settings are others. */
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
   * All errors and warnings, as `lint` gives them. Yields after each body that it reads: who has no more time may stop
   * there, and what is known by then is kept.
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
      // What was taken away may be anywhere, so nothing that is known of one body alone can be trusted.
      if (!wasMended(source)) return found;
      this.forget();
      const own = new Source(source.name, source.text);
      return lintModule(own, settings).map((each) => inSource(source, each));
    } catch (stopped) {
      if (!(stopped instanceof LoadingStopped)) throw stopped;
      return inOrder([...image, stopped.diagnostic]);
    }
  }

  /** Where the module's own syntax is wrong: what the parser says of all bodies. */
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

  /** Bodies that name what nothing declares are read as parts of a text that lacks declarations, too. */
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

  /** Forgets findings that depend on what is not as it was. */
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
