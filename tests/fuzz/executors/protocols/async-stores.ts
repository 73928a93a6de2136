import { written } from "../instruction.ts";
import { bytesMoved } from "../spelling.ts";
import { elected, type Protocol, waited } from "./protocol.ts";

/** One thread of each block writes or updates memory of the other block, which waits for it at an mbarrier object. */
export const asyncStores: Protocol = {
  draws: ({ syntax, executable }) =>
    executable && (/^(st|red)\.async.*\[mbar\]/.test(syntax) || syntax.includes("shared::cluster.shared::cta")),
  fits: (mods, _, { random }) => !("ss" in mods) || mods["ss"] !== undefined || random.chance(5),
  lines: (spelling, { random, pointers, together, target, label }) => {
    if (!together && random.chance(90)) return undefined;
    const [object, t] = [pointers.use("mb"), pointers.use("t")];
    const copied = 16 * (1 + random.below(8));
    const bytes = spelling.name.includes("bulk") ? copied : bytesMoved(spelling.mods);
    const operands = {
      d: `[%tm+${32 * random.below(16)}]`,
      a: `[S+${2048 + 16 * random.below(16)}]`,
      n: `${copied}`,
      mbar: "[%tl]",
    };
    const store = written(spelling, { random, pointers, together, target }, { operands, guard: "@%lw " });
    if (store === undefined) return undefined;
    const meet = ["barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;"];
    return [
      elected(t),
      `@%lw mbarrier.init.shared.b64 [${object}], 1;`,
      `st.shared.v4.b32 [${pointers.use("s16")}+2048], {%r0, %r1, %r2, %r3};`,
      "fence.proxy.async.shared::cta;",
      ...meet,
      "mov.u32 %a32, %cluster_ctarank;",
      ...(random.chance(90) ? ["xor.b32 %a32, %a32, 1;"] : []),
      "mov.u32 %tm, S;",
      "mapa.shared::cluster.u32 %tm, %tm, %a32;",
      `mapa.shared::cluster.u32 %tl, ${object}, %a32;`,
      elected(t),
      `@%lw mbarrier.arrive.expect_tx.shared.b64 _, [${object}], ${bytes};`,
      ...store,
      ...waited(object, label()),
      `ld.shared.b32 %r${random.below(8)}, [S+${4 * random.below(64)}];`,
      ...meet,
      elected(t),
      `@%lw mbarrier.inval.shared.b64 [${object}];`,
    ];
  },
  pairs: 90,
};
