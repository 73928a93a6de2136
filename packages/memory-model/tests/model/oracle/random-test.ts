import { Random } from "../../../../../src/interp/contract/launch/random.ts";
import type { MemoryScope } from "../../../../../src/interp/contract/memory-consistency.ts";
import type { Litmus, Placement, Read } from "../../../model/event.ts";
import {
  acquired,
  at,
  atom,
  bar,
  bulkCopy,
  completion,
  copy,
  fence,
  ld,
  proxyFence,
  type Step,
  st,
  sum,
  thread,
  when,
} from "../by-hand.ts";

const locations = ["x", "y"];
/** Ways to them in tests of proxies: x by two virtual addresses, and by the texture of either. */
const ways: readonly (readonly [name: string, proxy: Read["proxy"]])[] = [
  ["x", "generic"],
  ["s@x", "generic"],
  ["x", "texture"],
  ["s@x", "texture"],
  ["y", "generic"],
  ["y", "generic"],
];
const placements: readonly (readonly Placement[])[] = [
  [0, 1, 2].map((block) => ({ block, cluster: block, gpu: 0 })),
  [0, 0, 1].map((block) => ({ block, cluster: block, gpu: 0 })),
  [0, 1, 2].map((block) => ({ block, cluster: 0, gpu: 0 })),
  [0, 1, 2].map((block) => ({ block, cluster: block, gpu: block === 2 ? 1 : 0 })),
];

const inBlock: readonly Placement[] = [0, 0, 0].map((block) => ({ block, cluster: block, gpu: 0 }));
const meetings: readonly (readonly [text: string, Step])[] = [
  ["bar.sync 0, 64", bar("sync", 0, "cta", { count: 64 })],
  ["bar.sync 0, 64", bar("sync", 0, "cta", { count: 64 })],
  ["bar.arrive 0, 64", bar("arrive", 0, "cta", { count: 64 })],
  ["bar.sync 1", bar("sync", 1)],
];

/**
 * A small litmus test: two or three threads, two locations, all kinds of operations. With `proxies`, also other ways to a location;
 * with `barriers`, threads of a block, and barriers for all of them or for two; with `waits`, an asynchronous copy, and what acquires
 * by one read alone; with `bulk`, a copy by the async proxy that tells of its end; with `sums`, threads that exchange registers.
 */
