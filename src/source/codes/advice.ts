import { pages } from "./page.ts";

/** PTX9xxx: notes of lint. */
export const advice = pages({});
