import type { Since } from "../../../isa/form/define.ts";
import { match } from "../../../isa/match/match.ts";
import type * as ast from "../../../parser/ast.ts";
import { specialOf } from "../../instruction/operand/special-register.ts";
import { bestShape } from "../../instruction/spelling/best-form.ts";
import { namesOf } from "../names/names-in.ts";
import type { Needs } from "./assumed-header.ts";

/**
 * Collects the minimum versions of the instructions and special registers of these bodies, and the versions
 * that removed some.
 */
export function needsOf(bodies: Iterable<ast.Block>): Needs {
  const sinces = new Set<Since>();
  const until = new Set<Since>();
  const open = [...bodies];
  for (let block = open.pop(); block !== undefined; block = open.pop())
    for (const statement of block.statements) {
      if (statement.kind === "block") open.push(statement);
      if (statement.kind !== "instruction") continue;
      const { mnemonic, modifiers, operands } = statement;
      const found = match(
        mnemonic.text,
        modifiers.map(({ text }) => text),
      );
      if (found.kind !== "forms") continue;
      const { form, since } = bestShape(found.candidates, operands, { lookup: () => undefined });
      sinces.add(since);
      if (form.until) until.add(form.until);
      for (const name of namesOf(statement)) {
        const special = name.startsWith("%") ? specialOf(name) : undefined;
        if (special) sinces.add(special.since);
      }
    }
  return { sinces: [...sinces], until: [...until] };
}
