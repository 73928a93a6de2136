import type { Reach } from "../../environment/reach.ts";
import { isModuleText, type Launch } from "../../host/index.ts";
import { problem } from "../../host/problem.ts";
import { KeptOutput } from "../../launch/dump/kept-output.ts";
import { ImageInputs } from "../../launch/image/image-inputs.ts";
import { InputReport } from "../../launch/input/input-report.ts";
import type { Inputs, Named } from "../../launch/input/launch-inputs.ts";
import { readMemory } from "../../launch/input/memory-input.ts";
import { launch } from "../../launch/launch.ts";
import { type Loaded, load } from "../../launch/program.ts";
import { Setup } from "../../launch/setup.ts";
import { type Assignment, readAssignment } from "../../launch/value/assignment.ts";
import { bufferContents, noRoom } from "../../launch/value/buffer.ts";
import { valueForm } from "../../launch/value/form.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { goOn, type Limited, limited } from "../../system/limits.ts";
import { repeatCheck } from "./case/repeat.ts";
import type { CaseRun } from "./case/run.ts";
import { watch } from "./case/watched.ts";
import type { CaseLine, LaunchLine } from "./file/directive.ts";
import { readArgs } from "./options.ts";

/**
 * Runs a case's launches one after the other on one device. The left side of the case names buffers and values; a
 * launch uses one with `PARAMETER==NAME`, or because its parameter has that name. It ends with the first launch that
 * does not run to its end.
 */
export async function runPipeline(
  program: Source,
  line: CaseLine,
  options: Limited,
  readable: Reach,
): Promise<Staged<CaseRun | undefined>> {
  const { source } = line;
  const diagnostics: Diagnostic[] = [];
  const first = entryOf(line.launches[0]);
  const loaded = load(
    program,
    { ...options, ...(first === undefined || !isModuleText(program) ? {} : { entry: first }) },
    () => options.slicing.now(),
  );
  diagnostics.push(...loaded.diagnostics);
  if (loaded.value === undefined) return { value: undefined, diagnostics };
  const reach = { ...readable, ...(loaded.value.time && { time: loaded.value.time }) };
  diagnostics.push(...readMemory(loaded.value, options.memory, reach));
  const names = readNames(line, loaded.value, reach, diagnostics);
  const buffers = [...names.values()].flatMap(({ buffer }) => buffer ?? []);
  const watched = watch(line, loaded.value, buffers);
  const launches: Launch[] = [];
  const kept = new KeptOutput();
  const print = (text: string): void => kept.add(text);
  for (const each of line.launches) {
    if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
    const launched = await runOne(line, each, loaded.value, names, options, reach, diagnostics, print);
    if (launched === undefined) return { value: undefined, diagnostics };
    launches.push(launched);
    if (launched.stop.reason !== "exit") break;
    // Frees its shared and local memory for the next launch; registers stay readable.
    launched.session.close();
  }
  const unused = [...names].find(([, { used }]) => !used);
  const complete = launches.length === line.launches.length;
  if (unused !== undefined && complete) {
    const [name, { assignment }] = unused;
    const expected = `a launch with PARAMETER==${name}`;
    diagnostics.push(problem("PTX7011", `no launch takes ${name}`, { source, span: assignment.name.span, expected }));
  }
  const repeat = () => repeatCheck(program.name, line.name);
  const start: CaseRun["start"] = new Map();
  return {
    value: { loaded: loaded.value, inputs: { buffers }, start, watched, launches, printed: kept.text, repeat },
    diagnostics,
  };
}

const entryOf = (line: LaunchLine | undefined): string | undefined => line?.kernel.text;

