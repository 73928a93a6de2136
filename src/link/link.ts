import type * as ast from "../parser/ast.ts";
import { parseBody } from "../parser/index.ts";
import type { Diagnostic, Staged } from "../source/diagnostic.ts";
import { Source } from "../source/source.ts";
import { renamed, withFileNumbers } from "./rename.ts";
import { duplicate, mismatch, undefinedReference } from "./report.ts";
import { type Definition, type LinkInput, Symbols, symbolsOf } from "./symbols.ts";

/** True where a module declares as `.extern` what another one defines. */
export function belongTogether(modules: readonly LinkInput[]): boolean {
  const all = modules.map(symbolsOf);
  const defined = new Set(all.flatMap(({ definitions }) => definitions.filter(({ scope }) => scope !== "static")).map(({ name }) => name)); // biome-ignore format: one line
  return all.some(({ declarations }) => declarations.some(({ name }) => defined.has(name)));
}

/**
 * One module of several, as nvlink joins objects: a declaration means the definition of its name in another module; of
 * `.weak` definitions the first is taken, of `.common` ones the largest; what is neither `.visible`, `.weak`, `.common` nor a
 * kernel belongs to its module, and gets a number behind its name where another module has that name too. The version and the
 * target are the newest. Debug information other than `.file`, `.loc` and the names in `.debug_str` is left out.
 *
 * A name without a definition (PTX2260), with two (PTX2261), or with another type or size than declared (PTX2262) is an error;
 * functions that the driver supplies (`supplied`) need no definition.
 */
export function link(
  all: readonly LinkInput[],
  name: string,
  supplied: ReadonlySet<string>,
): Staged<Source | undefined> {
  const diagnostics: Diagnostic[] = [];
  const inputs = all.filter((input) => !isDeviceRuntime(input, supplied));
  const symbols = new Symbols(inputs.map(symbolsOf));
  for (const [first, second] of symbols.duplicates) diagnostics.push(duplicate(first, second));
  for (const declaration of symbols.declarations) {
    const definition = symbols.taken.get(declaration.name);
    if (definition !== undefined) {
      if (!fits(declaration, definition)) diagnostics.push(mismatch(declaration, definition));
    } else if (!supplied.has(declaration.name) && !declaration.dynamic)
      diagnostics.push(undefinedReference(declaration));
  }
  if (diagnostics.length > 0) return { value: undefined, diagnostics };
  return { value: new Source(name, new Output(inputs, symbols, supplied).text()), diagnostics: [] };
}

/** Whether a module is NVIDIA's libcudadevrt, on system calls that nobody documents: it defines what the driver supplies here. */
const isDeviceRuntime = ({ module }: LinkInput, supplied: ReadonlySet<string>): boolean =>
  module.items.some(
    (item) =>
      item.kind === "function" &&
      item.body !== undefined &&
      /^(cuda[A-Z]|__cudaCDP2)/.test(item.name.text) &&
      supplied.has(item.name.text),
  );

/** Whether a declaration has the definition's type; `[]` stands for any number of elements. */
const fits = (declaration: Definition, { kind, shape, open }: Definition): boolean =>
  declaration.kind === kind && (declaration.shape === shape || declaration.shape === open);

/** The linked text: header, prototypes, variables in the order in which they mention each other, aliases, functions. */
class Output {
  readonly #inputs: readonly LinkInput[];
  readonly #symbols: Symbols;
  readonly #supplied: ReadonlySet<string>;
  readonly #names: readonly ReadonlyMap<string, string>[];

  constructor(inputs: readonly LinkInput[], symbols: Symbols, supplied: ReadonlySet<string>) {
    this.#inputs = inputs;
    this.#symbols = symbols;
    this.#supplied = supplied;
    this.#names = symbols.newNames;
  }

