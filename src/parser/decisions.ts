import type { EmbeddedActionsParser, IOrAlt, TokenType } from "chevrotain";
import type { LazyLookahead } from "./lookahead.ts";

/** What Chevrotain keeps in a parser, of which its types do not speak; the version is fixed, and a test compares. */
interface Inside {
  selfAnalysisDone: boolean;
  readonly tokensMap: Readonly<Record<string, TokenType>>;
  /** By rule, kind of decision and occurrence. */
  readonly lookAheadFuncsCache: Map<number, unknown>;
  LA(distance: 1): { readonly tokenTypeIdx: number };
}
const inside = (parser: EmbeddedActionsParser): Inside => parser as unknown as Inside;

/**
 * All decisions of an analysed parser as a text: a line each, with its key, `|` or `?`, and the ways, whose tokens are
 * given by their places in the first line.
 */
export function decisionsOf(parser: EmbeddedActionsParser, { decisions }: LazyLookahead): string {
  const names: string[] = [];
  const place = (name: string): number => {
    const at = names.indexOf(name);
    return at >= 0 ? at : names.push(name) - 1;
  };
  const lines = [...inside(parser).lookAheadFuncsCache].map(([key, found]) => {
    const decision = decisions.get(found)?.();
    if (decision === undefined) throw new Error(`decision ${key}: not made here`);
    return `${key}${decision.isChoice ? "|" : "?"}${decision.ways.map((way) => way.map(place).join(" ")).join("|")}`;
  });
  return [names.join(" "), ...lines].join("\n");
}

/** Gives a parser the decisions that were found before, in place of an analysis of its grammar. */
export function decideBy(text: string, parser: EmbeddedActionsParser): void {
  const { lookAheadFuncsCache, tokensMap } = inside(parser);
  const [first = "", ...lines] = text.split("\n");
  const names = first.split(" ");
  const tokensOf = (way: string): readonly number[] | undefined =>
    way === "" ? undefined : way.split(" ").map((place) => tokensMap[names[Number(place)] ?? ""]?.tokenTypeIdx ?? -1);
  for (const line of lines) {
    const kind = line.search(/[|?]/);
    // Read when the decision is first met: a text needs few.
    const ways = () =>
      line
        .slice(kind + 1)
        .split("|")
        .map(tokensOf);
    lookAheadFuncsCache.set(Number(line.slice(0, kind)), line[kind] === "|" ? choice(ways) : entrance(ways));
  }
  inside(parser).selfAnalysisDone = true;
}

type Ways = () => readonly (readonly number[] | undefined)[];

/** The first way that begins with the next token, and whose condition holds. */
function choice(ways: Ways): (this: Inside, alternatives?: readonly IOrAlt<unknown>[]) => number | undefined {
  let byToken: ReadonlyMap<number, readonly number[]> | undefined;
  let others: readonly number[] = [];
  return function (alternatives) {
    if (byToken === undefined) {
      const all = [...ways().entries()];
      const begin = (token?: number): readonly number[] =>
        all.filter(([, tokens]) => tokens === undefined || tokens.includes(token ?? -1)).map(([way]) => way);
      byToken = new Map(all.flatMap(([, tokens]) => tokens ?? []).map((token) => [token, begin(token)]));
      others = begin();
    }
    for (const way of byToken.get(this.LA(1).tokenTypeIdx) ?? others) {
      const gate = alternatives?.[way]?.GATE;
      if (gate === undefined || gate.call(this) !== false) return way;
    }
    return undefined;
  };
}

/** Whether the next token is one that the part begins with. */
function entrance(ways: Ways): (this: Inside) => boolean {
  let tokens: ReadonlySet<number> | undefined;
  let always = false;
  return function () {
    if (tokens === undefined) {
      const [way] = ways();
      tokens = new Set(way);
      always = way === undefined;
    }
    return always || tokens.has(this.LA(1).tokenTypeIdx);
  };
}
