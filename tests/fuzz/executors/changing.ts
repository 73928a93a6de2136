import { Warming } from "../../../src/interp/compiled/warming.ts";
import { builtinFor } from "../../../src/interp/driver/builtin.ts";
import type { Executor } from "../../../src/interp/index.ts";
import { bind } from "../../../src/interp/javascript/bind.ts";
import { linkCode } from "../../../src/interp/javascript/linked-code.ts";
import type { Random } from "./random.ts";

/** Runs each turn of a warp in parts, by one executor or the other. */
export function alternating(first: Executor, second: Executor, random: Random): Executor {
  return {
    link(context, observed) {
      const [one, two] = [first.link(context, observed), second.link(context, observed)];
      return {
        run(warp, budget, clock) {
          const part = random.chance(50) ? budget : Math.min(budget, 1 + random.below(12));
          return (random.chance(50) ? one : two).run(warp, part, clock);
        },
        turns(turns, budget, clock) {
          if (random.chance(50)) return 0;
          const part = random.chance(50) ? budget : Math.min(budget, 1 + random.below(60));
          return two.turns?.(turns, part, clock) ?? 0;
        },
        close() {
          one.close?.();
          two.close?.();
        },
      };
    },
  };
}

/** JavaScript until so many warp instructions have run, then the executor: as a long launch goes on compiled. */
export const warming = (then: Executor, patience: number): Executor => ({
  link(context, observed) {
    const code = linkCode(context, builtinFor, (instruction, pc) => bind(instruction, pc, context));
    return observed ? then.link(context, observed) : new Warming(code, patience, () => then.link(context, observed));
  },
});
