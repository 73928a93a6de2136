import type { Plan } from "../../../../src/interp/contract/plan/plan.ts";
import type { Form, ModifierValues } from "../../../../src/isa/form/define.ts";
import { table } from "../../../../src/isa/index.ts";
import { keyOf } from "../../../../src/numeric/operation/key.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { isFloat } from "../../../../src/numeric/operation/type.ts";

/** An operation of the table: an instruction that means it, and whether CC.CF comes out of it. */
export interface TableOperation {
  readonly spelling: string;
  readonly operation: Operation;
  readonly carryOut: boolean;
}

/** More spellings of one form are not looked at: those of video instructions differ in the bytes that they select. */
const MOST = 600;

/** What the instructions of the table compute, each operation once. */
export function operationsOfTable(): TableOperation[] {
  const found = new Map<string, TableOperation>();
  for (const { forms } of table)
    for (const form of forms)
      for (const mods of sample(form.modifiers)) {
        if (form.conflict(mods)) continue;
        const plan = form.plan(mods);
        const operations = operationsIn(plan);
        // A form that does something else does so with all of its words.
        if (operations.length === 0) break;
        for (const operation of operations) {
          const key = keyOf(operation);
          const carryOut = plan.shape === "carry" && plan.carryOut;
          if (!found.has(key)) found.set(key, { spelling: spellingOf(form, mods), operation, carryOut });
        }
      }
  return [...found.values()];
}

function operationsIn(plan: Plan): readonly Operation[] {
  switch (plan.shape) {
    case "compute":
    case "test":
    case "carry":
      return [plan.op];
    case "compare":
      return plan.second ? [plan.op, plan.second] : [plan.op];
    case "atomic":
      return plan.shared ? [plan.op, plan.shared] : [plan.op];
    default:
      return [];
  }
}

/** Does it read and give integers, bits and predicates alone? */
export const isOfIntegers = ({ takes, gives, result }: Operation): boolean =>
  !isFloat(gives) &&
  takes.every(({ type }) => !isFloat(type)) &&
  (result.into !== "lanes" || result.lanes.every(({ operation }) => isOfIntegers(operation))) &&
  !/"node":"(rounded|integral|function|sqrt|is|flush)"|"into":"round"|"node":"as","type":"[^usb]/.test(
    JSON.stringify(result, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value)),
  );

/** Choices of a form's words: all of them, or so many that lie evenly among them. */
function* sample(modifiers: Form["modifiers"]): Generator<ModifierValues> {
  const choices = modifiers.map((each) => {
    const flag = each.choices.length === 1 && each.choices[0] === each.name;
    const words: (string | boolean | undefined)[] = flag ? [true] : [...each.choices];
    return { name: each.name, words: each.optional ? [...words, flag ? false : undefined] : words };
  });
  const total = choices.reduce((all, { words }) => all * words.length, 1);
  // A stride that no number of words divides meets all of them.
  const stride = total <= MOST ? 1 : Math.floor(total / MOST) | 1;
  for (let at = 0; at < total; at += stride) {
    let rest = at;
    const mods: Record<string, string | boolean | undefined> = {};
    for (const { name, words } of choices) {
      mods[name] = words[rest % words.length];
      rest = Math.floor(rest / words.length);
    }
    yield mods as ModifierValues;
  }
}

const spellingOf = ({ mnemonic }: Form, mods: ModifierValues): string =>
  [mnemonic, ...Object.entries(mods).flatMap(([name, word]) => (word === true ? [name] : word ? [word] : []))].join(
    ".",
  );
