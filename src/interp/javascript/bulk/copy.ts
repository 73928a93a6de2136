import { reach } from "../../access/inspect.ts";
import { type ByteRange, type Completion, lineOf, type Operation } from "../../async/operation.ts";
import type { ThreadId } from "../../contract/launch/thread-id.ts";
import { type Operand, slot } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { siteOf } from "../async/site.ts";
import { BulkAddress, checkObject, checkOwner, rankAt, ranksOf, Signals, sharedOf } from "./bulk-address.ts";
import { replicas } from "./multimem.ts";
import { reductionOf } from "./update.ts";

/** Size and addresses of a bulk copy are multiples of this. */
const CHUNK = 16;

/**
 * cp.async.bulk and cp.reduce.async.bulk (PTX ISA, Bulk copy): starts a copy of n bytes. Addresses, sizes and bounds
 * are checked at issue; the bytes move when the copy happens.
 */
export function bulkCopy(
  plan: PlanOf<"bulk copy">,
  [d, a, n, ...others]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { lanes, asynchrony, memory } = context;
  const { from, to, whose = "any", update, scope, inspects } = plan;
  const { ignores = false, multimem = false } = plan;
  const [left, right, mbar, mask] = ignores
    ? others
    : [undefined, undefined, ...(multimem ? [undefined] : []), ...others];
  const kind = update === undefined ? "store" : "atomic";
  const target = multimem ? undefined : new BulkAddress(d, kind, to, CHUNK, context);
  const all = target === undefined ? replicas(d, to, context) : undefined;
  const source = new BulkAddress(a, "load", from, CHUNK, context);
  const signal = to === "shared" ? new Signals(mbar, context) : undefined;
  const sizes = slot(n).slot * lanes;
  const { multicast, masked = false } = plan;
  const masks = masked || multicast !== undefined ? slot(mask).slot * lanes : -1;
  const whole = multicast === 32 ? 0xffff_ffff : 0xffff;
  const [lefts, rights] = ignores ? [slot(left).slot * lanes, slot(right).slot * lanes] : [-1, -1];
  const site = siteOf(context);
  const reduce = update && reductionOf(update, memory);
  const move = (place: number, start: number, bytes: number, chosen: number): void => {
    if (reduce !== undefined) {
      reduce(place, start, bytes);
      return;
    }
    const { u8 } = memory.data;
    if (chosen === 0xffff) u8.copyWithin(place, start, start + bytes);
    else for (let at = 0; at < bytes; at++) if ((chosen >>> (at % CHUNK)) & 1) u8[place + at] = u8[start + at]!;
  };
  /** Numbers of bytes at both ends that are left out. */
  const ends = (warp: Warp, lane: number): readonly [before: number, after: number] =>
    lefts < 0 ? [0, 0] : [warp.r[lefts + lane]!, warp.r[rights + lane]!];
  const ask = (warp: Warp, lane: number, bytes: number, places: readonly number[]): void => {
    const thread: ThreadId = { block: warp.block, warp: warp.index, lane };
    const start = source.at[lane]!;
    const given = masks < 0 ? 0xffff : (warp.r[masks + lane]! & whole) >>> 0;
    const chosen = masked ? given : 0xffff;
    const [before, after] = ends(warp, lane);
    const moved = Math.max(0, bytes - before - after);
    const issue = (there: readonly number[], completion: Completion): void => {
      const operation: Operation = {
        site: site(warp),
        thread,
        what: update === undefined ? "copy" : "reduction",
        proxy: "async",
        reads: moved > 0 ? [{ start: start + before, bytes: moved }] : [],
        writes: there.flatMap((place) => writtenBy(place, bytes, chosen)),
        ...(update === undefined ? {} : { updates: true }),
        ...(scope === undefined ? {} : { scope }),
        ...(moved === bytes
          ? {}
          : {
              indeterminate: there.flatMap((place) => [
                { start: place, bytes: Math.min(before, bytes) },
                { start: place + bytes - after, bytes: after },
              ]),
            }),
        completion,
        perform: () => {
          for (const place of there) move(place + before, start + before, moved, chosen);
        },
      };
      asynchrony.issue(operation);
    };
    if (signal === undefined) {
      issue(places, { kind: "group", line: lineOf("bulk", thread) });
      return;
    }
    const [place] = places;
    const tells = signal.at[lane]!;
    if (multicast === undefined) {
      checkObject(tells, lane, context, inspects !== undefined);
      issue(places, { kind: "mbarrier", at: tells, bytes, inspects });
      return;
    }
    const { cluster } = warp.ctaSync;
    const [offset, bell] = [place!, tells].map((at) => at - sharedOf(cluster[rankAt(at, warp, context)]));
    for (const rank of ranksOf(given, lane, warp)) {
      const shared = sharedOf(cluster[rank]);
      checkObject(shared + bell!, lane, context, inspects !== undefined);
      issue([shared + offset!], { kind: "mbarrier", at: shared + bell!, bytes, inspects });
    }
  };
  return (warp) => {
    const active = (act: (lane: number) => void): void => {
      for (let lane = 0; lane < lanes; lane++) if ((warp.active >>> lane) & 1) act(lane);
    };
    const bytes = (lane: number): number => warp.r[sizes + lane]!;
    active((lane) => checkSize(bytes(lane), ends(warp, lane), lane));
    const places = new Map<number, readonly number[]>();
    target?.find(warp);
    active((lane) => {
      if (bytes(lane) === 0) return;
      if (target === undefined) {
        places.set(lane, all!(warp, lane, { kind, bytes: bytes(lane), align: CHUNK }, reach));
        return;
      }
      target.check(warp, lane, bytes(lane));
      if (to === "shared") checkOwner(whose, "its destination", target.at[lane]!, lane, warp, context);
    });
    source.find(warp);
    active((lane) => {
      const [before, after] = ends(warp, lane);
      if (bytes(lane) > before + after) source.check(warp, lane, bytes(lane) - after, before);
      if (from === "shared" && bytes(lane) > 0) checkOwner("own", "its source", source.at[lane]!, lane, warp, context);
    });
    signal?.find(warp);
    active((lane) => {
      signal?.check(warp, lane);
      if (whose === "own" && signal) checkOwner("own", "its mbarrier object", signal.at[lane]!, lane, warp, context);
    });
    // A copy of no bytes is complete before it begins.
    active((lane) => bytes(lane) > 0 && ask(warp, lane, bytes(lane), places.get(lane) ?? [target!.at[lane]!]));
  };
}

function checkSize(bytes: number, ends: readonly number[], lane: number): void {
  if (bytes % CHUNK !== 0)
    throw new Fault("PTX3050", lane, `is for ${bytes} bytes, which is not a multiple of ${CHUNK}`);
  for (const end of ends)
    if (end >= CHUNK)
      throw new Fault("PTX3050", lane, `ignores ${end} bytes at an end, and may ignore at most ${CHUNK - 1}`);
}

/** The bytes that are written, under a mask of the bytes of each 16. */
function writtenBy(start: number, bytes: number, mask: number): readonly ByteRange[] {
  if (mask === 0xffff) return [{ start, bytes }];
  const runs: ByteRange[] = [];
  for (let first = 0; first < CHUNK; first++) {
    if (!((mask >>> first) & 1) || (first > 0 && (mask >>> (first - 1)) & 1)) continue;
    let end = first;
    while ((mask >>> end) & 1) end++;
    runs.push({ start: first, bytes: end - first });
  }
  return Array.from({ length: bytes / CHUNK }, (_, chunk) =>
    runs.map((run) => ({ start: start + chunk * CHUNK + run.start, bytes: run.bytes })),
  ).flat();
}
