import type { Debugger } from "../../host/debugger/debugger.ts";
import { weakLaunchOf } from "../../interp/create-session.ts";
import { printable } from "../../present/escape.ts";
import { hex } from "../../present/value.ts";

/** Words that are shown at most. */
const MOST = 64;

/**
 * Words of memory of which the thread in focus could read several values now, each with what it holds and what the thread
 * could still read instead; undefined where memory is not weak.
 */
export function weakRows({ session, focus }: Debugger): readonly (readonly string[])[] | undefined {
  const launch = weakLaunchOf(session);
  if (launch === undefined) return undefined;
  const allocations = session.state?.context.memory.allocations;
  const all = launch.memory.unsettled(launch.agent(focus));
  const lines = all.slice(0, MOST).map(({ at, values }) => {
    const owner = allocations?.find(at);
    const offset = at - (owner?.start ?? 0);
    const name = `${printable(owner?.name ?? "memory")}${offset === 0 ? "" : `+${offset}`}`;
    const [newest = "", ...older] = values.map(({ bytes }) => hex(numberOf(bytes), 8 * bytes.length));
    return [name, newest, `or ${older.join(", ")}`];
  });
  return all.length > MOST ? [...lines, [`and ${all.length - MOST} more words`]] : lines;
}

/** Bytes as one number, the first one lowest. */
const numberOf = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
