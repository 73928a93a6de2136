import { native, tiered } from "../../../src/interp/compiled/executor.ts";
import { useNativeCompiler } from "../../../src/interp/compiled/module/native-code.ts";
import { compiled, type Executor, javascript } from "../../../src/interp/index.ts";
import type { Context } from "../../../src/interp/state/context.ts";
import { systemCompiler } from "../../../src/system/native-compiler.ts";

useNativeCompiler(() => systemCompiler(process.env));

/** Executors that are wrong on purpose, to show that the fuzzer finds what they do. */
const wrong = (change: (context: Context) => Context): Executor => ({
  link: (context, observed) => javascript.link(change(context), observed),
});

type Code = Context["program"]["code"];
const withCode = (context: Context, change: (code: Code) => Code): Context => ({
  ...context,
  program: { ...context.program, code: change(context.program.code) },
});

/** Exchanges two source operands of the instructions that a word begins. */
const swapped = (opcode: string): Executor =>
  wrong((context) =>
    withCode(context, (code) =>
      code.map((each) => {
        const [d, a, b, ...rest] = each.operands;
        return each.opcode.startsWith(opcode) ? { ...each, operands: [d, b, a, ...rest] } : each;
      }),
    ),
  );

/** Forgets the guards of the instructions that a word begins. */
const unguarded = (opcode: string): Executor =>
  wrong((context) =>
    withCode(context, (code) =>
      code.map((each) => {
        const { guard, ...rest } = each;
        return guard !== undefined && each.opcode.startsWith(opcode) ? rest : each;
      }),
    ),
  );

/** Changes the state after each turn of a warp. */
const after = (change: (warp: Parameters<ReturnType<Executor["link"]>["run"]>[0]) => void, more = 0): Executor => ({
  link(context, observed) {
    const { run } = javascript.link(context, observed);
    return {
      run(warp, budget, clock) {
        const executed = run(warp, budget, clock);
        change(warp);
        return executed + more;
      },
    };
  },
});

/** By name: what is compared with the executor in JavaScript. */
export const executors: Readonly<Record<string, Executor>> = {
  js: javascript,
  wasm: compiled,
  native,
  tiered,
  "wrong-subtraction": swapped("sub"),
  "wrong-float": swapped("sub.r"),
  "wrong-guard": unguarded("st"),
  "wrong-carry": after((warp) => {
    warp.carry &= ~4;
  }),
  "wrong-mark": after((warp) => {
    if (warp.executed.length > 16) warp.executed[16]! &= ~1;
  }),
  "wrong-steps": {
    link(context, observed) {
      const { run } = javascript.link(context, observed);
      return {
        run: (warp, budget, clock) =>
          run(warp, Math.min(budget, 50), clock) + (budget > 50 && warp.yieldBudget < 3 ? 1 : 0),
      };
    },
  },
};
