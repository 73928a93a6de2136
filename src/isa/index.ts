export type { Problem } from "./attempt.ts";
export type { Check, Form, ModifierValues, OperandCheck, Section, Since, SnippetCheck } from "./define.ts";
export { type Candidate, clash, continuations, type Match, match, modifierWords } from "./match.ts";
export { component, type SpecialRegister, specialRegisters } from "./special.ts";
export type { Modifier, Slot } from "./syntax.ts";
export { formsOf, mnemonics, table } from "./table.ts";
