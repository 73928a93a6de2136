import { pages } from "./page.ts";

/** PTX14xx: declarations, symbols, labels, scopes. */
export const symbol = pages({});
