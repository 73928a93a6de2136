import type * as ast from "../ast.ts";

/** The names that a function calls by the stack. */
const callsOf = ({ statements }: Pick<ast.Kernel, "statements">): readonly string[] =>
  statements.flatMap((each): readonly string[] => {
    if (each.kind === "scope") return callsOf(each);
    const [to] = each.kind === "instruction" && each.opcode.text === "fcall" ? each.operands : [];
    return to !== undefined && "name" in to ? [to.name.text] : [];
  });

/** Functions that kernels call by the stack. Each has variables of its own, once a thread. */
export class StackFunctions {
  readonly #byName: ReadonlyMap<string, ast.Kernel>;

  constructor(functions: readonly ast.Kernel[]) {
    this.#byName = new Map(functions.map((each) => [each.name.text, each]));
  }

  get all(): readonly ast.Name[] {
    return [...this.#byName.values()].map(({ name }) => name);
  }

  find(name: string): ast.Kernel | undefined {
    return this.#byName.get(name);
  }

  /** Whether one that calls the other may be entered again before it returns. */
  mayReenter(caller: string, called: string): boolean {
    return caller === called || this.#reachedFrom(called).has(caller);
  }

  #reachedFrom(name: string): ReadonlySet<string> {
    const found = new Set<string>();
    const open = [name];
    for (let each = open.pop(); each !== undefined; each = open.pop())
      for (const called of callsOf(this.#byName.get(each) ?? { statements: [] }))
        if (!found.has(called)) {
          found.add(called);
          open.push(called);
        }
    return found;
  }
}
