import { beyondText } from "../../interp/contract/launch/beyond.ts";
import type { Program } from "../../interp/contract/program.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { bytesAt } from "../instruction/beyond.ts";

/** A warning for each access that reaches beyond the parameter which it names (PTX4051); a run reports it, too. */
export const beyondParameters = ({ code, source }: Program): readonly Diagnostic[] =>
  code.flatMap(({ plan, operands, opcode, span }): Diagnostic[] => {
    if ((plan.shape !== "load" && plan.shape !== "store") || !plan.beyond?.parameter) return [];
    const { beyond, shape } = plan;
    return [
      {
        code: "PTX4051",
        severity: "warning",
        source,
        span,
        message: `${opcode} ${beyondText(shape, bytesAt(plan, operands), beyond)}`,
        related: [{ source, span: beyond.span, message: `${beyond.name} is declared here` }],
      },
    ];
  });
