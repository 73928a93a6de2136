import { readBytes } from "../../environment/file.ts";
import type { Reach } from "../../environment/reach.ts";
import { type ElementType, isElementType, problem } from "../../host/index.ts";
import { bytesFrom, bytesOf, formatOf, fromValue, writeBits } from "../../host/memory/element.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import { checkTime, LoadingStopped } from "../../source/loading.ts";
import { readNpy } from "../input/npy.ts";
import type { Assignment } from "./assignment.ts";
import type { ValueForm } from "./form.ts";
import { drawn } from "./recipe.ts";
import { scalars } from "./scalar.ts";

/** The contents of a new buffer: bytes of a type, or a number of undefined bytes. */
export interface BufferContents {
  readonly type: ElementType;
  readonly contents: Uint8Array | number;
  /** Its sizes, the slowest axis first, where it was given several. */
  readonly shape?: readonly number[];
}

/** The limit on a buffer's bytes; a larger count is an error and not a shortage of memory. */
const MAX_BUFFER_BYTES = 2 ** 31;

/** The contents for a value. Diagnostics point into the assignment. */
export function bufferContents(
  form: ValueForm & { kind: "buffer" | "file" },
  assignment: Assignment,
  reach: Reach,
): Staged<BufferContents | undefined> {
  if (form.kind === "file") return fromFile(form.path, assignment, reach);
  const bytes = form.count * bytesOf(form.type);
  const { maxBytes = MAX_BUFFER_BYTES } = reach;
  const { source, value } = assignment;
  const place = { source, span: value.span };
  if (bytes <= Math.min(maxBytes, MAX_BUFFER_BYTES))
    try {
      const made = fromSpelling(form, assignment, () => checkTime(reach.time, place));
      return made.value && form.shape ? { ...made, value: { ...made.value, shape: form.shape } } : made;
    } catch (stopped) {
      if (!(stopped instanceof LoadingStopped)) throw stopped;
      return { value: undefined, diagnostics: [stopped.diagnostic] };
    }
  // Checked before the contents are computed, so that a buffer without room fails fast.
  const diagnostic =
    bytes > MAX_BUFFER_BYTES
      ? problem("PTX2103", `${bytes} bytes are too many`, { ...place, expected: "2 GiB at most" })
      : problem("PTX6003", `no room for ${assignment.name.text}, ${bytes} bytes`, {
          ...place,
          expected: `${maxBytes} bytes at most`,
        });
  return { value: undefined, diagnostics: [diagnostic] };
}

/** The error for a buffer that does not fit on a device, with the remedy. */
export function noRoom(
  name: string,
  { contents }: BufferContents,
  { source, value }: Assignment,
  { shortage }: { readonly shortage: string | undefined },
): Diagnostic {
  const bytes = typeof contents === "number" ? contents : contents.length;
  return problem("PTX6003", `no room for ${name}, ${bytes} bytes`, {
    source,
    span: value.span,
    // A higher limit does not help where the system provides less than the limit allows.
    ...(shortage === undefined
      ? { expected: "fewer bytes, or a higher --max-mem" }
      : { help: [{ message: shortage }] }),
  });
}

function fromSpelling(
  { type, count, fill }: ValueForm & { kind: "buffer" },
  { source, value }: Assignment,
  goOn: () => void,
): Staged<BufferContents | undefined> {
  const diagnostics: Diagnostic[] = [];
  const wrong = (message: string, expected: string): Staged<undefined> => ({
    value: undefined,
    diagnostics: [problem("PTX2103", message, { source, span: value.span, expected })],
  });
  if (fill.kind === "none") return { value: { type, contents: count * bytesOf(type) }, diagnostics };
  if (fill.kind === "iota") {
    if (count > 0 && fromValue(count - 1, type) === undefined)
      return wrong(`.${type} does not hold ${count - 1}`, "fewer elements");
    return { value: { type, contents: iota(type, count, goOn) }, diagnostics };
  }
  if (fill.kind === "recipe") {
    const contents = drawn(fill.recipe, type, count, goOn);
    const { from, to } = fill.recipe;
    return contents === undefined
      ? wrong(`.${type} does not hold all of ${from}..${to}`, "ends that are values of it")
      : { value: { type, contents }, diagnostics };
  }
  const start = value.span.start + fill.at;
  const part = { text: fill.text, span: { start, end: start + fill.text.length } };
  const parsed = scalars(part, type, source, fill.kind === "value" ? 1 : undefined);
  if (parsed.value === undefined || hasErrors(parsed.diagnostics))
    return { value: undefined, diagnostics: parsed.diagnostics };
  const list = parsed.value;
  if (fill.kind === "list" && list.length !== count) {
    const given = `${list.length} value${list.length === 1 ? "" : "s"}`;
    return wrong(`${given} for ${count} elements`, `${count} values, or fill=VALUE`);
  }
  const one = bytesFrom(list, type);
  if (fill.kind === "list") return { value: { type, contents: one }, diagnostics };
  const contents = new Uint8Array(count * one.length);
  if (one.every((byte) => byte === one[0])) contents.fill(one[0] ?? 0);
  else {
    if (count > 0) contents.set(one);
    for (let filled = one.length; filled < contents.length; filled *= 2) contents.copyWithin(filled, 0, filled);
  }
  return { value: { type, contents }, diagnostics };
}

/** 0, 1, 2 ... in a type, rounded to nearest even where the type cannot represent them. */
function iota(type: ElementType, count: number, goOn: () => void): Uint8Array {
  const size = bytesOf(type);
  const bytes = new Uint8Array(count * size);
  const view = new DataView(bytes.buffer);
  const float = formatOf(type) !== undefined;
  for (let index = 0; index < count; index++) {
    if (index % 2 ** 12 === 0) goOn();
    const at = index * size;
    if (type === "f32") view.setFloat32(at, index, true);
    else if (type === "f64") view.setFloat64(at, index, true);
    else if (float) writeBits(view, at, size, fromValue(index, type) ?? 0n);
    else if (size === 1) view.setUint8(at, index);
    else if (size === 2) view.setUint16(at, index, true);
    else view.setUint32(at, index, true);
  }
  return bytes;
}

function fromFile(path: string, { source, value, type }: Assignment, reach: Reach): Staged<BufferContents | undefined> {
  const place = { source, span: value.span };
  const wrong = (message: string): Staged<undefined> => ({
    value: undefined,
    diagnostics: [problem("PTX2014", `${path}: ${message}`, place)],
  });
  const { value: bytes, diagnostics } = readBytes(path, reach, place);
  if (bytes === undefined) return { value: undefined, diagnostics };
  const given = type?.text;
  if (given !== undefined && !isElementType(given)) return wrong(`.${given} is not a type of elements`);
  if (!path.endsWith(".npy")) {
    const element = given ?? "b8";
    if (bytes.length % bytesOf(element) !== 0)
      return wrong(`${bytes.length} bytes are not a whole number of .${element}`);
    return { value: { type: element, contents: bytes }, diagnostics };
  }
  const npy = readNpy(bytes);
  if (typeof npy === "string") return wrong(npy);
  if (given !== undefined && bytesOf(given) !== bytesOf(npy.type))
    return wrong(`its elements are .${npy.type}, not .${given}`);
  const shape = npy.shape.length > 1 ? { shape: npy.shape } : {};
  return { value: { type: given ?? npy.type, contents: npy.bytes, ...shape }, diagnostics };
}
