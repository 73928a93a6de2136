import { choose } from "../../../packages/memory-model/litmus/excerpt/choose.ts";
import { Recording } from "../../../packages/memory-model/litmus/excerpt/recording.ts";
import { excerptAsLitmus } from "../../../packages/memory-model/litmus/excerpt/text.ts";
import { Exit, type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { inSlices, type WatchedSlicing } from "../../environment/slicing.ts";
import { problem } from "../../host/problem.ts";
import { volume } from "../../interp/contract/launch/dim3.ts";
import type { Session } from "../../interp/machine/session.ts";
import { launchExtents } from "../../launch/extents.ts";
import { setUp } from "../../launch/input/inputs.ts";
import { launch } from "../../launch/launch.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import { load } from "../../launch/program.ts";
import { type Diagnostic, hasErrors } from "../../source/diagnostic.ts";
import type { Span } from "../../source/source.ts";
import { readProgram } from "../run/text.ts";
import type { LitmusOptions } from "./arguments.ts";

/** `ptxrun litmus --from`: runs a kernel, and prints what two or three of its threads do to the same memory as a litmus test. */
export const excerpt = (file: string, { why: _, ...given }: LitmusOptions, io: Io): Promise<ExitCode> =>
  inSlices(io, given.quiet !== true, async (slicing) => {
    const options: RunCommandOptions = { ...given, sanitize: checks, executor: "js" };
    const diagnostics: Diagnostic[] = [];
    const text = await excerptOf(file, options, slicing, diagnostics);
    report(diagnostics, options, io);
    if (text === undefined) return worst(diagnostics.map(exitOf));
    slicing.io.out(text);
    return Exit.ok;
  });

/** Data races say which threads are asked about. */
const checks = { mem: true, init: false, sync: true, race: true };

async function excerptOf(
  file: string,
  options: RunCommandOptions,
  slicing: WatchedSlicing,
  diagnostics: Diagnostic[],
): Promise<string | undefined> {
  const { io } = slicing;
  const { value: source, diagnostics: unread } = readProgram(file, options, io);
  diagnostics.push(...unread);
  if (source === undefined) return undefined;
  const { value: loaded, diagnostics: wrong } = load(source, options, io.now);
  diagnostics.push(...wrong);
  if (loaded === undefined || hasErrors(diagnostics)) return undefined;
  const inputs = setUp(loaded, options, io, diagnostics);
  if (hasErrors(diagnostics)) return undefined;
  const { kernel } = loaded;
  const { program } = kernel;
  const { grid, block, cluster } = launchExtents(program, options);
  let recording: Recording | undefined;
  let session: Session | undefined;
  const watch = (begun: Session): void => {
    session = begun;
    if (begun.state === undefined) return;
    recording = new Recording(begun, volume(block));
    begun.observe(recording);
  };
  slicing.begin("the launch");
  const { value: ended, diagnostics: refused } = await launch(kernel, inputs, options, slicing, () => {}, watch);
  diagnostics.push(...refused);
  if (ended === undefined || recording === undefined) return undefined;
  if (ended.stop.reason === "trap") diagnostics.push(ended.stop.diagnostic);
  const pcAt = ({ start }: Span): number => program.code.findIndex(({ span }) => span.start === start);
  const raced = ended.findings
    .filter(({ code }) => code === "PTX4002")
    .map(({ span, related = [] }) => [pcAt(span), pcAt(related[0]?.span ?? span)] as const);
  const chosen = choose(recording.all, raced);
  if (chosen === undefined) {
    const message = "no two threads access the same memory, so there is no question to ask";
    diagnostics.push(
      problem("PTX1919", message, { expected: "a launch in which one thread writes what another one reads" }),
    );
    return undefined;
  }
  const { allocations } = session!.state!.context.memory;
  const words = [`--grid ${grid.join(",")}`, `--block ${block.join(",")}`];
  return excerptAsLitmus(chosen, recording, {
    program,
    kernel: kernel.name,
    launch: words.join(" "),
    grid,
    cluster,
    rangeAt: (at) => allocations.find(at),
  });
}
