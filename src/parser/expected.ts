import type { IParserErrorMessageProvider } from "chevrotain";

/**
 * Chevrotain's messages, reduced to what was expected: `explain.ts` writes the sentence, since it also knows what was
 * found. Alternatives are named by their `ERR_MSG`.
 */
export const expectations: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => expected.LABEL ?? expected.name,
  buildNotAllInputParsedMessage: () => "the end",
  buildNoViableAltMessage: ({ customUserDescription }) => customUserDescription ?? "",
  buildEarlyExitMessage: ({ customUserDescription }) => customUserDescription ?? "",
};
