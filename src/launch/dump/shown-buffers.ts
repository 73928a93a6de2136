import { problem } from "../../host/index.ts";
import { bitsOf } from "../../host/memory/element.ts";
import { BRIEF, type BufferState } from "../../present/buffer.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { NamedBuffer } from "../input/launch-inputs.ts";
import { carrierOf, type DumpView, sizeOf } from "./view.ts";

/** Most elements of buffers that are printed: more than anyone reads, or a file for programs should contain. */
const MOST_SHOWN = 2 ** 20;

/** Elements of a buffer with several sizes that are shown in rows, though nobody asked for them. */
const FEW = 256;

/** A buffer that a dump shows, or writes to a file. */
export type DumpedBuffer = NamedBuffer & {
  readonly brief: boolean;
  /** Elements of its one line; 8 without it. */
  readonly few?: number;
  readonly file?: string;
  readonly view?: DumpView;
};

/** The buffers of a dump; too long output is cut, with a note. */
export function shownBuffers(
  { buffers }: { readonly buffers: readonly DumpedBuffer[] },
  asJson: boolean,
): { value: BufferState[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  let room = MOST_SHOWN;
  const value = buffers.flatMap((dumped): BufferState[] => {
    const { name, type: own, buffer, file, view, few = BRIEF } = dumped;
    if (file !== undefined) return [];
    const type = view?.type ?? own;
    const size = sizeOf(type);
    const all = Math.floor(buffer.bytes / size);
    // A type alone is a view of all elements.
    const shape = view?.shape ?? (view?.type === undefined ? dumped.shape : [all]);
    const brief = dumped.brief && !(dumped.shape !== undefined && all <= FEW);
    const length = shape?.reduce((product, each) => product * each, 1) ?? all;
    const count = Math.min(length, brief && !asJson ? few : room);
    const bits = bitsOf(buffer.read(0, count * size), carrierOf(type));
    if (!brief || asJson) room -= count;
    if (count < length && (!brief || asJson)) {
      const cut = tooMuch(`${name} has ${length} elements, of which the first ${count} are shown`);
      const help = [{ message: `--dump ${name}=@FILE writes them all` }];
      // The user has not requested all of a buffer that is shown by default.
      diagnostics.push({ ...cut, help, severity: brief ? "note" : "error" });
    }
    return [
      {
        name,
        type,
        bits,
        brief,
        few,
        ...(count < length && { length }),
        ...(shape && { shape }),
        ...(shape === dumped.shape && dumped.channels !== undefined && { channels: dumped.channels }),
        ...(view?.all && { all: true }),
        ...(/^b\d/.test(view?.type ?? "") && { digits: "alone" as const }),
      },
    ];
  });
  return { value, diagnostics };
}

/** The diagnostic for too long output. */
export const tooMuch = (message: string): Diagnostic => problem("PTX6006", message, { expected: "less to print" });
