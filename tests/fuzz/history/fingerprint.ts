import { createHash } from "node:crypto";
import type { Session } from "../../../src/interp/machine/session.ts";
import { MachineView } from "../../../src/interp/tools/machine-view.ts";

/**
 * All of a launch's state that anybody can observe, now or later, as parts by name: registers and what is known of them,
 * flags, memory and its shadow, allocations, calls, groups, barriers, whose turn it is and what the scheduler will draw,
 * findings, and how it has ended. What depends on how a run was cut into pieces, and on nothing else, is left out.
 */
export function stateOf(session: Session): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const state = session.state;
  if (state === undefined) return parts.set("state", "none");
  const end = session.run({ budget: 0 });
  parts.set("steps", String(session.steps));
  parts.set("end", `${end.reason} ${end.reason === "trap" ? textOf(end.diagnostic) : ""}`);
  parts.set("findings", JSON.stringify(session.findings.map(textOf)));
  const { memory, grid } = state.context;
  for (const each of memory.allocations.live) {
    const { start, end, kind, name, heap } = each;
    if (kind === "state") {
      parts.set(`allocation ${start}`, `${name} ${end}`);
      continue;
    }
    memory.know(start, end - start);
    const seen = createHash("sha256").update(memory.data.u8.subarray(start, end));
    seen.update(memory.shadow.u8.subarray(start, end));
    parts.set(`allocation ${start}`, `${name} ${kind} ${end} ${heap} ${seen.digest("hex")}`);
  }
  parts.set(
    "freed",
    memory.allocations
      .save()[1]
      .map(({ start, name }) => `${start} ${name}`)
      .join(),
  );
  const { slots, kept, position, slice, stuck, random, still } = state.scheduler.save();
  parts.set("scheduler", show([position, slice, stuck, random, still, [...kept.kept.keys()]]));
  for (const { block, running, warps, ctaSync } of slots) {
    parts.set(`block ${block}`, show([running, ctaSync]));
    for (const warp of warps) {
      const { carry, live, active, pc, rank, depth, yieldBudget, burnt, reconvergeAt } = warp;
      const groups = warp.parked.map(({ on, ...rest }) => [rest, on.kind === "lanes" ? on.members : on]);
      const plain = [carry, live, active, pc, rank, depth, yieldBudget, burnt, reconvergeAt, warp.waiting, groups];
      parts.set(`warp ${block} ${warp.index}`, show([...plain, running ? warp.activations : []]));
    }
  }
  const machine = new MachineView(session);
  for (let block = 0; block < grid[0] * grid[1] * grid[2]; block++)
    for (let index = 0; ; index++) {
      const warp = state.scheduler.find(block, index);
      if (warp === undefined) break;
      const seen = createHash("sha256");
      for (const bank of [warp.p, warp.r, warp.q]) seen.update(bank);
      parts.set(`registers ${block} ${index}`, `${seen.digest("hex")} ${warp.carry}`);
      const thread = { block, warp: index, lane: index % warp.lanes };
      const { registers } = session.program;
      parts.set(
        `first ${block} ${index}`,
        registers
          .slice(0, 12)
          .map((each) => `${each.name} ${machine.value(thread, each)}`)
          .join(),
      );
      const written = session.registers(thread).flatMap((each) => (each.written ? [each.name] : []));
      parts.set(`written ${block} ${index}`, written.join());
    }
  return parts;
}

const textOf = ({
  code,
  message,
  related,
}: {
  code: string;
  message: string;
  related?: readonly { message: string }[];
}): string => `${code} ${message} ${related?.map((each) => each.message).join()}`;

/** Plain data as text; functions and what belongs to a whole launch are passed over. */
function show(value: unknown): string {
  return JSON.stringify(value, (key, each) => {
    if (["context", "exchange", "cluster", "observers", "give"].includes(key)) return undefined;
    if (key === "saved") return [...each.words.subarray(each.at, each.at + each.count)];
    if (typeof each === "bigint") return `${each}n`;
    if (ArrayBuffer.isView(each)) return [...(each as Uint32Array | BigUint64Array)].map(String);
    return each === Number.POSITIVE_INFINITY ? "infinity" : each;
  });
}

/** The first part in which two states differ, with both its texts; undefined when they are the same. */
export function difference(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string | undefined {
  for (const name of new Set([...a.keys(), ...b.keys()]))
    if (a.get(name) !== b.get(name)) return `${name}: ${a.get(name)} is not ${b.get(name)}`;
  return undefined;
}
