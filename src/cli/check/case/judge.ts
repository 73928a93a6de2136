import type { Reach } from "../../../environment/reach.ts";
import { type ElementType, isElementType, problem, unknownRegister } from "../../../host/index.ts";
import { bitsOf, bytesFrom, bytesOf } from "../../../host/memory/element.ts";
import type { Result } from "../../../interp/contract/program.ts";
import type { RegisterView } from "../../../interp/contract/views.ts";
import type { Session } from "../../../interp/machine/session.ts";
import { findBuffer, notKept } from "../../../launch/dump/dump.ts";
import { threadId } from "../../../launch/extents.ts";
import { findRegister } from "../../../launch/find-register.ts";
import type { Inputs, NamedBuffer } from "../../../launch/input/launch-inputs.ts";
import type { RunCommandOptions } from "../../../launch/options.ts";
import type { Loaded } from "../../../launch/program.ts";
import type { SpannedText } from "../../../launch/value/assignment.ts";
import { type BufferContents, bufferContents } from "../../../launch/value/buffer.ts";
import { valueForm } from "../../../launch/value/form.ts";
import { registerBits, scalars } from "../../../launch/value/scalar.ts";
import type { Diagnostic, Staged } from "../../../source/diagnostic.ts";
import type { Source } from "../../../source/source.ts";
import { spellValues } from "../file/spell.ts";
import { compare, type Mismatch } from "./compare.ts";
import { type Expectation, otherExpectation } from "./expectation.ts";

type ValueExpectation = Expectation & { kind: "value" };

/** The result of judging one expectation. */
export interface Judgement {
  readonly mismatches: readonly Mismatch[];
  /** The value after the run, spelled as this expectation; absent when it holds or cannot be written as one. */
  readonly now?: string;
}

/** Most elements of a buffer that an expectation is rewritten to; larger results belong in a snapshot. */
const MAX_REWRITTEN_ELEMENTS = 1024;

const nothing: Judgement = { mismatches: [] };

/** Compares one expectation with the state after the run. */
export function judge(
  expectation: ValueExpectation,
  session: Session,
  loaded: Loaded,
  inputs: Pick<Inputs, "buffers">,
  { thread }: Pick<RunCommandOptions, "thread">,
  reach: Reach,
): Staged<Judgement> {
  const { name, source } = expectation;
  const [block, at] = thread === undefined || thread === "all" ? [0, 0] : thread;
  const id = threadId({ block, thread: at }, session.program);
  if (name.text.toLowerCase() === "cc.cf") {
    const now = BigInt(session.carry(id));
    if (isOpen(expectation)) return stillOpen(expectation, String(now));
    const expected = expectation.value.text === "1" ? 1n : 0n;
    return judged(compare("cc.cf", "pred", 1, expected, now, 0), String(now));
  }
  const buffer = findBuffer(name.text, inputs, loaded);
  if (buffer !== undefined) return judgeBuffer(expectation, buffer, reach, buffer.name);
  const result = session.program.results?.find((each) => each.name === name.text);
  if (result !== undefined && result.registers.length > 1) {
    const array = arrayOf(result, session.registers(id));
    if (array !== undefined) return judgeBuffer(expectation, array, reach);
  }
  const register =
    loaded.module === undefined ||
    result !== undefined ||
    name.text.startsWith("%") ||
    session.program.dispatchSlot !== undefined
      ? findRegister(session.program, name.text)
      : undefined;
  if (register === undefined) return { value: nothing, diagnostics: [unknown(expectation, loaded)] };
  const view = session.registers(id).find((each) => each.name === register.name);
  if (view === undefined)
    return { value: nothing, diagnostics: [{ ...notKept({ block, thread: at }), source, span: name.span }] };
  const type = expectation.type?.text ?? register.type;
  const now = spellValues(view.bits, type, register.bits, expectation.value.text);
  if (isOpen(expectation)) return stillOpen(expectation, now);
  const { value: wanted, diagnostics } = registerBits(
    expectation.value,
    register,
    expectation.type,
    source,
    session.program,
  );
  if (wanted === undefined) return { value: nothing, diagnostics };
  const mismatches = wanted.flatMap((bits, index) => {
    const what = wanted.length > 1 ? `${name.text}.${"xyzw"[index]}` : name.text;
    return compare(what, type, register.bits, bits, view.bits[index] ?? 0n, expectation.ulp);
  });
  return judged(mismatches, now);
}

const judged = (mismatches: readonly Mismatch[], now: string | undefined): Staged<Judgement> => ({
  value: mismatches.length === 0 || now === undefined ? { mismatches } : { mismatches, now },
  diagnostics: [],
});

/** `NAME=?`: still open. */
const isOpen = ({ value }: ValueExpectation): boolean => value.text === "?";

function stillOpen({ name, value, source }: ValueExpectation, now: string | undefined): Staged<Judgement> {
  const diagnostic = problem("PTX7013", `${name.text} is left open`, {
    source,
    span: value.span,
    ...(now === undefined ? {} : { expected: now }),
    help: [{ message: now === undefined ? "it is too long for a line" : "check --update fills it in" }],
  });
  return { value: now === undefined ? nothing : { mismatches: [], now }, diagnostics: [diagnostic] };
}

