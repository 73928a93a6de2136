import { isLitmus } from "../../src/source/litmus-mark.ts";
import type { Text } from "../page/client.ts";

/** Whether a text is a litmus test: in PTX, or as they are published, which begins with the word. */
export const isTest = ({ text }: Text): boolean => isLitmus(text) || /^\s*PTX\s/i.test(text);
