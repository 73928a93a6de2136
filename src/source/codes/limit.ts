import { pages } from "./page.ts";

/** PTX6xxx: limits reached. */
export const limit = pages({});
