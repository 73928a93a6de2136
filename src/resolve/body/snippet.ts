import type { Program } from "../../interp/contract/program.ts";
import type * as ast from "../../parser/ast.ts";
import { hasErrors, type Staged } from "../../source/diagnostic.ts";
import { isLitmus } from "../../source/litmus-mark.ts";
import type { Source } from "../../source/source.ts";
import { BlockNames } from "../declaration/block-names.ts";
import { parameterSymbols } from "../declaration/formals.ts";
import { layOut } from "../declaration/layout.ts";
import { Windows } from "../declaration/windows.ts";
import { stemOf } from "../instruction/operand/undeclared.ts";
import type { Header } from "../module/header/header.ts";
import { archOf, isVersion, newestVersion, showVersion, targets } from "../module/header/target.ts";
import type { ModuleSymbol } from "../module/names/symbols.ts";
import { nearest } from "../nearest.ts";
import { BodyReport, type Report, reject, without } from "../report.ts";
import { assemble } from "./assemble.ts";
import { type InferredHead, inferHead } from "./infer-head.ts";
import { inferRegisters } from "./infer-registers.ts";

/** The context for resolving a snippet. */
export interface SnippetTarget {
  /** `sm_90`; the default has every instruction that ptxrun knows. */
  readonly target?: string;
  /** `8.7`; the newest by default. */
  readonly version?: string;
  /** Names of another program that the statements may use; they declare nothing in memory then. */
  readonly around?: BlockNames;
}

const names: ReadonlyMap<string, ModuleSymbol> = new Map();
const files: ReadonlyMap<number, string> = new Map();
const headless: InferredHead = { parameters: { parameters: [], bytes: 0 }, results: [] };

/**
 * Resolves statements without a module as the body of a kernel. Registers, parameters and results that nobody declared
 * are inferred from their uses; the value is undefined when something is wrong.
 */
export function resolveSnippet(
  source: Source,
  body: ast.Block,
  options: SnippetTarget = {},
): Staged<Program | undefined> {
  const report = new BodyReport(source);
  const { diagnostics } = report;
  const header = headerOf(options, report);
  const inferred = new BlockNames(options.around, { anywhere: true });
  const silent: Report = { source, diagnose: () => undefined };
  const outermost = (): BlockNames => new BlockNames(inferred);
  // The blocks' declarations are entered twice: here to find the undeclared names, and in `assemble` for the program.
  const windows = new Windows();
  const { namesByBlock, statics } = layOut({
    name: "",
    windows,
    local: windows.local,
    body,
    outermost: outermost(),
    header,
    names,
    report: silent,
  });
  // Statements among another program's have only its parameters.
  const { parameters, results } = options.around ? headless : inferHead(body, namesByBlock, report);
  for (const symbol of [...parameterSymbols(parameters), ...results.map(({ symbol }) => symbol)])
    inferred.declare(symbol);
  const disputed = inferRegisters(body, namesByBlock, inferred, report);
  if (!hasErrors(diagnostics)) doubtNames(inferred, namesByBlock.get(body), report);
  for (const { span } of statics)
    reject(report, "PTX1432", span, "a snippet has no global or constant variables", {
      expected: ".shared, .local or a module",
      help: [
        {
          message: isLitmus(source.text)
            ? "this is a litmus test: ptxrun litmus lists its outcomes"
            : "wrap it in .version, .target and .entry to run it as a module",
        },
      ],
    });
  const program = assemble({
    source,
    name: "",
    body,
    outermost: outermost(),
    header,
    names,
    files,
    parameters,
    results,
    limits: {},
    report: without(disputed, report),
  });
  return { value: hasErrors(diagnostics) ? undefined : program, diagnostics };
}

/** A warning for each inferred register whose name is nearly that of a declared one: it may be a slip, and no input. */
function doubtNames(inferred: BlockNames, declared: BlockNames | undefined, report: Report): void {
  const own = [...(declared?.names("register") ?? [])].filter((name) => inferred.own(name) === undefined);
  if (own.length === 0) return;
  for (const name of inferred.names("register")) {
    const symbol = inferred.own(name);
    // Of short names any two are near, and a number tells two registers apart.
    const near = name.length < 4 || symbol === undefined ? undefined : nearest(name, own);
    if (symbol === undefined || near === undefined || stemOf(near) === stemOf(name)) continue;
    reject(report, "PTX1320", symbol.span, `${name} is not declared`, {
      severity: "warning",
      help: [{ message: `did you mean ${near}?`, replace: { span: symbol.span, text: near } }],
    });
  }
}

function headerOf({ target: named, version }: SnippetTarget, report: Report): Header {
  const newest = { version: newestVersion, texmode: "unified" as const };
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(version ?? showVersion(newestVersion)) ?? [];
  const number = Number(major) * 10 + Number(minor);
  const start = { start: 0, end: 0 };
  const exists = isVersion(Number(major), Number(minor));
  if (!exists)
    reject(report, "PTX1503", start, `unknown PTX version ${version}`, {
      expected: `at most ${showVersion(newestVersion)}`,
    });
  // Without a target, every form that the version has is allowed.
  const target = named ?? "sm_100a";
  const known = archOf(target);
  if (!known) {
    const near = nearest(target, targets);
    reject(
      report,
      "PTX1504",
      start,
      `unknown target ${target}`,
      near ? { help: [{ message: `did you mean ${near}?` }] } : {},
    );
  } else if (exists && named !== undefined && version !== undefined && number < known.since)
    reject(report, "PTX1505", start, `PTX ${version} does not support ${target}`, {
      expected: `${showVersion(known.since)} or later`,
    });
  const arch = known?.arch ?? { name: "sm_100a", sm: 100, suffix: "a" as const };
  return { ...newest, version: Number.isNaN(number) ? newestVersion : number, target: arch };
}
