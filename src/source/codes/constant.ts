import { pages } from "./page.ts";

/** PTX16xx: constant expressions and initialisers. */
export const constant = pages({});
