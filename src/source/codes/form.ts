import { pages } from "./page.ts";

/** PTX12xx: mnemonic, modifiers, types of an instruction. */
export const form = pages({});
