import { isDigit, Reader } from "../reader.ts";
import type { Node } from "./node.ts";
import { malformed } from "./output.ts";

/** The rules that depend on each other; collected here so that their files need not import each other. */
export interface Grammar {
  readonly encoding: (parser: Parser) => Node;
  readonly name: (parser: Parser) => Node;
  readonly type: (parser: Parser) => Node;
  readonly expression: (parser: Parser) => Node;
  readonly literal: (parser: Parser) => Node;
  readonly templateArgument: (parser: Parser) => Node;
  readonly unqualified: (parser: Parser, owner: Node | undefined) => Node;
}

const DEEPEST = 250;
/** Some parts are read twice to tell two rules apart, and such parts can nest. */
const MOST_RULES = 50_000;

/** A reader of names of the Itanium C++ ABI: its substitutions, and its rules. */
export class Parser extends Reader {
  readonly grammar: Grammar;
  /** What can be referred to by `S_`, `S0_` ... */
  substitutions: Node[] = [];
  /** True within the type of a conversion operator: arguments of a template that follow it are the operator's. */
  conversion = false;
  #depth = 0;
  #rules = 0;

  constructor(text: string, grammar: Grammar) {
    super(text);
    this.grammar = grammar;
  }

  type(): Node {
    return this.#within(this.grammar.type);
  }

  expression(): Node {
    return this.#within(this.grammar.expression);
  }

  name(): Node {
    return this.#within(this.grammar.name);
  }

  templateArgument(): Node {
    return this.#within(this.grammar.templateArgument);
  }

  unqualified(owner?: Node): Node {
    return this.grammar.unqualified(this, owner);
  }

  encoding(): Node {
    const { conversion } = this;
    this.conversion = false;
    const node = this.#within(this.grammar.encoding);
    this.conversion = conversion;
    return node;
  }

  /** Rules up to an `E`, which is consumed. */
  until<T>(rule: () => T): T[] {
    const all: T[] = [];
    while (!this.takes("E")) all.push(rule());
    return all;
  }

  /** Adds a node that a later `S_` may refer to. */
  remember(node: Node): Node {
    this.substitutions.push(node);
    return node;
  }

  /** `_`, `0_`, `Z_`, `10_`: a number with 36 digits, plus one. */
  sequence(): number {
    if (this.takes("_")) return 0;
    let number = 0;
    for (;;) {
      const character = this.take();
      if (character === "_") return number + 1;
      const upper = character >= "A" && character <= "Z";
      if ((!upper && !isDigit(character)) || number > 1e6) throw malformed;
      number = number * 36 + (upper ? character.charCodeAt(0) - 55 : Number(character));
    }
  }

  #within(rule: (parser: Parser) => Node): Node {
    if (++this.#depth > DEEPEST || ++this.#rules > MOST_RULES) throw malformed;
    const node = rule(this);
    this.#depth--;
    return node;
  }
}
