import type * as ast from "../../../src/parser/ast.ts";
import { isClean, isModule, noteClean, parse, parseBody, parseSnippet } from "../../../src/parser/index.ts";
import type { Diagnostic, Staged } from "../../../src/source/diagnostic.ts";
import { LoadingStopped, limitLoading, loadingBytes } from "../../../src/source/loading.ts";
import { Source } from "../../../src/source/source.ts";
import { isVisa } from "../../visa/src/recognise.ts";
import { ModuleCheck } from "./module/module-check.ts";
import type { Reading } from "./module/reading.ts";
import { lintSnippet } from "./module/whole.ts";
import type { Settings } from "./settings.ts";
import { type Edit, isPlain, narrowed } from "./text/edit.ts";
import { Lines } from "./text/lines.ts";

/** Reads vISA: separate, so that a client of PTX alone need not load it. */
export type LintVisa = (source: Source, settings: Settings) => readonly Diagnostic[];

/** Bytes that loading a text may take, as for `lint`. */
const LOADING_BYTES = loadingBytes(2 ** 30);

/** A text that is being edited, and facts derived from it; each is computed on first use, once for each version. */
export class Document {
  readonly name: string;
  readonly #check = new ModuleCheck();
  readonly #visa: LintVisa | undefined;
  #version: number;
  #settings: Settings;
  #now: Now;

  /** `name` is the document's name in diagnostics: a path or a URI. */
  constructor(
    name: string,
    text: string,
    {
      version = 0,
      settings = {},
      visa,
    }: { readonly version?: number; readonly settings?: Settings; readonly visa?: LintVisa } = {},
  ) {
    this.name = name;
    this.#version = version;
    this.#settings = settings;
    this.#visa = visa;
    this.#now = begin(name, text);
  }

  get text(): string {
    return this.#now.source.text;
  }

  /** The editor's version number. */
  get version(): number {
    return this.#version;
  }

  get source(): Source {
    return this.#now.source;
  }

  get settings(): Settings {
    return this.#settings;
  }

  set settings(settings: Settings) {
    this.#settings = settings;
    this.#check.forget();
    this.#now = begin(this.name, this.text);
  }

  get lines(): Lines {
    this.#now.lines ??= new Lines(this.text);
    return this.#now.lines;
  }

  get kind(): "module" | "snippet" | "vISA" {
    this.#now.kind ??= isVisa(this.text) ? "vISA" : isModule(this.text) ? "module" : "snippet";
    return this.#now.kind;
  }

  /** Edits the text, one change after the other; positions of each refer to the text after the earlier ones. */
  edit(edits: readonly Edit[], version: number = this.#version + 1): void {
    let text = this.text;
    let clean = isClean(this.source);
    for (const each of edits) {
      const edit = narrowed(each, text);
      text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
      clean &&= isPlain(text, edit);
      this.#check.edited(edit);
    }
    this.#version = version;
    this.#now = begin(this.name, text);
    if (clean) noteClean(this.source);
  }

  /** The module with its bodies unparsed; of a snippet no items. */
  get module(): Staged<ast.Module> {
    this.#now.module ??= index(this.source);
    return this.#now.module;
  }

  /** The declarations of the module; only for a text that is one. */
  get reading(): Reading {
    this.#now.reading ??= this.#check.reading(this.source, this.module.value, this.#settings);
    return this.#now.reading;
  }

  /** The statements of a function of `module`, or of the snippet: as far as they can be parsed. */
  block(func?: ast.Func): ast.Block {
    const key = func ?? "snippet";
    let block = this.#now.blocks.get(key);
    if (block === undefined) {
      block = (func === undefined ? parseSnippet(this.source) : parseBody(this.source, func)).value;
      this.#now.blocks.set(key, block);
    }
    return block;
  }

  /** All errors and warnings, as `ptxrun lint` reports them. */
  get diagnostics(): readonly Diagnostic[] {
    const checking = this.checking();
    for (let step = checking.next(); ; step = checking.next()) if (step.done) return step.value;
  }

  /** The same as a generator: at each yield a caller may do something else, or abandon it. */
  *checking(): Generator<void, readonly Diagnostic[]> {
    const now = this.#now;
    now.diagnostics ??= yield* this.#lint();
    return now.diagnostics;
  }

  /** Bodies that were read to find the diagnostics of this version; the others are kept from earlier ones. */
  get bodiesRead(): number {
    return this.#check.read;
  }

  *#lint(): Generator<void, readonly Diagnostic[]> {
    const { source } = this;
    switch (this.kind) {
      case "vISA":
        return this.#visa?.(source, this.#settings) ?? [];
      case "snippet":
        return lintSnippet(source, this.#settings);
      case "module":
        return yield* this.#check.check(this.module, this.reading, this.#settings);
    }
  }
}

/** Facts derived from one version of a text. */
interface Now {
  readonly source: Source;
  readonly blocks: Map<ast.Func | "snippet", ast.Block>;
  lines?: Lines;
  kind?: Document["kind"];
  module?: Staged<ast.Module>;
  reading?: Reading;
  diagnostics?: readonly Diagnostic[];
}

function begin(name: string, text: string): Now {
  const source = new Source(name, text);
  limitLoading(source, { bytes: LOADING_BYTES });
  return { source, blocks: new Map() };
}

/** The module's index; of a text too large to load it is empty, and one error says so. */
function index(source: Source): Staged<ast.Module> {
  try {
    return parse(source, { bodies: "index" });
  } catch (stopped) {
    if (!(stopped instanceof LoadingStopped)) throw stopped;
    const value: ast.Module = { kind: "module", items: [], start: 0, end: source.text.length };
    return { value, diagnostics: [stopped.diagnostic] };
  }
}
