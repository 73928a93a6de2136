import type { Form, ModifierValues } from "../../../src/isa/form/define.ts";
import { table } from "../../../src/isa/index.ts";
import { keyOf } from "../../../src/numeric/operation/key.ts";
import type { Operation } from "../../../src/numeric/operation/operation.ts";

/** Every choice of a form's words. */
function* choices(modifiers: Form["modifiers"]): Generator<ModifierValues> {
  const [first, ...others] = modifiers;
  if (first === undefined) {
    yield {};
    return;
  }
  const flag = first.choices.length === 1 && first.choices[0] === first.name;
  const words = flag ? [true] : first.choices;
  for (const rest of choices(others))
    for (const word of first.optional ? [...words, flag ? false : undefined] : words)
      yield { ...rest, [first.name]: word };
}

/** What the instructions of a section compute, each once: by its key, the form's syntax line and the operation. */
export function operationsOf(name: string): ReadonlyMap<string, readonly [string, Operation]> {
  const found = new Map<string, readonly [string, Operation]>();
  for (const { forms } of table.filter((section) => section.name === name))
    for (const form of forms)
      for (const mods of choices(form.modifiers)) {
        if (form.conflict(mods)) continue;
        const plan = form.plan(mods);
        // A form that does something else does so with all of its words.
        if (plan.shape !== "compute" && plan.shape !== "compare") break;
        found.set(keyOf(plan.op), [form.syntax, plan.op]);
        if (plan.shape === "compare" && plan.second) found.set(keyOf(plan.second), [form.syntax, plan.second]);
      }
  return found;
}
