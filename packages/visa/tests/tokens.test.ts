import { Lexer, type TokenType } from "chevrotain";
import { expect, it } from "vitest";
import { vocabulary } from "../src/text/tokens.ts";

/** Which tokens are tried on a text that begins with each character. */
function tried(tokens: readonly TokenType[]): readonly (readonly string[])[] {
  const lexer = new Lexer([...tokens], {
    positionTracking: "onlyOffset",
    ensureOptimizations: true,
    skipValidations: true,
  });
  const { charCodeToPatternIdxToConfig } = lexer as unknown as {
    charCodeToPatternIdxToConfig: { defaultMode: { tokenType: { name: string } }[][] };
  };
  return Array.from({ length: 128 }, (_, code) =>
    (charCodeToPatternIdxToConfig.defaultMode[code] ?? []).map(({ tokenType }) => tokenType.name),
  );
}

it("says of each token what Chevrotain would find out about its pattern", () => {
  const unsaid = vocabulary.map((token) => {
    if (!(token.PATTERN instanceof RegExp)) return token;
    const { START_CHARS_HINT: _, ...rest } = token as TokenType & { START_CHARS_HINT?: unknown };
    return rest as TokenType;
  });
  expect(tried(vocabulary)).toEqual(tried(unsaid));
});
