import { CommanderError } from "commander";
import { problem } from "../../host/problem.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import type { SpannedText } from "../../launch/value/assignment.ts";
import type { Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { launchCommand } from "../run/options.ts";
import { twoOrders } from "../run/seeds.ts";
import { quotedWords } from "../shell-line.ts";

/** Launch options of a case: those of its `//@ args:` line. */
export type CaseOptions = RunCommandOptions;

/**
 * The options of a `//@ args:` line, and after them those of a `//@ launch` line, read by the same definitions as the
 * command line.
 */
export function readArgs(
  source: Source,
  ...lines: readonly (SpannedText | undefined)[]
): Staged<CaseOptions | undefined> {
  if (lines.every((line) => line === undefined || line.text === "")) {
    // Most files have no options, and setting up commander for each would take longer than running most
    // cases.
    defaults ??= parse(source, []);
    return defaults;
  }
  return parse(source, lines);
}

let defaults: Staged<CaseOptions | undefined> | undefined;

function parse(source: Source, lines: readonly (SpannedText | undefined)[]): Staged<CaseOptions | undefined> {
  const command = launchCommand()
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} });
  try {
    command.parse(
      lines.flatMap((line) => (line === undefined ? [] : quotedWords(line.text))),
      { from: "user" },
    );
    const both = twoOrders(command.opts<RunCommandOptions>());
    if (both !== undefined) throw new CommanderError(2, "ptxrun.conflict", both.message);
    const output = { format: "text", color: "never" } as const;
    return { value: { ...output, ...command.opts<Pick<CaseOptions, "sanitize">>() }, diagnostics: [] };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const [message = ""] = error.message.replace(/^error: /, "").split("\n");
    const last = lines.findLast((line) => line !== undefined);
    const place = last === undefined ? {} : { span: last.span };
    const expected = "options that say how to launch: --target, --grid, --block ...";
    return { value: undefined, diagnostics: [problem("PTX7002", message, { source, ...place, expected })] };
  }
}
