/** Whether everything is asked for, as `npm run test:all` does, and not a share of what says alike many times. */
export const everything: boolean = process.env["PTXRUN_TESTS"] !== undefined;

/** One in `every` of a list by `npm test`, from the first on; all of it, or one in `most`, by `npm run test:all`. */
export const share = <T>(list: readonly T[], every: number, most = 1): readonly T[] =>
  list.filter((_, at) => at % (everything ? most : every) === 0);

/** A number of draws: `few` by `npm test`, `many` by `npm run test:all`. */
export const draws = (few: number, many: number): number => (everything ? many : few);
