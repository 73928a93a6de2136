export type {
  Check,
  CheckImage,
  Deprecation,
  Form,
  ModifierValues,
  OperandCheck,
  Section,
  Since,
  SnippetCheck,
  Unsaid,
} from "./form/define.ts";
export type { Modifier, Slot } from "./form/syntax.ts";
export { functionOf, type InstructionFunction } from "./function-of.ts";
export { completions } from "./match/complete.ts";
export { type Candidate, clash, continuations, type Match, match, modifierWords } from "./match/match.ts";
export type { Problem } from "./match/match-form.ts";
export { component, type SpecialRegister, specialRegisters } from "./special-registers.ts";
export { formsOf, mnemonics, table } from "./table.ts";
