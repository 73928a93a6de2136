import { assign } from "../assign.ts";
import type { Command } from "./command.ts";

export const changing: readonly Command[] = [
  {
    name: "set",
    group: "changing",
    usage: "set X = V",
    help: "give a register, cc.cf or [memory] a value: as options take it (0x3c00, 1.5, 1,2), or an expression\nthe change belongs to this step: going back past it shows what was before, and coming here again makes it again\nwhat was run and changed after this step is forgotten",
    takes: "expression",
    repeat: false,
    run: assign,
  },
];
