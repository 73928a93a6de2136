import { pages } from "./page.ts";

/** PTX7xxx: golden checks. */
export const golden = pages({});
