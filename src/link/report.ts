import type { Code } from "../source/codes/index.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import type { Definition } from "./symbols.ts";

const at = (code: Code, message: string, { source, place }: Definition, expected: string): Diagnostic => ({
  code,
  severity: "error",
  message,
  source,
  span: { start: place.start, end: place.end },
  expected,
});

/** PTX2260. */
export const undefinedReference = (declaration: Definition): Diagnostic =>
  at("PTX2260", `${declaration.name} is defined in no module`, declaration, "a module that defines it");

/** PTX2261. */
export const duplicate = (first: Definition, second: Definition): Diagnostic =>
  at("PTX2261", `${second.name} is defined in ${first.source.name}, too`, second, "one definition, or .weak ones");

/** PTX2262. */
export const mismatch = (declaration: Definition, definition: Definition): Diagnostic =>
  at(
    "PTX2262",
    `${declaration.name} is declared as ${declaration.shape}, and defined as ${definition.shape} in ${definition.source.name}`,
    declaration,
    definition.shape,
  );
