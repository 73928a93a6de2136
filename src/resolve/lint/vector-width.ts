import { bytesTouched, touchesOf } from "../../interp/contract/plan/effects.ts";
import type { Program } from "../../interp/contract/program.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { rewritten } from "./rewritten.ts";

/** A warning for each load or store of a vector whose registers are wider than its elements (PTX9104). */
export const vectorWidths = ({ code, source, registers }: Program): readonly Diagnostic[] =>
  code.flatMap((instruction): Diagnostic[] => {
    const { plan, operands, opcode, span } = instruction;
    if (plan.shape !== "load" && plan.shape !== "store") return [];
    const [touch] = touchesOf(plan);
    const data = operands[touch?.data ?? -1];
    const { bits } = plan.cell;
    if (touch === undefined || data?.kind !== "vector" || bits <= 8) return [];
    const wide = data.items.find((item) => item.kind === "slot" && item.bits > bits);
    if (wide?.kind !== "slot") return [];
    const name = registers.find(({ bank, slot }) => bank === wide.bank && slot === wide.slot)?.name ?? "a register";
    const act = plan.shape === "load" ? "gets" : "gives";
    const meant = opcode.replace(new RegExp(`\\.([busf])${bits}$`), `.$1${wide.bits}`);
    return [
      {
        code: "PTX9104",
        severity: "warning",
        source,
        span,
        message: `${name} has ${wide.bits} bits and ${act} ${bits}; ${opcode} moves ${bytesTouched(touch, operands)} bytes`,
        expected: `registers of ${bits} bits`,
        help: [
          meant === opcode
            ? { message: `take registers of ${bits} bits` }
            : rewritten(instruction, meant, " to move all of their bits", source),
        ],
      },
    ];
  });
