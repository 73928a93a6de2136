import { Output as OutputOf } from "./output.ts";

/** Where nodes are written to. */
export type Output = OutputOf<Node>;

/**
 * A part of a demangled name. C++ writes types around the name that they declare, so a node has a left and a right:
 * of `int (&)[3]` everything up to `&` and what follows it.
 */
export interface Node {
  readonly left: (out: Output) => void;
  readonly right?: (out: Output) => void;
  /** What a pointer to it must put into parentheses; a pack's item decides by itself, when it is written. */
  readonly shape?: (out: Output) => "array" | "function" | undefined;
  /** A reference, for references to references, which collapse; of a pack it is the item that counts. */
  readonly reference?: (out: Output) => Reference | undefined;
  /** The name that a constructor of this class has. */
  readonly base?: (out: Output) => void;
  /** The items of a pack. */
  readonly items?: (out: Output) => readonly Node[] | undefined;
  /** True for what an expression writes without parentheses around it. */
  readonly plain?: boolean;
  /** True for a name within another. */
  readonly scoped?: boolean;
  /** True for a conversion, constructor or destructor, which returns what its name says. */
  readonly returnsNothing?: boolean;
  /** The template arguments that a name ends with: a function's type then begins with what it returns. */
  readonly args?: readonly Node[];
  /** What a member function says of `this`, written after its parameters: ` const &`. */
  readonly after?: string;
  /** Of a function with its type: the name alone, and the name with what it takes, without what it returns. */
  readonly name?: Node;
  readonly within?: Node;
}

export interface Reference {
  readonly sign: "&" | "&&";
  readonly target: Node;
}

/** Writes the part of a node that stands before the declared name. */
export function putLeft(node: Node, out: Output): void {
  out.enter();
  node.left(out);
  out.leave();
}

/** Writes the part of a node that stands after the declared name. */
export function putRight(node: Node, out: Output): void {
  if (node.right === undefined) return;
  out.enter();
  node.right(out);
  out.leave();
}

/** Writes a whole node. */
export function put(node: Node, out: Output): void {
  putLeft(node, out);
  putRight(node, out);
}

/** Nodes with commas between them; what writes nothing, an empty pack, has no comma either. */
export function putList(nodes: readonly Node[], out: Output): void {
  let first = true;
  for (const node of nodes) {
    const before = out.text.length;
    if (!first) out.put(", ");
    const start = out.text.length;
    put(node, out);
    if (out.text.length === start) out.cut(before);
    else first = false;
  }
}

/** The text of a node. */
export function written(node: Node): string {
  const out: Output = new OutputOf();
  put(node, out);
  return out.text;
}

/** A word that stands for itself. */
export const word = (text: string): Node => ({
  left: (out) => out.put(text),
  base: (out) => out.put(text),
  plain: true,
});

/** Nodes and words one after the other. */
export const sequence = (...parts: readonly (Node | string)[]): Node => ({
  left: (out) => {
    for (const part of parts) {
      if (typeof part === "string") out.put(part);
      else put(part, out);
    }
  },
});
