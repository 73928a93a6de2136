import { pages } from "./page.ts";

/** PTX3xxx: faults of the program run. */
export const fault = pages({});
