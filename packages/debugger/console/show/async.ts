import { groupWords, kindOfQueue } from "../../../../src/interp/async/operation.ts";
import type { FlightView, PlaceView } from "../../../../src/interp/tools/async-view.ts";
import { AsyncView } from "../../../../src/interp/tools/async-view.ts";
import { laneRanges } from "../../../../src/present/text/lane-ranges.ts";
import { placeName } from "../expression/place.ts";
import type { Shell } from "../shell.ts";

/** `info async`: asynchronous operations that no thread has waited for, the lanes of a warp together. */
export function inFlight(shell: Shell): void {
  const { session } = shell.debugger;
  const all = new AsyncView(session).flights();
  if (all.length === 0) shell.out("nothing is in flight\n");
  for (const group of together(all)) {
    const [first] = group;
    if (first === undefined) continue;
    const { thread, site, what, moved, sourceFree } = first;
    const lanes = group.reduce((mask, each) => mask | (1 << each.thread.lane), 0);
    const place = placeName(session.program, site.pc);
    shell.out(
      `b${thread.block} t${laneRanges(lanes >>> 0, thread.warp * 32)}  ${place}: ${site.opcode}: ${what}${ways(group)}; ${waitsFor(first)}${
        moved ? "; the data have moved" : ""
      }${sourceFree ? "; its source is free" : ""}\n`,
    );
  }
}

/** `info mbarriers`: the objects, and the arrivals and bytes that their phases still need. */
export function barrierObjects(shell: Shell): void {
  const all = new AsyncView(shell.debugger.session).barriers();
  if (all.length === 0) shell.out("there is no mbarrier object\n");
  for (const { place, text } of all) shell.out(`${barrierName(place)}: ${text}\n`);
}

/** Groups operations in flight of one warp that differ only in lane and addresses. */
function together(all: readonly FlightView[]): readonly (readonly FlightView[])[] {
  const groups = new Map<string, FlightView[]>();
  for (const flight of all) {
    const { thread, site, moved, sourceFree, waits } = flight;
    const wait = waits.kind === "group" ? `${waits.line % 4} ${waits.newer}` : JSON.stringify(waits);
    const key = [thread.block, thread.warp, site.pc, moved, sourceFree, wait].join(" ");
    const there = groups.get(key);
    if (there === undefined) groups.set(key, [flight]);
    else there.push(flight);
  }
  return [...groups.values()];
}

/** ` from in+0x20 (16 bytes) to shared 0x0 of b0 (16 bytes)`, with the first address of each. */
function ways(group: readonly FlightView[]): string {
  const list = (which: "reads" | "writes", word: string): string => {
    const places = group.flatMap((each) => each[which]);
    const [first] = places;
    if (first === undefined) return "";
    const bytes = places.reduce((sum, each) => sum + each.bytes, 0);
    return ` ${word} ${barrierName(first)} (${bytes} bytes${places.length > 1 ? " there and elsewhere" : ""})`;
  };
  return `${list("reads", "from")}${list("writes", "to")}`;
}

const barrierName = ({ space, name, offset, block }: PlaceView): string =>
  space === "shared" ? `shared 0x${offset.toString(16)} of b${block}` : `${name}+0x${offset.toString(16)}`;

function waitsFor({ waits }: FlightView): string {
  switch (waits.kind) {
    case "mbarrier":
      return `signals the mbarrier object at ${barrierName(waits.place)}`;
    case "group": {
      const { commit, wait } = groupWords[kindOfQueue(waits.line)];
      return waits.newer === undefined ? `not committed (${commit})` : `waits for ${wait(waits.newer)}`;
    }
    case "commit":
      return waits.place === undefined
        ? "not committed (tcgen05.commit)"
        : `committed to the mbarrier object at ${barrierName(waits.place)}`;
    case "none":
      return "nothing tells when it has happened";
  }
}
