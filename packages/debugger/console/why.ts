import { Buffer } from "../../../src/host/index.ts";
import type { Why } from "../why/cause.ts";
import type { Extent } from "../why/follow.ts";
import type { NamedPlace } from "../why/names.ts";
import { Past } from "../why/past.ts";
import { whyValue } from "../why/why.ts";
import type { Evaluation, Viewed } from "./expression/evaluation.ts";
import { refuse } from "./expression/refusal.ts";
import { targetOf } from "./expression/target.ts";
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

/**
 * Why a register of the focused thread, or memory, has the value that it has now. Throws a `Refusal` (PTX2403, PTX2404)
 * where the text names neither.
 */
export function whyOf(evaluation: Evaluation, viewed: Viewed, footing: Footing, extent: Extent = {}): Why {
  const { expression, part } = evaluation;
  const reading = expression.kind === "reading" ? expression : undefined;
  const { target, type, register } = targetOf({ ...evaluation, expression: reading?.operand ?? expression }, viewed);
  if (register !== undefined && register.element === undefined && register.of.elements > 1)
    throw refuse("PTX2403", `${part.text} has ${register.of.elements} elements`, part, { expected: `one of them: ${part.text}.x` }); // biome-ignore format: one row
  const asked = { text: part.text, target, type: reading?.type ?? type, ...(register?.element !== undefined && { element: register.element }) }; // biome-ignore format: one row
  return viewed.debugger.aside((session, history) =>
    whyValue(new Past(session, history, session.steps), placesOf(footing), asked, extent),
  );
}
