import type { Travel } from "../../../src/host/debugger/debugger.ts";
import { Buffer } from "../../../src/host/index.ts";
import { weakLaunchOf } from "../../../src/interp/create-session.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import type { Why } from "../why/cause.ts";
import type { Extent } from "../why/follow.ts";
import type { NamedPlace } from "../why/names.ts";
import type { Past } from "../why/past.ts";
import { whyFirst } from "../why/problem.ts";
import { whyValue } from "../why/value.ts";
import { lookedBack } from "../why/why.ts";
import { evaluate } from "./expression/evaluate.ts";
import { type Evaluation, evaluation, surroundings, type Viewed } from "./expression/evaluation.ts";
import { type LinePart, Refusal, refuse, whole } from "./expression/refusal.ts";
import { targetOf } from "./expression/target.ts";
import { widthIn } from "./expression/value.ts";
import type { Footing } from "./program/launcher.ts";

/** Memory with a name: the buffers of a launch, and the variables of its module. */
export function placesOf({ loaded: { module }, inputs }: Footing): readonly NamedPlace[] {
  const buffers = inputs.buffers.flatMap(({ name, type, buffer }) =>
    buffer instanceof Buffer ? [{ name, type, address: buffer.address, bytes: buffer.bytes }] : [],
  );
  const variables = (module?.variables ?? []).flatMap((name) => {
    const variable = module?.variable(name);
    return variable === undefined
      ? []
      : [{ name, type: module?.typeOf(name) ?? "b8", address: variable.address, bytes: variable.bytes }];
  });
  return [...buffers, ...variables];
}

/** What is asked for beside places: the first thing that is wrong. */
const FIRST = "first";

/**
 * Why a place has its value, or without one, or with `first`, why the first thing that is wrong is so. A parameter's
 * buffer may be named by its index, `1[0]`. Throws a `Refusal` (PTX2202 and as `whyOf`); undefined where nothing is
 * wrong, or when it was interrupted.
 */
export function whyAsked(
  part: LinePart,
  viewed: Viewed,
  footing: Footing,
  extent: Extent = {},
  travel: Travel = {},
): Why | undefined {
  if (part.text === "" || part.text === FIRST) return whyWrong(part, viewed, footing, extent, travel);
  try {
    return whyOf(evaluation(byName(part, viewed)), viewed, footing, extent, travel);
  } catch (error) {
    // A name within an expression is a register's.
    const unknown = ({ code, span }: Diagnostic) => code === "PTX2404" && span && span.end - span.start === part.text.length; // biome-ignore format: one row
    if (!(error instanceof Refusal) || !error.diagnostics.every(unknown)) throw error;
    const elements = placesOf(footing).slice(0, 2).map(({ name }) => `${name}[0]`); // biome-ignore format: one row
    const expected = (register = "a register") => [...elements, elements.length > 0 ? "a register" : register, "cc.cf", "[memory]", FIRST].join(", "); // biome-ignore format: one row
    throw new Refusal(error.diagnostics.map((each) => ({ ...each, expected: expected(each.expected) })));
  }
}

/** `3[5]` with the name of the parameter, counted from 0 as `--dump` counts. */
function byName(part: LinePart, { debugger: { session } }: Viewed): LinePart {
  const [index] = /^\d+(?=\[|$)/.exec(part.text) ?? [];
  if (index === undefined) return part;
  const { name, parameters } = session.program;
  const parameter = parameters[Number(index)];
  if (parameter === undefined)
    throw refuse("PTX2202", `${name} has no parameter ${index}`, part, { expected: parameters.map((each, at) => `${at} (${each.name})`).join(", ") }); // biome-ignore format: one row
  return whole(part.source.name, parameter.name + part.text.slice(index.length));
}

/**
 * Why a register of the focused thread, or memory, has the value that it has now. Throws a `Refusal` (PTX2403, PTX2404)
 * where the text names neither; undefined when it was interrupted.
 */
function whyOf(
  evaluation: Evaluation,
  viewed: Viewed,
  footing: Footing,
  extent: Extent = {},
  travel: Travel = {},
): Why | undefined {
  const { part } = evaluation;
  const expression = elementOf(evaluation, viewed, footing);
  // What cannot be read is refused as it is everywhere.
  if (expression.kind === "memory") evaluate(expression, part, surroundings(viewed));
  const reading = expression.kind === "reading" ? expression : undefined;
  const { target, type, register } = targetOf({ ...evaluation, expression: reading?.operand ?? expression }, viewed);
  if (register !== undefined && register.element === undefined && register.of.elements > 1)
    throw refuse("PTX2403", `${part.text} has ${register.of.elements} elements`, part, { expected: `one of them: ${part.text}.x` }); // biome-ignore format: one row
  const asked = { text: part.text, target, type: reading?.type ?? type, ...(register?.element !== undefined && { element: register.element }) }; // biome-ignore format: one row
  return looked(part, viewed, (past) => whyValue(past, placesOf(footing), asked, extent), travel);
}

/** A buffer's name means its element where it has one, or says that it has several. */
function elementOf(asked: Evaluation, viewed: Viewed, footing: Footing): Evaluation["expression"] {
  const { expression, part } = asked;
  const { at, end } = expression;
  const kind = expression.kind === "name" ? viewed.names.find(expression.text)?.kind : undefined;
  if (kind !== "parameter" && kind !== "variable") return expression;
  const { bits } = asked.at(viewed);
  const place = placesOf(footing).find(({ address }) => address === bits);
  if (place === undefined) return expression;
  const count = place.bytes / Math.max(1, widthIn(place.type) / 8);
  if (count > 1) throw refuse("PTX2403", `${part.text} has ${count} elements`, part, { expected: `one of them: ${part.text}[0] to ${part.text}[${count - 1}]` }); // biome-ignore format: one row
  return { kind: "memory", space: undefined, address: expression, type: undefined, index: { kind: "number", text: "0", at, end }, at, end }; // biome-ignore format: one row
}

/** Why the first thing that is wrong with the run so far is wrong; undefined where nothing is, or when it was interrupted. */
const whyWrong = (
  part: LinePart,
  viewed: Viewed,
  footing: Footing,
  extent: Extent = {},
  travel: Travel = {},
): Why | undefined => looked(part, viewed, (past) => whyFirst(past, placesOf(footing), extent), travel);

/** What is said where that finds nothing. */
export const NOTHING_WRONG = "nothing is wrong: no fault, no finding of which more can be said, and no NaN or infinity in the buffers"; // biome-ignore format: one row

function looked(
  part: LinePart,
  { debugger: debugger_ }: Viewed,
  look: (past: Past) => Why | undefined,
  travel: Travel,
): Why | undefined {
  const { stop, session } = debugger_;
  const { simd, dispatchSlot } = session.program;
  if (simd !== undefined || dispatchSlot !== undefined)
    throw refuse("PTX2407", "values of vISA are not followed back", part, { expected: "PTX" });
  if (weakLaunchOf(session) !== undefined)
    throw refuse("PTX2407", "with weak memory a read need not see the last write, and values are not followed back", part, { expected: "a run without --memory" }); // biome-ignore format: one row
  const fault = stop.reason === "trap" ? stop.diagnostic : undefined;
  return debugger_.aside((session, history) => lookedBack(session, history, look, fault), travel);
}
