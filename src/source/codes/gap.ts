import { pages } from "./page.ts";

/** PTX5xxx: valid PTX that ptxrun does not execute. */
export const gap = pages({});
