import {
  type BaseParser,
  getLookaheadPaths,
  type ILookaheadStrategy,
  type IOrAlt,
  LLkLookaheadStrategy,
} from "chevrotain";

type Alternation = Parameters<ILookaheadStrategy["buildLookaheadForAlternation"]>[0];
type Optional = Parameters<ILookaheadStrategy["buildLookaheadForOptional"]>[0];

/**
 * A decision of the grammar by the next token alone: which alternative to choose, or whether to enter an optional part.
 * Each way has the names of the tokens that it begins with; none when it may be empty, and then any token matches.
 */
export interface Decision {
  readonly ways: readonly (readonly string[])[];
  /** An alternation, whose ways may also have conditions; else there is one way. */
  readonly isChoice: boolean;
}

/**
 * Chevrotain's own lookahead, computed at the first use of a decision. Computing all of them up front takes longer than
 * most texts take to run, and a text needs few.
 */
export class LazyLookahead extends LLkLookaheadStrategy implements ILookaheadStrategy {
  /** The decision of each function that this made, for `decisionsOf`. */
  readonly decisions: Map<unknown, () => Decision> = new Map();

  override buildLookaheadForAlternation(
    options: Alternation,
  ): (this: BaseParser, alternatives?: IOrAlt<unknown>[]) => number | undefined {
    const build = () => super.buildLookaheadForAlternation(options);
    let made: ReturnType<typeof build> | undefined;
    const choose = function (this: BaseParser, alternatives?: IOrAlt<unknown>[]): number | undefined {
      made ??= build();
      return made.call(this, alternatives as IOrAlt<unknown>[]);
    };
    this.decisions.set(choose, () => ({ ways: waysOf(options, "Alternation"), isChoice: true }));
    return choose;
  }

  override buildLookaheadForOptional(options: Optional): (this: BaseParser) => boolean {
    const build = () => super.buildLookaheadForOptional(options);
    let made: ReturnType<typeof build> | undefined;
    const enters = function (this: BaseParser): boolean {
      made ??= build();
      return made.call(this);
    };
    this.decisions.set(enters, () => ({ ways: waysOf(options, options.prodType).slice(0, 1), isChoice: false }));
    return enters;
  }
}

function waysOf(
  { rule, prodOccurrence, maxLookahead }: Alternation | Optional,
  prodType: Optional["prodType"] | "Alternation",
): readonly (readonly string[])[] {
  const paths = getLookaheadPaths({ rule, occurrence: prodOccurrence, maxLookahead, prodType });
  return paths.map((way) => {
    const starts = way.map(([first, ...more]) => {
      if (more.length > 0 || first?.categoryMatches?.length) throw new Error(`${rule.name}: needs more than one token`);
      return first?.name;
    });
    return starts.includes(undefined) ? [] : starts.filter((name) => name !== undefined);
  });
}