function unknown({ name, value, source, span }: ValueExpectation, { module, kernel }: Loaded): Diagnostic {
  const other = otherExpectation(name.text, value.text);
  if (other !== undefined)
    return problem("PTX7002", `${name.text} is not a register of the program`, {
      source,
      span,
      expected: `NAME=VALUE, or ${other}`,
      help: [
        { message: `did you mean ${other}?`, ...(!/KIND|NAME/.test(other) && { replace: { span, text: other } }) },
      ],
    });
  if (module === undefined || name.text.startsWith("%")) {
    return { ...unknownRegister(kernel.program, name.text), source, span: name.span };
  }
  return problem("PTX2210", `${name.text} is neither a buffer of this case nor a variable`, {
    source,
    span: name.span,
    expected: "a parameter with a buffer, a variable, or a register with its percent sign",
  });
}

/** Values compared element by element: a buffer, or an array that a function returned. */
interface Elements {
  readonly type: string;
  readonly buffer: Pick<NamedBuffer["buffer"], "bytes" | "read">;
}

/** The elements of an array that a function returned, readable in any type. */
function arrayOf({ registers }: Result, views: readonly RegisterView[]): Elements | undefined {
  const { type: own, bits: width } = registers[0] ?? { type: "b8", bits: 8 };
  const type = isElementType(own) ? own : `b${width}`;
  const bits = registers.map((register) => views.find(({ name }) => name === register.name)?.bits[0]);
  const known = bits.filter((each) => each !== undefined);
  if (known.length !== bits.length || !isElementType(type)) return undefined;
  const bytes = bytesFrom(known, type);
  const read = (offset = 0, count = bytes.length - offset) => bytes.subarray(offset, offset + count);
  return { type, buffer: { bytes: bytes.length, read } };
}

/** `shown`: the name in what is said, where the expectation has a number. */
function judgeBuffer(
  expectation: ValueExpectation,
  { type: own, buffer }: Elements,
  reach: Reach,
  shown: string = expectation.name.text,
): Staged<Judgement> {
  const { value, type: chosen, source, element, ulp } = expectation;
  const wrong = (message: string, expected: string, now?: string): Staged<Judgement> => ({
    value: now === undefined ? nothing : { mismatches: [], now },
    diagnostics: [problem("PTX2102", message, { source, span: value.span, expected })],
  });
  const form = valueForm(value.text);
  const made = form.kind === "buffer" || form.kind === "file" ? bufferContents(form, expectation, reach) : undefined;
  const type = made?.value?.type ?? chosen?.text ?? own;
  if (!isElementType(type)) return wrong(`.${type} is not a type of elements`, "f32, u8 or the like");
  const size = bytesOf(type);
  const elements = Math.floor(buffer.bytes / size);
  const first = element ?? 0;
  const count = element === undefined ? elements : element < elements ? 1 : 0;
  /** Some of its elements: a buffer may be as large as the device. */
  const bitsAt = (from: number, number: number) => bitsOf(buffer.read((first + from) * size, number * size), type);
  const width = size * 8;
  const list =
    count > MAX_REWRITTEN_ELEMENTS || form.kind === "file"
      ? undefined
      : spellValues(bitsAt(0, count), type, width, value.text);
  const now = list !== undefined && form.kind === "buffer" ? `${type}x${count}:${list}` : list;
  if (isOpen(expectation) && count > 0) return stillOpen(expectation, now);
  const wanted = made === undefined ? valuesWanted(value, type, source) : contentsWanted(made);
  if (wanted.value === undefined) {
    return wanted.diagnostics.length > 0
      ? { value: nothing, diagnostics: wanted.diagnostics }
      : wrong("undefined contents cannot be expected", "values");
  }
  const bytes = wanted.value;
  if (bytes.length !== count * size) {
    const has = element === undefined ? `${count} elements` : `no element ${element}`;
    const message = `${bytes.length / size} values, but ${shown} has ${has}`;
    return wrong(message, `${count} values`, count === 0 ? undefined : now);
  }
  const mismatches: Mismatch[] = [];
  for (let from = 0; from < count && mismatches.length < MOST_MISMATCHES; from += PIECE) {
    const number = Math.min(PIECE, count - from);
    const piece = bytes.subarray(from * size, (from + number) * size);
    if (buffer.read((first + from) * size, number * size).every((byte, at) => byte === piece[at])) continue;
    const got = bitsAt(from, number);
    for (const [index, bits] of bitsOf(piece, type).entries())
      mismatches.push(...compare(`${shown}[${first + from + index}]`, type, width, bits, got[index] ?? 0n, ulp));
  }
  return judged(mismatches, now);
}

/** Elements of a buffer that are compared at once, and mismatches after which the comparison stops. */
const PIECE = 1 << 14;
const MOST_MISMATCHES = 1 << 16;

function valuesWanted(value: SpannedText, type: ElementType, source: Source): Staged<Uint8Array | undefined> {
  const { value: bits, diagnostics } = scalars(value, type, source);
  return { value: bits && bytesFrom([...bits], type), diagnostics };
}

const contentsWanted = ({
  value,
  diagnostics,
}: Staged<BufferContents | undefined>): Staged<Uint8Array | undefined> => ({
  value: value === undefined || typeof value.contents === "number" ? undefined : value.contents,
  diagnostics,
});
