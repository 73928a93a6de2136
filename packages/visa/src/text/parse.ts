import type { IRecognitionException } from "chevrotain";
import type { Diagnostic, Staged } from "../../../../src/source/diagnostic.ts";
import { checkLoadingTime } from "../../../../src/source/loading.ts";
import { shorten } from "../../../../src/source/shorten.ts";
import type { Source, Span } from "../../../../src/source/source.ts";
import type * as ast from "../ast.ts";
import { bytesOfType } from "../type.ts";
import { Mistake, spanOf } from "./expression.ts";
import { type Line, linesOf } from "./lines.ts";
import { type KernelLine, type LineStatement, StatementGrammar } from "./statement.ts";
import { token } from "./tokens.ts";

const MOST_ERRORS = 100;
const DEEPEST = 64;

let grammar: StatementGrammar | undefined;

export interface ParseOptions {
  /** Bytes of a register, for `%sizeof(GRF)`. */
  readonly grf?: 32 | 64;
  /** Instructions without `.version` and `.kernel`: the body of a nameless kernel. */
  readonly snippet?: boolean;
}

/** Reads a text line by line: a wrong line gets one diagnostic, and the others are still read. */
export function parseVisa(source: Source, options: ParseOptions = {}): Staged<ast.File> {
  const { lines, diagnostics } = linesOf(source);
  grammar ??= new StatementGrammar();
  const file = new Assembly(source, options, diagnostics);
  let ticks = 0;
  for (const line of lines) {
    if (diagnostics.length >= MOST_ERRORS) break;
    const [first] = line;
    if ((++ticks & 0xff) === 0) checkLoadingTime(source, first?.startOffset ?? 0);
    if (first?.tokenType === token.openBrace) file.open(spanOf(first));
    else if (first?.tokenType === token.closeBrace) file.close(spanOf(first));
    else {
      const statement = parseLine(grammar, line, file, source, diagnostics);
      if (statement !== undefined) file.add(statement, line);
    }
  }
  return { value: file.finish(), diagnostics };
}

function parseLine(
  grammar: StatementGrammar,
  line: Line,
  known: Assembly,
  source: Source,
  diagnostics: Diagnostic[],
): LineStatement | undefined {
  try {
    const statement = grammar.parseLine(line, known);
    if (statement !== undefined) return statement;
    const [error] = grammar.errors;
    if (error !== undefined) diagnostics.push(syntax(error, line, source));
  } catch (thrown) {
    if (!(thrown instanceof Mistake)) throw thrown;
    const { code, message, span, expected } = thrown;
    diagnostics.push({
      code,
      severity: "error",
      message,
      source,
      span,
      ...(expected === undefined ? {} : { expected }),
    });
  }
  return undefined;
}

function syntax({ token: found, message }: IRecognitionException, line: Line, source: Source): Diagnostic {
  const ends = Number.isNaN(found.startOffset) || found.image === "";
  const end = spanOfLine(line.slice(-1)).end;
  const span: Span = ends ? { start: end, end } : spanOf(found);
  const what = ends ? "the line ends too soon" : `${shorten(JSON.stringify(found.image))} does not fit here`;
  const expected = message.split("Expecting token of type --> ", 2)[1]?.split(" <--", 1)[0];
  return {
    code: "PTX8002",
    severity: "error",
    message: what,
    source,
    span,
    ...(expected === undefined ? {} : { expected: expected === "EOF" ? "the end of the line" : expected }),
  };
}

const isHead = (statement: LineStatement): statement is KernelLine =>
  "kind" in statement && (statement.kind === "kernel" || statement.kind === "function");

function spanOfLine(line: Line): Span {
  const [first] = line;
  return first === undefined ? { start: 0, end: 0 } : spanOf(first);
}

/** Assembles statements: kernels, and scopes within them. */
class Assembly {
  dispatchSimd = 0;
  readonly #source: Source;
  readonly #options: ParseOptions;
  readonly #diagnostics: Diagnostic[];
  readonly #kernels: { kind: "kernel" | "function"; name: ast.Name; statements: ast.Statement[] }[] = [];
  readonly #scopes: { statements: ast.Statement[]; span: Span }[] = [];
  readonly #sizes = new Map<string, number>();
  #version: ast.Version | undefined;

  constructor(source: Source, options: ParseOptions, diagnostics: Diagnostic[]) {
    this.#source = source;
    this.#options = options;
    this.#diagnostics = diagnostics;
    const span = { start: 0, end: 0 };
    if (options.snippet) this.#kernels.push({ kind: "kernel", name: { text: "", span }, statements: [] });
  }

  sizeOf(name: string): number | undefined {
    return name === "GRF" ? (this.#options.grf ?? 32) : this.#sizes.get(name);
  }

  open(span: Span): void {
    if (this.#scopes.length >= DEEPEST) this.#wrong("PTX8002", `scopes nest more than ${DEEPEST} deep`, span);
    else this.#scopes.push({ statements: [], span });
  }

  close(span: Span): void {
    const scope = this.#scopes.pop();
    if (scope === undefined) {
      this.#wrong("PTX8002", "no scope is open", span);
      return;
    }
    this.#put({ kind: "scope", statements: scope.statements, span: { start: scope.span.start, end: span.end } });
  }

  add(statement: LineStatement, line: Line): void {
    if (!("kind" in statement)) {
      if (this.#version !== undefined || this.#kernels.some(({ name }) => name.text !== ""))
        this.#wrong("PTX8003", ".version comes once and first", statement.span);
      this.#version = statement;
      return;
    }
    if (this.#version === undefined && !this.#options.snippet) {
      this.#wrong("PTX8003", "the file does not begin with its version", spanOfLine(line), ".version 3.8");
      this.#version = { major: 3, minor: 8, span: { start: 0, end: 0 } };
    }
    if (isHead(statement)) {
      this.#endScopes();
      this.#sizes.clear();
      this.#kernels.push({ ...statement, statements: [] });
      return;
    }
    if (statement.kind === "variable")
      this.#sizes.set(statement.name.text, statement.elements * bytesOfType(statement.type));
    if (statement.kind === "attribute" && statement.name.text === "SimdSize")
      this.dispatchSimd = Number(statement.value ?? 0);
    this.#put(statement, line);
  }

  finish(): ast.File {
    this.#endScopes();
    const version = this.#version ?? { major: 3, minor: 8, span: { start: 0, end: 0 } };
    if (this.#kernels.length === 0 && this.#diagnostics.length === 0)
      this.#wrong("PTX8004", "the file has no kernel", { start: 0, end: 0 }, '.kernel "name"');
    return { version, kernels: this.#kernels };
  }

  #put(statement: ast.Statement, line?: Line): void {
    const scope = this.#scopes.at(-1);
    const kernel = this.#kernels.at(-1);
    if (scope !== undefined) scope.statements.push(statement);
    else if (kernel !== undefined) kernel.statements.push(statement);
    else this.#wrong("PTX8004", "this comes before the first kernel", line ? spanOfLine(line) : statement.span);
  }

  #endScopes(): void {
    for (let scope = this.#scopes.at(-1); scope !== undefined; scope = this.#scopes.at(-1)) {
      this.#wrong("PTX8002", "this scope is never closed", scope.span, "} further on");
      this.close(scope.span);
    }
  }

  #wrong(code: "PTX8002" | "PTX8003" | "PTX8004", message: string, span: Span, expected?: string): void {
    this.#diagnostics.push({
      code,
      severity: "error",
      message,
      source: this.#source,
      span,
      ...(expected === undefined ? {} : { expected }),
    });
  }
}
