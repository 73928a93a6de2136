import type { Check, Form } from "../../../src/isa/index.ts";
import type { Example } from "./example.ts";
import { operandExample } from "./operand-example.ts";
import { snippetExample } from "./snippet-example.ts";

/** The example that a check makes; undefined for one that fields of a page cannot say (a sampler in a register). */
export const exampleOf = (form: Form, check: Check): Example | undefined =>
  "snippet" in check ? snippetExample(check) : operandExample(form, check);
