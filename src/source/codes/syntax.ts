import { pages } from "./page.ts";

/** PTX10xx lexical, 11xx grammar. */
export const syntax = pages({});
