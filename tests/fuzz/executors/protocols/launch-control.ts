import { written } from "../instruction.ts";
import { elected, type Protocol, waited } from "./protocol.ts";

/** A block that has not begun is cancelled, and what came of it is asked. */
export const launchControl: Protocol = {
  draws: ({ mnemonic }) => mnemonic === "clusterlaunchcontrol",
  lines: (spelling, { random, pointers, together, target, label }) => {
    if (!together && random.chance(90)) return undefined;
    const [object, t] = [pointers.use("mb"), pointers.use("t")];
    const isAsked = spelling.name.includes("try_cancel");
    const operands = isAsked ? { a: "[W+16]", mbar: `[${object}]` } : { r: "%x0" };
    const own = written(spelling, { random, pointers, together, target }, { operands, guard: isAsked ? "@%lw " : "" });
    if (own === undefined) return undefined;
    return [
      elected(t),
      `@%lw mbarrier.init.shared.b64 [${object}], 1;`,
      "bar.sync 0;",
      elected(t),
      `@%lw mbarrier.arrive.expect_tx.shared.b64 _, [${object}], 16;`,
      ...(isAsked
        ? own
        : [
            `@%lw clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [W+16], [${object}];`,
          ]),
      ...waited(object, label()),
      "ld.shared.b128 %x0, [W+16];",
      ...(isAsked ? ["clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p0, %x0;"] : own),
      "bar.sync 0;",
      elected(t),
      `@%lw mbarrier.inval.shared.b64 [${object}];`,
    ];
  },
};
