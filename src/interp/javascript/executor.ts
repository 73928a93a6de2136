import { builtinFor } from "../driver/builtin.ts";
import type { Executor } from "../state/executor.ts";
import { advance } from "./advance.ts";
import { bind, type Notifier } from "./bind.ts";
import { linkCode } from "./linked-code.ts";
import { observing } from "./observed.ts";
import { Threads } from "./observed-access.ts";

/** Executes every kind of plan: one closure per instruction, bound when a launch is linked. */
export const javascript: Executor = {
  link(context, observed = false) {
    const threads = new Threads();
    const code = linkCode(context, builtinFor, (instruction, pc) => {
      if (!observed) return bind(instruction, pc, context);
      const notify: Notifier = (step, each) => observing(step, pc, each, context, threads);
      return notify(bind(instruction, pc, context, notify), instruction);
    });
    return { run: (warp, budget, clock) => advance(warp, code, budget, clock) };
  },
};