export function randomTest(
  seed: number,
  more?: "proxies" | "barriers" | "waits" | "bulk" | "sums",
): { litmus: Litmus; names: readonly string[]; text: string } {
  const random = new Random(seed);
  const pick = <T>(...of: T[]): T => of[random.below(of.length)]!;
  const scope = (): MemoryScope => pick("cta", "cluster", "gpu", "gpu", "gpu", "sys");
  const renames = more === "proxies";
  /** Whether a thread of the same block waits for the copy as it should: then what it sees of it is decided. */
  const awaited = more === "bulk" && random.below(3) > 0;
  const together = awaited || more === "barriers" || more === "sums";
  const places = together ? inBlock : placements[random.below(placements.length)]!;
  const count = 2 + random.below(2);
  const meets = random.below(6) === 0 && more !== "barriers" && more !== "sums";
  const names = more === "bulk" ? [...locations, "told"] : locations;
  let stored = 0n;
  let registers = 0;
  const lines: string[] = [];
  /** `held`: registers that the thread has loaded before. */
  const step = (said: string[], held: string[]): Step => {
    const [place, proxy] = renames ? pick(...ways) : ([pick(...names), "generic"] as const);
    const how = { scope: scope(), proxy };
    const into = `r${registers++}`;
    const note = (text: string, made: Step): Step => {
      said.push(text);
      return made;
    };
    const kind = random.below(renames ? 24 : 18);
    if (kind >= 18) {
      const of = pick("alias", "texture");
      return note(`fence.proxy.${of}`, proxyFence(of));
    }
    const last = held.at(-1);
    if (kind >= 16 && last !== undefined) {
      const of = pick(...held);
      if (kind === 16) return note(`stop unless ${of} == 1`, when(of, 1n));
      return note(`st.relaxed.${how.scope} ${place} ${of} ${proxy}`, st("relaxed", place, of, how));
    }
    if (more === "bulk" && kind >= 12 && random.below(2) === 0) return note("fence.proxy.async", proxyFence("async"));
    if (kind === 15 && last !== undefined && (more === "waits" || more === "bulk")) {
      const value = BigInt(1 + random.below(4));
      return note(`acquire.${how.scope} by ${last} if ${value}`, acquired(last, value, how.scope));
    }
    if (kind < 5) {
      const semantics = pick("weak", "relaxed", "acquire", "volatile" as const);
      held.push(into);
      return note(`ld.${semantics}.${how.scope} ${into} ${place} ${proxy}`, ld(semantics, into, place, how));
    }
    if (kind < 10) {
      const semantics = pick("weak", "relaxed", "release", "volatile" as const);
      const value = ++stored;
      return note(`st.${semantics}.${how.scope} ${place} ${value} ${proxy}`, st(semantics, place, value, how));
    }
    if (kind < 12) {
      const semantics = pick("relaxed", "acquire", "release", "acq_rel" as const);
      const value = ++stored;
      const which = pick("exch", "cas", "red");
      if (which !== "red") held.push(into);
      const then = which === "cas" ? (old: bigint) => (old === 0n ? value : undefined) : () => value;
      const more = which === "red" ? { ...how, reduction: true as const } : how;
      return note(
        `${which}.${semantics}.${how.scope} ${into} ${place} ${value}`,
        atom(semantics, into, place, then, more),
      );
    }
    const semantics = pick("acq_rel", "sc", "sc", "acquire", "release" as const);
    return note(`fence.${semantics}.${how.scope}`, fence(semantics, how.scope));
  };
  const threads = Array.from({ length: count }, (_, index) => {
    const said: string[] = [];
    const held: string[] = [];
    const steps: Step[] = Array.from({ length: count === 2 ? 3 + random.below(2) : 2 + random.below(2) }, () =>
      step(said, held),
    );
    if (meets) {
      said.splice(1, 0, "bar");
      steps.splice(1, 0, bar());
    }
    if (more === "barriers")
      for (let times = random.below(3); times > 0; times--) {
        const [text, made] = pick(...meetings);
        const at = random.below(steps.length + 1);
        said.splice(at, 0, text);
        steps.splice(at, 0, made);
      }
    if (more === "sums")
      for (let times = random.below(3) === 0 ? 0 : 1; times > 0; times--) {
        const relaxed = random.below(3) > 0;
        const start = random.below(steps.length + 1);
        const of = pick(...held, "one");
        said.splice(start, 0, `${relaxed ? "relaxed " : ""}sum ${of}`);
        steps.splice(start, 0, sum(`r${registers++}`, of, relaxed));
      }
    if (awaited && index === 1) {
      const seen = `r${registers++}`;
      said.unshift(`ld.relaxed.cta ${seen} told`, `acquire.cta by ${seen} if 1`);
      steps.unshift(ld("relaxed", seen, "told", { scope: "cta" }), acquired(seen, 1n, "cta"));
    }
    if (more === "bulk" && index === 0) {
      const [from, to] = pick(["x", "y"], ["y", "x"]);
      const start = random.below(2);
      steps.splice(start, 1, ...bulkCopy(`r${registers++}`, from!, to!, "told", 0));
      said.splice(start, 1, `bulk copy ${to} ${from} told`);
      if (random.below(2) === 0) {
        steps.push(completion);
        said.push("wait");
      }
    }
    if (more === "waits" && index === 0) {
      const [from, to] = pick(["x", "y"], ["y", "x"], ["x", "y"]);
      const start = random.below(2);
      said.splice(start, 0, `copy ${to} ${from}`);
      steps.splice(start, 0, ...copy(`r${registers++}`, from!, to!, 0));
      if (random.below(3) > 0) {
        const end = start + 2 + random.below(steps.length - start - 1);
        said.push(`wait at ${end}`);
        steps.splice(end, 0, completion);
      }
    }
    lines.push(`P${index} ${JSON.stringify(places[index])}: ${said.join("; ")}`);
    return thread(`P${index}`, steps, places[index]);
  });
  const initial = names.map((name) => ({ location: at(name), value: 0n }));
  return { litmus: { threads, initial }, names, text: `seed ${seed}\n${lines.join("\n")}` };
}
