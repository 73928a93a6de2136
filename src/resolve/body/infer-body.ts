import type * as ast from "../../parser/ast.ts";
import { BlockNames } from "../declaration/block-names.ts";
import type { BodyLayout } from "../declaration/layout.ts";
import type { LocalArea } from "../declaration/windows.ts";
import type { Signature } from "../module/signature.ts";
import type { ModuleSymbol } from "../module/symbols.ts";
import { type Report, reject, without } from "../report.ts";
import { inferArguments } from "./infer-arguments.ts";
import { inferRegisters } from "./infer-registers.ts";
import { stemOf, typeByName } from "./type-of-uses.ts";

/** A body whose declarations are entered already. */
interface InferInput {
  readonly body: ast.Block;
  readonly outermost: BlockNames;
  readonly report: Report;
}

/** What is the same for all bodies of a program. */
interface InferAround {
  readonly names: ReadonlyMap<string, ModuleSymbol>;
  /** The text lacks declarations: bodies that declare some of their registers may leave others undeclared. */
  readonly paste?: boolean;
}

/**
 * Infers the registers of a module's body that declares none: Compiler Explorer's filter of directives leaves the `.reg`
 * lines out. PTX9011 says so. A body that declares one is taken at its word, because a name that is missing there is
 * more likely a slip; in a `paste`, names by the custom of compilers (`%rd1`) are inferred even there, if it declares
 * no other of their kind.
 *
 * The result is undefined where nothing was inferred; else it is the report for the rest of the body, without what
 * would be said about names whose uses do not agree.
 */
export function inferBody(
  { body, outermost, report }: InferInput,
  { namesByBlock }: BodyLayout,
  local: LocalArea,
  { names, paste = false }: InferAround,
): Report | undefined {
  const signature = (name: string): Signature | undefined => {
    const found = names.get(name);
    return found?.kind === "function" && found.missing !== "code" ? found.signature : undefined;
  };
  if (paste) inferArguments(body, namesByBlock, local, signature);
  const declared = new Set<string>();
  collectStems(body, declared);
  if (declared.size > 0 && !paste) return undefined;
  const inferred = new BlockNames(undefined, { anywhere: true });
  const disputed = inferRegisters(body, namesByBlock, inferred, report, {
    infers: (name, written) => {
      if (names.has(name)) return false;
      const usual = typeByName(name) !== undefined;
      if (declared.size > 0) return written && usual && !declared.has(stemOf(name));
      // What is only read and has no register's name is a variable whose declaration is missing.
      return written || usual;
    },
    signature,
  });
  const [first] = inferred.names("register");
  const symbol = first === undefined ? undefined : inferred.find(first, 0);
  if (symbol === undefined && disputed.size === 0) return undefined;
  outermost.surround(inferred);
  if (symbol !== undefined)
    reject(report, "PTX9011", symbol.span, `no .reg line declares ${symbol.name}: registers are inferred`, {
      severity: "note",
      help: [{ message: "each gets the type that its uses and its name ask for; .reg lines say it for certain" }],
    });
  return without(disputed, report);
}

/** The stems (`%rd` of `%rd1` and `%rd<9>`) of all registers that a block and those in it declare. */
function collectStems(block: ast.Block, into: Set<string>): void {
  for (const statement of block.statements) {
    if (statement.kind === "block") collectStems(statement, into);
    if (statement.kind !== "declaration" || statement.space.text !== "reg") continue;
    for (const { name } of statement.variables) into.add(stemOf(name.text));
  }
}
