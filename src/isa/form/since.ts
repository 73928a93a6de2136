import type { Since, Unsaid } from "./define.ts";

/**
 * The least version and target of a word, in any instruction (measured with ptxas 13.0, and as the manual's notes say).
 */
const words: ReadonlyMap<string, Since> = new Map<string, Since>([
  ["ftz", { ptx: 14, sm: 10 }],
  ["volatile", { ptx: 11, sm: 10 }],
  ["weak", { ptx: 51, sm: 70 }],
  ["relaxed", { ptx: 51, sm: 70 }],
  ["acquire", { ptx: 51, sm: 70 }],
  ["release", { ptx: 51, sm: 70 }],
  ["acq_rel", { ptx: 51, sm: 70 }],
  ["mmio", { ptx: 82, sm: 70 }],
  ["cluster", { ptx: 78, sm: 90 }],
  ["shared::cta", { ptx: 78, sm: 10 }],
  ["shared::cluster", { ptx: 78, sm: 90 }],
  ["param::entry", { ptx: 83, sm: 10 }],
  ["param::func", { ptx: 83, sm: 20 }],
  ["ca", { ptx: 20, sm: 20 }],
  ["cg", { ptx: 20, sm: 20 }],
  ["cs", { ptx: 20, sm: 20 }],
  ["lu", { ptx: 20, sm: 20 }],
  ["cv", { ptx: 20, sm: 20 }],
  ["wb", { ptx: 20, sm: 20 }],
  ["wt", { ptx: 20, sm: 20 }],
  ["nc", { ptx: 31, sm: 32 }],
  ["L1::evict_normal", { ptx: 74, sm: 70 }],
  ["L1::evict_unchanged", { ptx: 74, sm: 70 }],
  ["L1::evict_first", { ptx: 74, sm: 70 }],
  ["L1::evict_last", { ptx: 74, sm: 70 }],
  ["L1::no_allocate", { ptx: 74, sm: 70 }],
  ["L2::evict_normal", { ptx: 88, sm: 100 }],
  ["L2::evict_first", { ptx: 88, sm: 100 }],
  ["L2::evict_last", { ptx: 88, sm: 100 }],
  ["L2::cache_hint", { ptx: 74, sm: 80 }],
  ["L2::64B", { ptx: 74, sm: 75 }],
  ["L2::128B", { ptx: 74, sm: 75 }],
  ["L2::256B", { ptx: 74, sm: 80 }],
  ["b128", { ptx: 83, sm: 70 }],
]);

/** The least version and target that satisfy all of these; most words need nothing. */
export function least(...needs: readonly (Since | string | boolean | undefined)[]): Since {
  let ptx = 10;
  let sm = 10;
  for (const need of needs) {
    const since = typeof need === "string" ? words.get(need) : typeof need === "object" ? need : undefined;
    if (since === undefined) continue;
    ptx = Math.max(ptx, since.ptx);
    sm = Math.max(sm, since.sm);
  }
  return { ptx, sm };
}

/** A target by its name, `sm_100f`; families began with sm_100. */
export const targetName = (sm: number, only: Since["only"]): string =>
  `sm_${sm}${only && sm < 100 ? "a" : (only ?? "")}`;

/** What else has it, behind the name of its least target: nothing where targets are listed. */
export const orLater = ({ only, families }: Since): string =>
  families !== undefined
    ? ""
    : only === undefined
      ? " or later"
      : ` or a later one that ends in ${only === "a" ? "a" : "a or f"}`;

/** What has all of these, with the targets that each of them has. */
export function together(...needs: readonly (Since | false | undefined)[]): Since {
  const all = needs.filter((need): need is Since => typeof need === "object");
  const families = all.flatMap((each) => (each.families === undefined ? [] : [each.families]));
  const shared = families[0]?.filter((family) => families.every((others) => others.includes(family)));
  const only = all.some((each) => each.only === "a") ? "a" : all.some((each) => each.only === "f") ? "f" : undefined;
  const sm = Math.max(...all.map((each) => each.sm));
  return {
    ptx: Math.max(...all.map((each) => each.ptx)),
    sm,
    ...(only !== undefined && { only }),
    ...(shared !== undefined && { families: shared.filter((family) => family >= sm) }),
  };
}

/** Texts before PTX 1.4 leave out how a number is rounded or approximated. */
export const inOldTexts = (word: "rn" | "approx"): Unsaid => ({ word, until: { ptx: 14, sm: 10 } });
