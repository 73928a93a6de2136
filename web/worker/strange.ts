import { type Strange as Kind, strangeIn } from "../../packages/debugger/why/meaning.ts";
import { isElementType } from "../../src/host/index.ts";
import { bytesOf } from "../../src/host/memory/element.ts";
import type { BufferPlace, Strange, ValuePlace } from "../page/client.ts";
import type { Standing } from "./standing.ts";

type Found = readonly { readonly kind: Kind; readonly at: ValuePlace }[];

/** Floats that are NaN or infinite now, of a kind that no input has. */
export function strangeOf(standing: Standing, buffers: readonly BufferPlace[]): readonly Strange[] {
  const { arg = [], reg = [], global = [] } = standing.options;
  const given = [...arg, ...reg, ...global].map((text) => text.slice(text.indexOf("="))).join();
  const held = [...heldBy(standing, buffers), ...registersOf(standing)];
  const before = (kind: Kind): boolean =>
    (kind === "nan" ? /nan/i : /inf/i).test(given) ||
    buffers.some((place) => strangeBytes(place, standing.before.get(place.name)).some((each) => each.kind === kind));
  const made = (kind: Kind): boolean =>
    held.some(({ found }) => found.some((each) => each.kind === kind)) && !before(kind);
  const [nan, infinity] = [made("nan"), made("infinity")];
  return held.flatMap(({ name, type, count, found }): Strange[] => {
    const nans = nan ? found.filter(({ kind }) => kind === "nan") : [];
    const infinities = infinity ? found.filter(({ kind }) => kind === "infinity") : [];
    const first = (nans[0] ?? infinities[0])?.at;
    return first === undefined ? [] : [{ name, type, count, nan: nans.length, infinite: infinities.length, first }];
  });
}

const heldBy = ({ program, before }: Standing, buffers: readonly BufferPlace[]) =>
  buffers
    .filter(({ name }) => before.has(name))
    .map((place) => {
      const { name, type, space, address, bytes } = place;
      const found = isFloat(type) ? strangeBytes(place, program.debugger.read(space, address, bytes)) : [];
      return { name, type, count: isElementType(type) ? bytes / bytesOf(type) : bytes, found };
    });

/** A snippet leaves its results in registers: those of the focused warp. */
function registersOf({ program: { debugger: debugger_ } }: Standing) {
  const { session, focus, machine } = debugger_;
  if (session.program.name !== "") return [];
  const lanes = session.state?.context.lanes ?? 32;
  const threads = Array.from({ length: lanes }, (_, lane) => ({ ...focus, lane })).filter((each) =>
    machine.exists(each),
  );
  const all = threads.map((thread) => debugger_.registers(thread));
  return debugger_.registers().map(({ name, type }, at) => ({
    name,
    type,
    count: threads.length,
    found: threads.flatMap((thread, lane): Found => {
      const kind = strangeIn(type, all[lane]?.[at]?.bits[0]);
      return kind === undefined ? [] : [{ kind, at: { kind: "register", name, thread } }];
    }),
  }));
}

const isFloat = (type: string): boolean => isElementType(type) && /[fe]\d/.test(type);

function strangeBytes({ type, space, address }: BufferPlace, bytes: Uint8Array | undefined): Found {
  if (bytes === undefined || !isElementType(type) || !isFloat(type)) return [];
  const each = bytesOf(type);
  const found: { kind: Kind; at: ValuePlace }[] = [];
  for (let at = 0; at + each <= bytes.length; at += each) {
    let bits = 0n;
    let may = false;
    // Most numbers are passed over without a bigint: an exponent of ones shows in a highest byte.
    for (let byte = at; byte < at + each; byte++) may ||= ((bytes[byte] ?? 0) & 0x7c) === 0x7c;
    for (let byte = at + each - 1; may && byte >= at; byte--) bits = (bits << 8n) | BigInt(bytes[byte] ?? 0);
    const kind = may ? strangeIn(type, bits) : undefined;
    if (kind !== undefined)
      found.push({ kind, at: { kind: "memory", space, address: address + BigInt(at), bytes: each } });
  }
  return found;
}
