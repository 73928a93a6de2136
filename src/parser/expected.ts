import type { IParserErrorMessageProvider } from "chevrotain";

/**
 * Chevrotain's messages, cut down to what was expected: `explain.ts` makes the sentence, since it also knows what was
 * found. Alternatives name themselves by `ERR_MSG`.
 */
export const expectations: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => expected.LABEL ?? expected.name,
  buildNotAllInputParsedMessage: () => "the end",
  buildNoViableAltMessage: ({ customUserDescription }) => customUserDescription ?? "",
  buildEarlyExitMessage: ({ customUserDescription }) => customUserDescription ?? "",
};
