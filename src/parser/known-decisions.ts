/**
 * The decisions of the two grammars (`decisionsOf`). They follow from the grammar, so only the build knows them
 * (bundle/late.js): here nothing is known, and Chevrotain finds them.
 */
export const knownDecisions: { readonly module?: string; readonly snippet?: string } = {};
