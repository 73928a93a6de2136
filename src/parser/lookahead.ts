import { type BaseParser, type ILookaheadStrategy, type IOrAlt, LLkLookaheadStrategy } from "chevrotain";

/**
 * Chevrotain's own lookahead, computed for a decision when it is first met. Computing all of them up front takes longer
 * than most texts take to run, and a text needs few.
 */
export class LazyLookahead extends LLkLookaheadStrategy implements ILookaheadStrategy {
  override buildLookaheadForAlternation(
    options: Parameters<ILookaheadStrategy["buildLookaheadForAlternation"]>[0],
  ): (this: BaseParser, alternatives?: IOrAlt<unknown>[]) => number | undefined {
    const build = () => super.buildLookaheadForAlternation(options);
    let made: ReturnType<typeof build> | undefined;
    return function (alternatives) {
      made ??= build();
      return made.call(this, alternatives as IOrAlt<unknown>[]);
    };
  }

  override buildLookaheadForOptional(
    options: Parameters<ILookaheadStrategy["buildLookaheadForOptional"]>[0],
  ): (this: BaseParser) => boolean {
    const build = () => super.buildLookaheadForOptional(options);
    let made: ReturnType<typeof build> | undefined;
    return function () {
      made ??= build();
      return made.call(this);
    };
  }
}