function readNames(
  line: CaseLine,
  { device, kernel, module }: Loaded,
  reach: Reach,
  diagnostics: Diagnostic[],
): Map<string, Named> {
  const { source } = line;
  const names = new Map<string, Named>();
  const setup = new Setup(device, kernel, module, reach);
  for (const part of line.inputs) {
    const { value: assignment, diagnostics: wrong } = readAssignment(source, part.span);
    diagnostics.push(...wrong);
    if (assignment === undefined) continue;
    const { text } = assignment.name;
    const at = { source, span: assignment.name.span };
    if (names.has(text))
      diagnostics.push(problem("PTX2004", `${text} is given twice`, { ...at, expected: "one value" }));
    else if (text.startsWith("%") || text.toLowerCase() === "cc.cf")
      diagnostics.push(
        problem("PTX7011", `${text} is a register, and a pipeline has several kernels`, {
          ...at,
          expected: "a buffer, a value or a variable",
        }),
      );
    else if (module?.variable(text) !== undefined) setup.global(assignment);
    else {
      const named = readNamed(assignment, device, reach, diagnostics);
      if (named !== undefined) names.set(text, named);
    }
  }
  diagnostics.push(...setup.diagnostics);
  return names;
}

function readNamed(
  assignment: Assignment,
  device: Loaded["device"],
  reach: Reach,
  diagnostics: Diagnostic[],
): Named | undefined {
  const form = valueForm(assignment.value.text);
  if (form.kind === "image") {
    const report = new InputReport();
    const image = new ImageInputs(device, reach, report).make(assignment.name.text, assignment);
    diagnostics.push(...report.diagnostics);
    return image && { assignment, ...image, used: false };
  }
  if (form.kind !== "buffer" && form.kind !== "file") return { assignment, used: false };
  const { value: made, diagnostics: wrong } = bufferContents(form, assignment, reach);
  diagnostics.push(...wrong);
  if (made === undefined) return undefined;
  const { text: name } = assignment.name;
  const buffer = device.allocate(made.contents, { name });
  if (buffer === undefined) {
    diagnostics.push(noRoom(name, made, assignment, device));
    return undefined;
  }
  return { assignment, buffer: { name, type: made.type, buffer }, used: false };
}

async function runOne(
  { source, args }: CaseLine,
  line: LaunchLine,
  { device, module }: Loaded,
  names: ReadonlyMap<string, Named>,
  limits: Limited,
  reach: Reach,
  diagnostics: Diagnostic[],
  print: (text: string) => void,
): Promise<Launch | undefined> {
  const options = readArgs(source, args, line.options);
  const kernel = module?.kernel(line.kernel.text);
  const wrong = [...options.diagnostics, ...(kernel?.diagnostics ?? [])];
  diagnostics.push(
    ...wrong.map((each) => (each.source === undefined ? { ...each, source, span: line.kernel.span } : each)),
  );
  if (module === undefined)
    diagnostics.push(
      problem("PTX7011", "a snippet has no kernels to launch", { source, span: line.span, expected: "a module" }),
    );
  if (options.value === undefined || kernel?.value === undefined) return undefined;
  const inputs = gather(source, line, new Setup(device, kernel.value, module, reach, names), diagnostics);
  if (hasErrors(diagnostics)) return undefined;
  const { schedule } = limits;
  const seeded = limits.seeds === undefined || schedule === undefined ? options.value : { ...options.value, schedule };
  const launched = await launch(kernel.value, inputs, limited(seeded, limits), limits.slicing, print);
  if (launched.value !== undefined) goOn(launched.value);
  diagnostics.push(
    ...launched.diagnostics.map((each) => (each.source.name === "" ? { ...each, source, span: line.span } : each)),
  );
  return launched.value;
}

function gather(source: Source, line: LaunchLine, setup: Setup, diagnostics: Diagnostic[]): Inputs {
  for (const part of line.inputs) {
    const { value: assignment, diagnostics: wrong } = readAssignment(source, part.span);
    setup.diagnostics.push(...wrong);
    if (assignment !== undefined) setup.argument(assignment);
  }
  const inputs = setup.finish();
  diagnostics.push(...setup.diagnostics);
  const missing = inputs.missing.filter(({ kind }) => kind === "parameter").map(({ name }) => name);
  if (missing.length > 0 && !hasErrors(setup.diagnostics)) {
    const expected = missing.map((name) => `${name}=VALUE`).join(" ");
    const message = `the launch of ${line.kernel.text} gives no ${missing.join(", ")}`;
    diagnostics.push(problem("PTX7004", message, { source, span: line.span, expected }));
  }
  return inputs;
}
