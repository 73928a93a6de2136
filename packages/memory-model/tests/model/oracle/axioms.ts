import { exited, type Phases } from "./phases.ts";
import { acquires, fences, isStrong, morallyStrong, type Op, overlap, Pairs, po, releases } from "./relations.ts";

/** One way in which operations may have met: what each read returned, and the order of fences. */
export interface Witness {
  readonly ops: readonly Op[];
  /** The write that a read returned, by the read's id. */
  readonly from: ReadonlyMap<number, Op>;
  /** Morally strong fence.sc, the earlier one first. */
  readonly fences: readonly (readonly [Op, Op])[];
  /** Who meets whom at barriers. */
  readonly phases: Phases;
}

/** Observation order (8.9.2). */
function observation({ ops, from }: Witness): Pairs {
  const all = new Pairs();
  for (const r of ops) {
    const w = from.get(r.id);
    if (w !== undefined && morallyStrong(w, r)) all.add(w, r);
  }
  for (let grew = true; grew; ) {
    grew = false;
    for (const z of ops)
      if (z.read && z.write)
        for (const w of ops) if (all.has(w, z)) for (const r of ops) if (all.has(z, r) && all.add(w, r)) grew = true;
  }
  return all;
}

/** Whether a fence acquires what a read has observed: one that belongs to a read, only of that. */
const isMeant = (read: Op, { fence }: Op): boolean => fence?.only === undefined || read.at === fence.only;

/** Whether an operation comes before another one of the same asynchronous operation. */
const isBefore = (a: Op, b: Op): boolean => a.thread === b.thread && a.async === b.async && a.order < b.order;

/** What synchronizes with what (8.9.4), from the first operation of a pattern to the last one of the other. */
function synchronizes({ ops, fences: sc, phases }: Witness, observed: Pairs): Pairs {
  const all = new Pairs();
  for (const [a, b] of sc) all.add(a, b);
  const released: [first: Op, write: Op][] = [];
  const acquired: [read: Op, last: Op][] = [];
  for (const x of ops) {
    // what is asynchronous releases itself alone (8.9.1.1)
    if (x.async !== undefined && releases(x))
      for (const part of ops) if (part === x || isBefore(part, x)) released.push([part, x]);
    if (x.async !== undefined) continue;
    if (releases(x)) released.push([x, x]);
    if (acquires(x)) acquired.push([x, x]);
    for (const y of ops) {
      if (!po(x, y)) continue;
      if (y.async !== undefined) continue;
      if (y.write && isStrong(y) && ((releases(x) && overlap(x, y) && x.way === y.way) || fences(x, "release")))
        released.push([x, y]);
      if (x.read && x.read.reduction === undefined && isStrong(x))
        if ((acquires(y) && overlap(x, y) && x.way === y.way) || (fences(y, "acquire") && isMeant(x, y)))
          acquired.push([x, y]);
    }
  }
  for (const [first, write] of released)
    for (const [read, last] of acquired)
      if (observed.has(write, read) && morallyStrong(write.async === undefined ? first : write, last))
        all.add(first, last);
  for (const a of ops)
    for (const b of ops)
      if (
        b.barrier?.does === "sync" &&
        a.barrier?.relaxed === undefined &&
        a.thread !== b.thread &&
        phases.has(a.id) &&
        phases.get(a.id) === phases.get(b.id)
      )
        all.add(a, b);
  return all;
}

/** Places where a value is after a fence that finds it at one: a proxy, and the virtual address or all of them. */
function after({ kind, block }: { readonly kind: string; readonly block: number }, place: string): string[] {
  const [proxy, address, cache] = place.split(" ") as [string, string, string?];
  const own = kind === "async" ? "any" : String(block);
  if (kind === "alias") return proxy === "generic" ? ["generic any"] : [];
  if (proxy === "generic") return [`${kind} ${address} ${own}`];
  return proxy === kind && (cache === own || own === "any") ? [`generic ${address}`, `${kind} ${address} ${own}`] : [];
}

/** Proxy-preserved base causality order (8.9.5): on some path the value gets to where Y looks, fence by fence. */
function preserves(base: Pairs, ops: readonly Op[], x: Op, y: Op): boolean {
  if (!base.has(x, y) || !overlap(x, y)) return false;
  if (x.thread < 0) return true;
  const wanted = y.way.split(" ");
  const todo: [at: Op, place: string][] = [[x, x.way.startsWith("generic") ? x.way : `${x.way} ${x.place.block}`]];
  const known = new Set<string>();
  for (const [at, place] of todo) {
    const [proxy, address, cache = "any"] = place.split(" ");
    const there = proxy === wanted[0] && (address === "any" || address === wanted[1]);
    if (there && (cache === "any" || cache === String(y.place.block)) && base.has(at, y)) return true;
    for (const f of ops) {
      if (f.proxyFence === undefined || !(f === at || base.has(at, f))) continue;
      const isOfPart = (op: Op): boolean => op.thread === f.thread && op.async === f.async;
      if (f.async !== undefined && !isOfPart(x) && !isOfPart(y)) continue;
      for (const next of after({ kind: f.proxyFence.proxy, block: f.place.block }, place))
        if (!known.has(`${f.id} ${next}`)) {
          known.add(`${f.id} ${next}`);
          todo.push([f, next]);
        }
    }
  }
  return false;
}

