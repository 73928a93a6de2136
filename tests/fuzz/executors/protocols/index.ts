import { type Form, table } from "../../../../src/isa/index.ts";
import { isStructural, standsAlone } from "../alone.ts";
import { spell, targets, written } from "../instruction.ts";
import type { Random } from "../random.ts";
import { asyncStores } from "./async-stores.ts";
import { bulk, tensorMapChanges } from "./bulk.ts";
import { lookups } from "./images.ts";
import { launchControl } from "./launch-control.ts";
import { cacheLines, matrix } from "./matrix.ts";
import { mbarriers } from "./mbarrier.ts";
import { barriers, clusterBarriers, rare } from "./meeting.ts";
import type { Protocol, ProtocolPlace } from "./protocol.ts";
import { tensorMemory } from "./tensor-memory.ts";
import { warpgroup } from "./warpgroup.ts";

const protocols: readonly Protocol[] = [
  matrix, warpgroup, tensorMemory, asyncStores, bulk, tensorMapChanges, lookups, launchControl, mbarriers, barriers,
  clusterBarriers, cacheLines, rare,
]; // biome-ignore format: a list

const protocolOf = (form: Form): Protocol | undefined => protocols.find(({ draws }) => draws(form));

/** Forms with a meaning, each of which a program may be about. */
export const drawnForms: readonly Form[] = table
  .flatMap(({ forms }) => forms)
  .filter((form) => protocolOf(form) !== undefined || standsAlone(form) || isStructural(form));

/** What a program is about: one form more than others, on a target that has it. */
export interface Focus {
  readonly form: Form;
  readonly target: string;
  /** Threads of a block that its protocol has work for. */
  readonly threads: number | undefined;
  readonly paired: boolean;
}

const focal = drawnForms.filter((form) => !isStructural(form));
const names = Object.keys(targets);

/** Each second program is about a form, and as many programs as there are forms twice are about all of them. */
export const formOf = (seed: number): Form | undefined =>
  seed % 2 === 0 ? undefined : focal[((seed - 1) / 2) % focal.length];

/** Undefined where no target of the fuzzer has the form. */
export function drawFocus(random: Random, form: Form): Focus | undefined {
  const protocol = protocolOf(form);
  const paired = random.chance(protocol?.pairs ?? 0);
  const found = names.filter((name) => spell(random, form, name, () => true) !== undefined);
  if (found.length === 0) return undefined;
  const threads = protocol?.threads && random.chance(92) ? random.any(protocol.threads) : undefined;
  return { form, target: random.any(found), threads, paired };
}

/** The instruction that a program is about, among those that it needs; undefined where there is no room for it. */
export function focusLines({ form }: Focus, place: ProtocolPlace): readonly string[] | undefined {
  const { random, target } = place;
  const protocol = protocolOf(form);
  for (let attempt = 0; attempt < 8; attempt++) {
    const spelling = spell(random, form, target, (mods, name) => protocol?.fits?.(mods, name, place) ?? true);
    const lines =
      spelling && (protocol?.lines(spelling, place) ?? (standsAlone(form) ? written(spelling, place) : undefined));
    if (lines !== undefined) return lines;
  }
  return undefined;
}
