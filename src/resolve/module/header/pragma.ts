import type * as ast from "../../../parser/ast.ts";
import { type Report, reject } from "../../report.ts";
import { requireFeature } from "./feature.ts";
import type { Header } from "./header.ts";

/** The position of a `.pragma`: at module scope, between a kernel's head and body, or in a body. */
type Place = "module" | "head" | "kernel" | "function";

/** A string of `.pragma` (PTX ISA 12), which ptxas tells by how it begins, and what it asks for (measured with 13.0). */
interface Known {
  readonly begins: string;
  /** Nothing may follow it. */
  readonly whole?: true;
  readonly places: readonly Place[];
  readonly belongs: string;
  /** The argument after the first blank. */
  readonly takes?: readonly [argument: RegExp, named: string];
}

const number = /^(?:0[xX][\da-fA-F]+|\d+)$/;
const bodies = ["kernel", "function"] as const;
const everywhere = ["module", "head", ...bodies] as const;
const known: readonly Known[] = [
  { begins: "nounroll", whole: true, places: everywhere, belongs: "anywhere" },
  {
    begins: "abi_param_reg",
    places: ["module", "head", "function"],
    belongs: "outside a kernel's body",
    takes: [/^(?:all|\d+)$/, '"all" or a number'],
  },
  {
    begins: "used_bytes_mask",
    places: bodies,
    belongs: "in a body, before a load",
    takes: [number, "a mask, as in used_bytes_mask 0xf"],
  },
  // "only allowed at entry-function scope": the example has it in the body, the words could also mean the head.
  { begins: "mma_throughput", whole: true, places: ["head", "kernel"], belongs: "to a kernel" },
  { begins: "enable_smem_spilling", places: ["kernel"], belongs: "in a kernel's body" },
  {
    begins: "frequency",
    places: bodies,
    belongs: "in a body",
    takes: [/^(?!0[xX]?0*$)(?:0[xX][\da-fA-F]+|\d+)$/, "a number above 0, as in frequency 10"],
  },
];

/**
 * Checks the strings of a `.pragma`: PTX1420. An unknown one is an error at module scope, and in a function is
 * ignored with a warning, as in ptxas.
 */
export function checkPragma(
  { texts, start, end }: Pick<ast.Pragma, "texts" | "start" | "end">,
  place: Place,
  header: Header,
  report: Report,
): void {
  requireFeature(".pragma", { start, end }, header, report);
  for (const text of texts) {
    const found = known.find(({ begins, whole }) => (whole ? text.text === begins : text.text.startsWith(begins)));
    if (found === undefined) {
      reject(report, "PTX1420", text, `unknown pragma "${text.text}"`, {
        expected: known.map(({ begins }) => begins).join(", "),
        severity: place === "module" ? "error" : "warning",
      });
      continue;
    }
    const { begins, places, belongs, takes } = found;
    if (!places.includes(place)) {
      reject(report, "PTX1420", text, `${begins} does not belong here`, { expected: `it ${belongs}` });
      continue;
    }
    requireFeature(begins, text, header, report);
    const [, argument = ""] = /^\S*\s*(.*)$/.exec(text.text) ?? [];
    if (takes && !takes[0].test(argument))
      reject(report, "PTX1420", text, `${begins} takes ${takes[1]}`, { expected: takes[1] });
  }
}
