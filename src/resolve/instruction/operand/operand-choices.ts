import type { Form, ModifierValues } from "../../../isa/form/define.ts";
import type { Slot } from "../../../isa/form/syntax.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Span } from "../../../source/source.ts";
import type { Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";

/** An operand of a video instruction split: the register, the part of it that is meant, the sign before it. */
export interface SplitOperand {
  readonly operand: ast.Operand;
  readonly selector?: ast.Name;
  readonly minus?: true;
}

/** `-a.b0` as `a`, `b0` and a sign, where the form's line has positions for them; any other operand unchanged. */
export function splitOperand(operand: ast.Operand, { selector, minus }: Slot): SplitOperand {
  const negated = minus ? registerBehindMinus(operand) : undefined;
  const bare = negated ?? operand;
  const sign = negated === undefined ? {} : { minus: true as const };
  if (!selector || bare.kind !== "name" || !bare.component) return { operand: bare, ...sign };
  const { name, component } = bare;
  return { operand: { kind: "name", name, start: name.start, end: name.end }, selector: component, ...sign };
}

/** The register of `-a`; the minus of `-5` is part of the constant. */
function registerBehindMinus(operand: ast.Operand): ast.OperandName | undefined {
  if (operand.kind !== "expr" || operand.value.kind !== "unary" || operand.value.operator !== "-") return undefined;
  const { operand: inner } = operand.value;
  return inner.kind === "symbol" && inner.name.text !== "WARP_SZ" ? { ...inner, kind: "name" } : undefined;
}

/**
 * What the operands of one instruction choose in addition to its modifiers, by the names in the form's syntax line:
 * `asel`, `-a`.
 */
export class OperandChoices {
  readonly #values: Record<string, string | true> = {};
  readonly #signs = new Map<string, Span>();

  /** Records the operand's choices and returns the operand without them; undefined after a diagnostic. */
  take(operand: ast.Operand, slot: Slot, scope: Scope): ast.Operand | undefined {
    if (!slot.selector && !slot.minus) return operand;
    const { operand: bare, selector, minus } = splitOperand(operand, slot);
    if (minus) {
      this.#values[`-${slot.name}`] = true;
      this.#signs.set(`-${slot.name}`, operand);
    }
    if (!selector || !slot.selector) return bare;
    const { name, choices } = slot.selector;
    if (!choices.has(selector.text)) {
      const some = [...choices].slice(0, 8).map((choice) => `.${choice}`);
      return reject(scope, "PTX1308", selector, `.${selector.text} is not a selector of ${slot.name} here`, {
        expected: choices.size > some.length ? `one like ${some.join(", ")}` : some.join(", "),
      });
    }
    this.#values[name] = selector.text;
    return bare;
  }

  /** The modifiers together with these choices; the same object when there are none. */
  among(mods: ModifierValues): ModifierValues {
    return Object.keys(this.#values).length === 0 ? mods : { ...mods, ...this.#values };
  }

  /** False after a diagnostic: the form excludes this combination of signs. */
  agree(form: Form, mods: ModifierValues, scope: Scope): boolean {
    const all = this.among(mods);
    const conflict = all === mods ? undefined : form.conflict(all);
    if (conflict === undefined) return true;
    const [word, against] = conflict;
    const at = this.#signs.get(word);
    if (at === undefined) throw new Error(`${form.syntax}: ${word} conflicts and is no sign`);
    reject(scope, "PTX1310", at, `${word} cannot be combined with ${against}`, {
      expected: `${word.slice(1)} as it is`,
      manual: form.manual,
    });
    return false;
  }
}
