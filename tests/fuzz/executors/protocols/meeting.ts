import { written } from "../instruction.ts";
import type { Spelling } from "../spelling.ts";
import type { Protocol, ProtocolPlace } from "./protocol.ts";

/** All warps of the block come to it; those that have only arrived come to it once more. */
function barrierLines({ form, name, mods }: Spelling, place: ProtocolPlace): readonly string[] | undefined {
  const { random, pointers, threads, together, target } = place;
  if (!together && random.chance(90)) return undefined;
  const number = random.chance(85) ? `${random.below(16)}` : "%a32";
  const arrives = name.includes(".arrive");
  const count = 32 * Math.ceil(threads / 32) * (arrives ? 2 : 1);
  const operands = form.syntax.startsWith("bar.warp") ? {} : { a: number, b: `${count}` };
  const guard = name.includes(".aligned") || name.startsWith("bar.") || random.chance(95) ? "" : "@%p0 ";
  const lines = written({ form, name, mods }, { random, pointers, together, target }, { operands, guard });
  if (lines === undefined) return undefined;
  const more = arrives ? [`barrier.sync ${number}, ${count};`] : [];
  return [...(number === "%a32" ? [`mov.u32 %a32, ${random.below(16)};`] : []), ...lines, ...more];
}

export const barriers: Protocol = {
  draws: ({ mnemonic, syntax }) => (mnemonic === "bar" || mnemonic === "barrier") && !syntax.includes("cluster"),
  lines: barrierLines,
};

/** Blocks of a cluster, or the one block that is a cluster by itself. */
export const clusterBarriers: Protocol = {
  draws: ({ syntax }) => syntax.startsWith("barrier.cluster"),
  lines: ({ name }, { random, together }) => {
    if (!together && random.chance(90)) return undefined;
    const arrives = name.includes("arrive");
    return [
      `${arrives ? name : "barrier.cluster.arrive"};`,
      ...(random.chance(50) ? [`add.u32 %r${random.below(8)}, %r${random.below(8)}, 1;`] : []),
      `${arrives ? "barrier.cluster.wait" : name};`,
    ];
  },
  pairs: 12,
};

/** What few threads come to, or what changes nothing that can be seen. */
export const rare: Protocol = {
  draws: ({ mnemonic }) => mnemonic === "trap" || mnemonic === "brkpt" || mnemonic === "setmaxnreg",
  lines: (spelling, { random, pointers, together, target }) => {
    const own = spelling.form.mnemonic === "setmaxnreg";
    if (own && !together) return undefined;
    const lines = written(spelling, { random, pointers, together, target }, { guard: own ? "" : "@%lw " });
    if (lines === undefined || own) return lines;
    return [`setp.eq.u32 %lw, %r${random.below(8)}, ${random.any([0, 1, 0x1234567, 0x7f800000])};`, ...lines];
  },
};
