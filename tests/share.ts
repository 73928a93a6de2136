/** Empty for projects that want a share, whatever was asked for. */
const asked = process.env["PTXRUN_TESTS"] || undefined;

/** Whether more is asked for than a share of what says alike many times: by `npm run test:all`, and by the gate behind `npm test`. */
export const everything: boolean = asked !== undefined;

/** The gate has minutes: of what `npm run test:all` has more than `npm test` it takes one in so many. */
const GATE = 12;

/**
 * One in `every` of a list by `npm test`, from the first on; all of it, or one in `most`, by `npm run test:all`; by the gate, one in twelve
 * of these that `npm test` has left out.
 */
export const share = <T>(list: readonly T[], every: number, most = 1): readonly T[] => {
  const short = (at: number): boolean => at % every === 0;
  if (!everything) return list.filter((_, at) => short(at));
  if (asked === "rest") return list.filter((_, at) => at % (GATE * most) === 1 && !short(at));
  return list.filter((_, at) => at % most === 0);
};

/** Of a list in a file that `npm test` leaves out: one in `every` by the gate, all of it by `npm run test:all`. */
export const sample = <T>(list: readonly T[], every: number): readonly T[] =>
  asked === "rest" ? list.filter((_, at) => at % every === 0) : list;

/** A number of draws: `few` by `npm test`, `many` by `npm run test:all`, a twelfth of these by the gate. */
export const draws = (few: number, many: number): number => {
  if (!everything) return few;
  return asked === "rest" ? Math.max(few, Math.floor(many / GATE)) : many;
};