/** Who has met at the barrier of an exchange. */
export function metBefore(exchange: Op, ops: readonly Op[], phases: Phases): readonly Op[] {
  const own = ops.filter((op) => op.barrier && op.thread === exchange.thread && op.at === exchange.at - 1);
  return ops.filter((op) => own.some(({ id }) => phases.has(op.id) && phases.get(op.id) === phases.get(id)));
}

/** Causality order (8.9.5), where no axiom is contradicted that does not depend on the order of writes. */
export function causality(witness: Witness): Pairs | undefined {
  const { ops, from, phases } = witness;
  const sc = new Pairs();
  for (const [a, b] of witness.fences) sc.add(a, b);
  if (sc.hasCycle(ops)) return undefined;
  const observed = observation(witness);
  const base = synchronizes(witness, observed);
  for (const a of ops) for (const b of ops) if (po(a, b) || (a.thread < 0 && b.thread >= 0)) base.add(a, b);
  base.close(
    ops,
    ops.filter(({ async }) => async === undefined),
  );
  // a barrier's phases follow each other
  const phase = (op: Op): number => Number(phases.get(op.id)!.split(" ").at(-1));
  const barrier = (op: Op): string => phases.get(op.id)!.replace(/ \d+$/, "");
  for (const a of ops)
    for (const b of ops)
      if (a.barrier && b.barrier && barrier(a) === barrier(b) && phase(a) > phase(b) && base.has(a, b))
        return undefined;
  const kept = new Pairs();
  for (const x of ops) for (const y of ops) if (preserves(base, ops, x, y)) kept.add(x, y);
  const cause = new Pairs();
  for (const x of ops)
    for (const y of ops) {
      if (kept.has(x, y)) cause.add(x, y);
      for (const z of ops) if (observed.has(x, z) && kept.has(z, y)) cause.add(x, y);
    }
  // Fence-SC (8.10.2)
  for (const [a, b] of witness.fences) if (base.has(b, a)) return undefined;
  // no thin air (8.10.4)
  const thin = new Pairs();
  for (const op of ops) {
    for (const id of op.needs) if (id !== op.id) thin.add(ops[id]!, op);
    const w = from.get(op.id);
    if (w !== undefined) thin.add(w, op);
  }
  // nor does a thread exit before its reads, for others to go on at a barrier
  for (const b of ops)
    if (b.barrier?.does === "sync" && b.barrier.count === undefined) {
      const gone = exited(b, ops, phases);
      for (const r of ops)
        if (r.read && gone.has(r.thread)) for (const later of ops) if (po(b, later)) thin.add(r, later);
    }
  // nor come to a barrier before what it needs for that, nor take what is not yet brought
  for (const a of ops)
    for (const b of ops) {
      if (!a.barrier || b.barrier?.does !== "sync" || a.thread === b.thread || phases.get(a.id) !== phases.get(b.id))
        continue;
      for (const id of a.needs) for (const later of ops) if (po(b, later)) thin.add(ops[id]!, later);
    }
  for (const b of ops)
    if (b.exchange !== undefined)
      for (const { brings } of metBefore(b, ops, phases)) for (const id of brings) thin.add(ops[id]!, b);
  if (thin.hasCycle(ops)) return undefined;
  return cause;
}

/**
 * Where no axiom is contradicted: the final values of each location, by name. `ordered`: morally strong writes, the earlier one first.
 */
export function judge(
  { ops, from }: Witness,
  cause: Pairs,
  ordered: readonly (readonly [Op, Op])[],
): Map<string, bigint[]> | undefined {
  // Coherence (8.10.1)
  const co = new Pairs();
  for (const [a, b] of ordered) co.add(a, b);
  const writes = ops.filter(({ write }) => write !== undefined);
  for (const a of writes) for (const b of writes) if (overlap(a, b) && cause.has(a, b)) co.add(a, b);
  co.close(writes);
  if (writes.some((w) => co.has(w, w))) return undefined;
  const communicates = new Pairs();
  for (const w of writes) for (const v of writes) if (co.has(w, v)) communicates.add(w, v);
  for (const r of ops) {
    const w = from.get(r.id);
    if (w === undefined) continue;
    communicates.add(w, r);
    for (const v of writes) {
      if (!co.has(w, v) || v === r) continue;
      communicates.add(r, v);
      // atomicity (8.10.3)
      if (r.write && morallyStrong(r, v) && co.has(v, r)) return undefined;
      // causality (8.10.6)
      if (cause.has(v, r)) return undefined;
    }
    if (cause.has(r, w)) return undefined;
  }
  // sequential consistency per location (8.10.5)
  const local = new Pairs();
  for (const a of ops)
    for (const b of ops)
      if (
        overlap(a, b) &&
        ((po(a, b) && a.way === b.way) || (a !== b && morallyStrong(a, b) && communicates.has(a, b)))
      )
        local.add(a, b);
  if (local.hasCycle(ops)) return undefined;
  const last = new Map<string, bigint[]>();
  for (const w of writes)
    if (!writes.some((v) => co.has(w, v))) last.set(w.name, [...(last.get(w.name) ?? []), w.write!.value]);
  return last;
}