  text(): string {
    const files = this.#fileNumbers();
    const numbered = (text: string, at: number): string => withFileNumbers(text, files[at] ?? 0);
    const functions = this.#all("function").filter(({ item }) => item.kind === "function" && item.body !== undefined);
    const kept = functions.filter((each) => this.#isTaken(each));
    const declared = new Set(this.#symbols.declarations.map(({ name }) => name));
    const parts = [
      header(this.#inputs),
      ...this.#suppliedPrototypes(),
      // Kernels that others launch from the device, too.
      ...kept.filter(({ entry, name }) => !entry || declared.has(name)).map((each) => `${this.#head(each)};`),
      ...this.#variables(),
      ...this.#inputs.flatMap(({ module }, at) =>
        module.items.flatMap((item) => (item.kind === "alias" || item.kind === "pragma" ? [this.#text(item, at)] : [])),
      ),
      ...kept.map(
        (each) => `// ${this.#inputs[each.input]?.source.name}\n${numbered(this.#functionText(each), each.input)}`,
      ),
      ...this.#inputs.flatMap(({ module }, at) =>
        module.items.flatMap((item) => {
          if (item.kind === "file") return [numbered(this.#text(item, at), at)];
          return item.kind === "section" && item.name.text === "debug_str" ? [this.#text(item, at)] : [];
        }),
      ),
    ];
    return `${parts.join("\n")}\n`;
  }

  #all(kind: Definition["kind"]): readonly Definition[] {
    return this.#symbols.definitions.filter((each) => each.kind === kind);
  }

  /** True for a definition that belongs to its module, and for the one that its name stands for. */
  #isTaken(definition: Definition): boolean {
    return definition.scope === "static" || this.#symbols.taken.get(definition.name) === definition;
  }

  #text({ start, end }: ast.Item, input: number): string {
    return this.#renamed(this.#inputs[input]?.source.text.slice(start, end) ?? "", input);
  }

  #renamed(text: string, input: number, hidden?: ReadonlySet<string>): string {
    return renamed(text, this.#names[input] ?? new Map(), hidden);
  }

  /** The head of a function, without what only stands before a body. */
  #head({ item, input }: Definition): string {
    if (item.kind !== "function") return "";
    const [first] = item.directives;
    const end = first?.start ?? item.body?.start ?? item.end;
    const noreturn = item.directives.some(({ name }) => name.text === "noreturn") ? " .noreturn" : "";
    return `${this.#renamed(this.#inputs[input]?.source.text.slice(item.start, end).trimEnd().replace(/;$/, "").trimEnd() ?? "", input)}${noreturn}`;
  }

  #functionText({ item, input }: Definition): string {
    const names = this.#names[input];
    if (item.kind !== "function" || names === undefined || names.size === 0) return this.#text(item, input);
    // A name that the function declares for itself is not the module's.
    const hidden = new Set([...item.parameters, ...item.returns].flatMap(({ name }) => name?.text ?? []));
    const input_ = this.#inputs[input];
    if (input_ !== undefined) declaredIn(parseBody(input_.source, item).value, hidden);
    return this.#renamed(input_?.source.text.slice(item.start, item.end) ?? "", input, hidden);
  }

  #suppliedPrototypes(): readonly string[] {
    const first = new Map(this.#symbols.declarations.map((each) => [each.name, each]));
    return [...first.values()].flatMap((each) =>
      (this.#supplied.has(each.name) && !this.#symbols.taken.has(each.name)) || each.dynamic
        ? [each.kind === "function" ? `${this.#head(each)};` : each.text]
        : [],
    );
  }

  /** Variables, those before others whose initial values name them. */
  #variables(): readonly string[] {
    const left = new Map(
      this.#all("variable")
        .filter((each) => this.#isTaken(each))
        .map((each) => [this.#names[each.input]?.get(each.name) ?? each.name, this.#renamed(each.text, each.input)]),
    );
    const ordered: string[] = [];
    const place = (name: string): void => {
      const text = left.get(name);
      if (text === undefined) return;
      left.delete(name);
      for (const [word] of (text.split("=")[1] ?? "").matchAll(/[\w$%]+/g)) place(word);
      ordered.push(text);
    };
    for (const name of [...left.keys()]) place(name);
    return ordered;
  }

  /** What is added to the numbers of each module's files. */
  #fileNumbers(): readonly number[] {
    let sum = 0;
    return this.#inputs.map(({ module }) => {
      const before = sum;
      sum += Math.max(0, ...module.items.map((item) => (item.kind === "file" ? item.index : 0)));
      return before;
    });
  }
}

/** Names that a block and the blocks in it declare: registers, variables, labels. */
function declaredIn({ statements }: ast.Block, into: Set<string>): void {
  for (const statement of statements) {
    if (statement.kind === "block") declaredIn(statement, into);
    if (statement.kind === "label") into.add(statement.name.text);
    if (statement.kind === "declaration") for (const { name } of statement.variables) into.add(name.text);
  }
}

/** The newest version and target of all; the options of all targets but `debug`, which wants the sections that are left out. */
function header(inputs: readonly LinkInput[]): string {
  const items = inputs.flatMap(({ module }) => module.items);
  const versions = items.flatMap((item) => (item.kind === "version" ? [item] : []));
  const [version] = versions.toSorted((a, b) => b.major - a.major || b.minor - a.minor);
  const names = items.flatMap((item) => (item.kind === "target" ? item.names.map(({ text }) => text) : []));
  const rank = (name: string): number =>
    Number.parseInt(name.replace(/\D*/, ""), 10) * 4 + " fa".indexOf(name.at(-1) ?? "");
  const [target = "sm_90"] = names.filter((name) => /^(?:sm|compute)_/.test(name)).sort((a, b) => rank(b) - rank(a));
  const options = new Set(names.filter((name) => !/^(?:(?:sm|compute)_|debug$)/.test(name)));
  const { major = 9, minor = 0 } = version ?? {};
  return `.version ${major}.${minor}\n.target ${[target, ...options].join(", ")}\n.address_size 64`;
}
