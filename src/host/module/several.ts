import type { Program } from "../../interp/contract/program.ts";
import type * as ast from "../../parser/ast.ts";
import type { ModuleImage } from "../../resolve/index.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { problem } from "../problem.ts";
import type { Image } from "./store.ts";

/**
 * The modules of a text, one behind the other, as cuobjdump prints them and as the PTX in a program with several source
 * files is: each begins with `.version` and `.target`.
 */
export function modulesIn(module: ast.Module): readonly ast.Module[] {
  const { items } = module;
  const begins = items.flatMap(({ kind }, at) => (kind === "version" && items[at + 1]?.kind === "target" ? [at] : []));
  const later = begins.filter((at) =>
    items.slice(0, at).some(({ kind }) => kind === "function" || kind === "declaration"),
  );
  if (later.length === 0) return [module];
  return [0, ...later].map((from, index): ast.Module => {
    const to = later[index] ?? items.length;
    const end = items[to]?.start ?? module.end;
    return { ...module, items: items.slice(from, to), start: items[from]?.start ?? module.start, end };
  });
}

/**
 * One image of several modules. A kernel that several have is the one of the newest target (up to `target`, `sm_90`), as
 * of one module for several targets, and PTX9019 says so; a module without another kernel is left out. A variable whose name an earlier
 * module has too gets the number of its module behind it, as `total@2`.
 */
export function oneOf(source: Source, images: readonly Loaded[], target?: string): Staged<Image> {
  const most = target === undefined ? undefined : rankOf(/^\w+_(?<sm>\d+)(?<suffix>[af]?)$/.exec(target)?.groups);
  const fits = ({ value }: Loaded): boolean => most === undefined || rankOf(value.target) <= most;
  const byTarget = images.toSorted(
    (a, b) => Number(fits(b)) - Number(fits(a)) || rankOf(b.value.target) - rankOf(a.value.target),
  );
  const owners = new Map<string, Loaded>();
  for (const image of byTarget) for (const name of image.value.entries) if (!owners.has(name)) owners.set(name, image);
  const ownedBy = (image: Loaded): readonly string[] =>
    image.value.entries.filter((name) => owners.get(name) === image);
  const taken = images.filter((image) => image.value.entries.length === 0 || ownedBy(image).length > 0);
  const passed = images.flatMap((image) => {
    const name = image.value.entries.find((each) => owners.get(each) !== image);
    return name === undefined ? [] : [passedOver(source, image, name, owners.get(name)?.value.target.name)];
  });
  const parts = taken.map((image, index) => ({ ...partOf(image.value, index, taken), entries: ownedBy(image) }));
  const find = (name: string): Part | undefined =>
    parts.find(({ entries }) => entries.includes(name)) ?? parts.find(({ functions }) => functions.includes(name));
  const value: Image = {
    source,
    variables: parts.flatMap(({ variables }) => variables),
    entries: parts.flatMap(({ entries }) => entries),
    functions: [...new Set(parts.flatMap(({ functions }) => functions))],
    kernel: (name) => (find(name) ?? parts[0])?.kernel(name) ?? { value: undefined, diagnostics: [] },
    lint: () => images.flatMap((image) => image.value.lint()),
  };
  return { value, diagnostics: [...taken.flatMap(({ diagnostics }) => diagnostics), ...passed] };
}

/** A module of the text, as it was parsed and loaded. */
export interface Loaded extends Staged<ModuleImage> {
  readonly module: ast.Module;
}

/** Targets in the order in which they are preferred: `sm_100a` before `sm_100f` before `sm_100`. */
const rankOf = ({ sm, suffix }: { readonly sm?: number | string; readonly suffix?: string } = {}): number =>
  Number(sm) * 4 + ["", "f", "a"].indexOf(suffix ?? "");

type Part = Pick<Image, "variables" | "entries" | "functions" | "kernel">;

/** A module whose variables have names that no earlier one of `all` has. */
function partOf(image: ModuleImage, index: number, all: readonly Loaded[]): Part {
  const earlier = new Set(all.slice(0, index).flatMap(({ value }) => value.variables.map(({ name }) => name)));
  const { variables, entries, functions } = image;
  if (!variables.some(({ name }) => earlier.has(name)))
    return { variables, entries, functions, kernel: (name) => image.kernel(name) };
  const own = (name: string): string => (earlier.has(name) ? `${name}@${index + 1}` : name);
  const kernels = new WeakMap<Program, Program>();
  return {
    entries,
    functions,
    variables: variables.map((variable) => ({
      ...variable,
      name: own(variable.name),
      relocations: variable.relocations.map((each) => ({ ...each, variable: own(each.variable) })),
      ...(variable.part && { part: { ...variable.part, of: own(variable.part.of) } }),
    })),
    kernel(name) {
      const { value: program, diagnostics } = image.kernel(name);
      if (program === undefined) return { value: undefined, diagnostics };
      const renamed = kernels.get(program) ?? {
        ...program,
        constants: program.constants.map((constant) =>
          typeof constant.value === "object"
            ? { ...constant, value: { ...constant.value, variable: own(constant.value.variable) } }
            : constant,
        ),
      };
      kernels.set(program, renamed);
      return { value: renamed, diagnostics };
    },
  };
}

function passedOver(source: Source, { module, value }: Loaded, kernel: string, taken = ""): Diagnostic {
  const { name } = value.target;
  const [{ start, end } = module] = module.items.filter(({ kind }) => kind === "target");
  const message = `${kernel} of the module for ${name} is passed over: that for ${taken} has it too`;
  const help = taken === name ? [] : [{ message: `--target ${name} takes it` }];
  return problem("PTX9019", message, { severity: "note", source, span: { start, end }, help });
}
