const commands: ReadonlySet<string> = new Set([
  "campaign",
  "check",
  "completion",
  "dap",
  "diff",
  "exec",
  "explain",
  "isa",
  "lint",
  "litmus",
  "lsp",
  "man",
  "repl",
  "sweep",
  "trace",
  "visa",
]);
const short: ReadonlySet<string> = new Set(["-V", "--version", "-h", "--help", "help"]);

/**
 * Which part of ptxrun a command line uses. Each has a code cache of its own: what a cache holds costs time to read, so
 * it should hold what its runs need and no more. A wrong guess costs that time and nothing else.
 */
export function kindOf([first = "", ...rest]: readonly string[]): string {
  if (commands.has(first)) return first;
  if (short.has(first)) return "help";
  return [first, ...rest].some((word) => /^(?:-e|--eval)/.test(word)) ? "snippet" : "run";
}
