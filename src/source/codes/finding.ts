import { pages } from "./page.ts";

/** PTX4xxx: sanitizer findings. */
export const finding = pages({});
