import { writeFile } from "../../environment/file.ts";
import type { Files } from "../../environment/files.ts";
import { problem } from "../../host/problem.ts";
import { EXCLUSIVE_COLUMNS, TENSOR_LANES } from "../../interp/contract/matrix/tensor-memory.ts";
import type { TensorMemoryView } from "../../interp/contract/views.ts";
import type { Session } from "../../interp/machine/session.ts";
import { MachineView } from "../../interp/tools/machine-view.ts";
import type { TensorState } from "../../present/state.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import { writeNpy } from "../input/npy.ts";
import type { RunCommandOptions } from "../options.ts";
import { optionSource } from "../value/assignment.ts";

/** First and last. */
type Range = readonly [number, number];

/** `--dump tensor`, `--dump tensor:0-7:32-39=@t.npy`: lanes and columns of a block's tensor memory. */
export interface TensorDump {
  /** As it was written. */
  readonly dump: string;
  readonly lanes?: Range;
  readonly columns?: Range;
  readonly file?: string;
}

/** Reads one; undefined for a dump of something else. `what` is the part before `=@`. */
export function tensorDump(dump: string, what: string, file: string | undefined): TensorDump | Diagnostic | undefined {
  const [name, ...parts] = what.split(":");
  if (name !== "tensor") return undefined;
  const ends = [TENSOR_LANES, EXCLUSIVE_COLUMNS];
  const ranges = parts.map((part, at) => rangeOf(part, ends[at] ?? 0));
  const wrong = ranges.indexOf(undefined);
  if (wrong >= 0) return outside(dump, wrong);
  const [lanes, columns] = ranges;
  return { dump, ...(lanes && { lanes }), ...(columns && { columns }), ...(file !== undefined && { file }) };
}

/** The part of `tensor:LANES:COLUMNS` that names none of those there are. */
function outside(dump: string, part: number): Diagnostic {
  const parts = (dump.split("=@")[0] ?? "").split(":").slice(1);
  const start = ["tensor", ...parts.slice(0, part)].join(":").length + 1;
  return problem("PTX2210", `${parts[part]} names no ${part === 0 ? "lanes" : "columns"} of tensor memory`, {
    source: optionSource("--dump", dump),
    span: { start, end: start + (parts[part] ?? "").length },
    expected: "tensor, tensor:LANES or tensor:LANES:COLUMNS, such as tensor:0-31:0-7",
  });
}

/** `3` or `0-7`. */
function rangeOf(text: string, end: number): Range | undefined {
  const found = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(text);
  const from = Number(found?.[1]);
  const to = Number(found?.[2] ?? found?.[1]);
  return from <= to && to < end ? [from, to] : undefined;
}

/** The shown part: without a range, the smallest range of lanes and columns with all written words. */
export function tensorStates(
  session: Session,
  dumps: readonly TensorDump[],
  { thread }: Pick<RunCommandOptions, "thread">,
): Staged<readonly TensorState[]> {
  const diagnostics: Diagnostic[] = [];
  const value = dumps.flatMap((dump): TensorState[] => {
    if (dump.file !== undefined) return [];
    const { value: view, diagnostics: missing } = viewOf(session, dump, thread);
    diagnostics.push(...missing);
    if (view === undefined) return [];
    const { lanes, columns } = dump;
    const [down, across] =
      lanes && columns ? [lanes, columns] : written(view, lanes ?? ALL_LANES, columns ?? allColumns(view));
    const words = each(down, (lane) => each(across, (column) => view.word(lane, column)));
    return [{ block: view.block, lane: down[0], column: across[0], words }];
  });
  return { value, diagnostics };
}

/** Writes tensor memory to a file, all of it without a range: u32 by lane and column, 0 where nothing was written. */
export function writeTensor(
  session: Session,
  dump: TensorDump,
  file: string,
  files: Files,
  { thread }: Pick<RunCommandOptions, "thread">,
): readonly Diagnostic[] {
  const { value: view, diagnostics } = viewOf(session, dump, thread);
  if (view === undefined) return diagnostics;
  const { lanes = ALL_LANES, columns = allColumns(view) } = dump;
  const words = each(lanes, (lane) => each(columns, (column) => view.word(lane, column) ?? 0)).flat();
  const bytes = new Uint8Array(words.length * 4);
  const data = new DataView(bytes.buffer);
  for (const [at, word] of words.entries()) data.setUint32(at * 4, word, true);
  const shape = [lanes, columns].map(([first, last]) => last - first + 1);
  return writeFile(file, file.endsWith(".npy") ? writeNpy(bytes, "u32", shape) : bytes, files);
}

const ALL_LANES: Range = [0, TENSOR_LANES - 1];
const allColumns = ({ columns }: TensorMemoryView): Range => [0, columns - 1];

const each = <T>([first, last]: Range, of: (at: number) => T): T[] =>
  Array.from({ length: last - first + 1 }, (_, at) => of(first + at));

/** Tensor memory of the block of `--thread`, the first one by default. */
function viewOf(
  session: Session,
  { dump, columns }: TensorDump,
  thread: RunCommandOptions["thread"],
): Staged<TensorMemoryView | undefined> {
  const block = thread === undefined || thread === "all" ? 0 : thread[0];
  const value = new MachineView(session).tensorMemory(block);
  if (value !== undefined && columns !== undefined && columns[1] >= value.columns)
    return { value: undefined, diagnostics: [outside(dump, 1)] };
  if (value !== undefined) return { value, diagnostics: [] };
  const source = optionSource("--dump", dump);
  const message = `block ${block} has no tensor memory: the program uses none, or another block has taken its place`;
  const help = [{ message: "a block's tensor memory is kept until another block takes its place: run fewer blocks" }];
  return { value, diagnostics: [problem("PTX2210", message, { source, span: { start: 0, end: dump.length }, help })] };
}

/** The smallest part of a range with all its written words; none where nothing was written. */
function written({ word }: TensorMemoryView, lanes: Range, columns: Range): readonly [Range, Range] {
  let [down, across]: [Range, Range] = [NONE, NONE];
  for (let lane = lanes[0]; lane <= lanes[1]; lane++)
    for (let column = columns[0]; column <= columns[1]; column++) {
      if (word(lane, column) === undefined) continue;
      down = [Math.min(down[0], lane), Math.max(down[1], lane)];
      across = [Math.min(across[0], column), Math.max(across[1], column)];
    }
  return down === NONE
    ? [
        [lanes[0], lanes[0] - 1],
        [columns[0], columns[0] - 1],
      ]
    : [down, across];
}

const NONE: Range = [Number.POSITIVE_INFINITY, -1];
