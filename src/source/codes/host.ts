import { pages } from "./page.ts";

/** PTX2xxx: command line, values, launches (usage). */
export const host = pages({});
