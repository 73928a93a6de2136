import { pages } from "./page.ts";

/** PTX15xx: .version, .target, and what they allow. */
export const header = pages({});
