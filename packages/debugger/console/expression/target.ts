import type { WriteTarget } from "../../../../src/host/debugger/debugger.ts";
import type { Register } from "../../../../src/interp/contract/program.ts";
import { place, span } from "./evaluate.ts";
import { type Evaluation, scopeOf, surroundings, type Viewed } from "./evaluation.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { widthIn } from "./value.ts";

/** Something that can be written, and the type of its value. */
export interface Destination {
  readonly target: WriteTarget;
  readonly type: string;
  /** Of a vISA variable. */
  readonly elements?: number;
  /** The register, and which of its elements. */
  readonly register?: { readonly of: Register; readonly element: number | undefined };
}

/** The destination that an expression names: a register of the focused thread, cc.cf, or memory. */
export function targetOf({ expression, part }: Evaluation, viewed: Viewed): Destination {
  const thread = viewed.debugger.focus;
  const around = surroundings(viewed);
  if (expression.kind === "memory") {
    const { space, address, type } = place(expression, part, around);
    const bytes = Math.max(1, widthIn(type) / 8);
    return { target: { kind: "memory", space, address, bytes, thread }, type };
  }
  const wanted = (): Refusal =>
    refuse("PTX2403", `${span(expression, part).text} has no place of its own`, span(expression, part), {
      expected: "a register, cc.cf or [memory]",
    });
  if (expression.kind !== "name") throw wanted();
  const found = around.names.need(expression.text, span(expression, part));
  const own = found.kind === "variable" ? around.variable(found.name) : undefined;
  if (found.kind === "variable" && own !== undefined) {
    const { space, bytes, type } = found;
    const elements = Math.floor((8 * bytes) / widthIn(type));
    return { target: { kind: "memory", space, address: own, bytes, thread }, type, elements };
  }
  if (found.kind === "carry") return { target: { kind: "carry", thread }, type: "pred" };
  if (found.kind !== "register") throw wanted();
  const { register, element } = found;
  return {
    target: { kind: "register", thread, name: register.name, scope: scopeOf(viewed) },
    type: register.type,
    register: { of: register, element },
  };
}
