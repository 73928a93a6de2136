import type * as ast from "../parser/ast.ts";
import { printExpr } from "../parser/index.ts";
import type { Source } from "../source/source.ts";

/** A module to be linked: a text, or one of several in a text. */
export interface LinkInput {
  readonly source: Source;
  readonly module: ast.Module;
}

/** A name at module scope: what a module defines, or declares for another to define. */
export interface Definition {
  readonly name: string;
  readonly kind: "function" | "variable";
  readonly entry: boolean;
  /** `static`: of its module alone. */
  readonly scope: "visible" | "weak" | "common" | "static";
  /** Types and sizes, to be compared. */
  readonly shape: string;
  /** The shape with its first dimension open, as `.extern .global .b8 x[];` declares it. */
  readonly open: string;
  /** The size of a variable, where its dimensions are plain numbers; 0 for a function. */
  readonly bytes: number;
  /** `.extern .shared`: memory whose size the launch says; no module defines it. */
  readonly dynamic: boolean;
  readonly item: ast.Func | ast.Declaration;
  /** The place of its module in the order of the inputs. */
  readonly input: number;
  readonly source: Source;
  /** Where it stands, and as a text of its own. */
  readonly place: ast.Name;
  readonly text: string;
}

export interface ModuleSymbols {
  readonly definitions: readonly Definition[];
  readonly declarations: readonly Definition[];
  /** Labels of its debug information, which are its own. */
  readonly labels: readonly string[];
}

/** What a module defines and declares at module scope. */
export function symbolsOf({ source, module }: LinkInput, input = 0): ModuleSymbols {
  const definitions: Definition[] = [];
  const declarations: Definition[] = [];
  const labels: string[] = [];
  for (const item of module.items) {
    if (item.kind === "section")
      labels.push(
        ...[...source.text.slice(item.start, item.end).matchAll(/^[ \t]*([\w$]+):/gm)].map(([, label = ""]) => label),
      );
    if (item.kind === "function") {
      const shape = [item.returns, item.parameters].map((list) => `(${list.map(shapeOf).join(", ")})`).join(" ");
      const scope = item.entry && item.linkage === undefined ? "visible" : scopeOf(item.linkage);
      const { name, entry } = item;
      const common = { name: name.text, kind: "function", entry, scope, shape, open: shape } as const;
      const defined = { ...common, bytes: 0, dynamic: false, item, input, source, place: name, text: "" };
      (item.body === undefined ? declarations : definitions).push(defined);
    }
    if (item.kind !== "declaration") continue;
    const { variables, linkage, space } = item;
    const prefix = source.text.slice(item.start, variables[0]?.start ?? item.end);
    for (const variable of variables) {
      const { name } = variable;
      const [first, ...others] = variable.dimensions;
      const base = shapeOf({ ...item, dimensions: [] });
      const shape = base + [first, ...others].slice(0, variable.dimensions.length).map(dimension).join("");
      const open = variable.dimensions.length === 0 ? shape : `${base}[]${others.map(dimension).join("")}`;
      const dynamic = linkage?.text === "extern" && space.text === "shared";
      const common = { name: name.text, kind: "variable", entry: false, scope: scopeOf(linkage), shape, open } as const;
      const text = `${prefix}${source.text.slice(variable.start, variable.end)};`;
      const bytes = bytesOf(item, variable.dimensions);
      const defined = { ...common, bytes, dynamic, item, input, source, place: name, text };
      (linkage?.text === "extern" ? declarations : definitions).push(defined);
    }
  }
  const own = new Set(definitions.map(({ name }) => name));
  return { definitions, declarations: declarations.filter(({ name }) => !own.has(name)), labels };
}

const scopeOf = (linkage: ast.Name | undefined): Definition["scope"] =>
  linkage?.text === "visible" || linkage?.text === "weak" || linkage?.text === "common" ? linkage.text : "static";

function bytesOf({ type, vector }: ast.Declaration, dimensions: ast.Variable["dimensions"]): number {
  const counts = dimensions.map((size) => (size?.kind === "integer" ? Number(size.text.replace(/U$/, "")) : 0));
  const elements = Number(vector?.text.slice(1) ?? 1) * counts.reduce((product, count) => product * count, 1);
  return (elements * Number(/\d+/.exec(type.text)?.[0] ?? 0)) / 8;
}

const dimension = (size: ast.Expr | undefined): string => `[${size === undefined ? "" : printExpr(size)}]`;

const shapeOf = ({
  space,
  vector,
  type,
  dimensions,
}: Pick<ast.Parameter, "space" | "vector" | "type" | "dimensions">): string =>
  [space.text, ...(vector ? [vector.text] : []), type.text.replace(/^[us](?=\d)/, "b")].join(" ") +
  dimensions.map(dimension).join("");

/** The symbols of all modules, and what each name stands for. */
export class Symbols {
  readonly definitions: readonly Definition[];
  readonly declarations: readonly Definition[];
  /** The definition that a name stands for in all modules. */
  readonly taken: ReadonlyMap<string, Definition>;
  /** Names that two modules define, none of them weakly. */
  readonly duplicates: readonly (readonly [Definition, Definition])[];
  /** For each module, new names of what is its own and has a name that another module has, too. */
  readonly newNames: readonly ReadonlyMap<string, string>[];

  constructor(modules: readonly ModuleSymbols[]) {
    this.definitions = modules.flatMap(({ definitions }, input) => definitions.map((each) => ({ ...each, input })));
    this.declarations = modules.flatMap(({ declarations }, input) => declarations.map((each) => ({ ...each, input })));
    const taken = new Map<string, Definition>();
    const duplicates: (readonly [Definition, Definition])[] = [];
    const rank = { visible: 2, common: 1, weak: 0, static: 0 };
    for (const each of this.definitions.filter(({ scope }) => scope !== "static")) {
      const before = taken.get(each.name);
      if (before !== undefined && before.scope === "visible" && each.scope === "visible")
        duplicates.push([before, each]);
      else if (before === undefined || rank[each.scope] > rank[before.scope]) taken.set(each.name, each);
      else if (each.scope === "common" && before.scope === "common" && each.bytes > before.bytes)
        taken.set(each.name, each);
    }
    this.taken = taken;
    this.duplicates = duplicates;
    const owners = new Map<string, Set<number>>();
    const note = (name: string, input: number): unknown => owners.set(name, (owners.get(name) ?? new Set()).add(input));
    for (const { name, input } of [...this.definitions, ...this.declarations]) note(name, input);
    for (const [input, { labels }] of modules.entries()) for (const label of labels) note(label, input);
    this.newNames = modules.map(({ definitions, labels }, input) => {
      const own = [...definitions.filter(({ scope }) => scope === "static").map(({ name }) => name), ...labels];
      const shared = own.filter((name) => (owners.get(name)?.size ?? 0) > 1);
      return new Map(shared.map((name) => [name, free(`${name}$${input + 1}`, owners)]));
    });
  }
}

function free(name: string, owners: ReadonlyMap<string, unknown>): string {
  return owners.has(name) ? free(`${name}$`, owners) : name;
}
