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
  /** Whether a pointer to it needs parentheses; a pack's item decides when it is written. */
  readonly shape?: (out: Output) => "array" | "function" | undefined;
  /** A reference, for references to references, which collapse; for a pack, the current item's. */
  readonly reference?: (out: Output) => Reference | undefined;
  /** The name that a constructor of this class has. */
  readonly base?: (out: Output) => void;
  /** The items of a pack. */
  readonly items?: (out: Output) => readonly Node[] | undefined;
  /** True for a node that an expression writes without parentheses around it. */
  readonly plain?: boolean;
  /** True for a name within another. */
  readonly scoped?: boolean;
  /** True for a conversion, constructor or destructor, which returns what its name says. */
  readonly returnsNothing?: boolean;
  /** The template arguments that a name ends with: a function's type then begins with its return type. */
  readonly args?: readonly Node[];
  /** The qualifiers of a member function for `this`, written after its parameters: ` const &`. */
  readonly after?: string;
  /** Of a function with its type: the name alone, and the name with its parameters, without its return type. */
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

/** Nodes with commas between them; a node that writes nothing, an empty pack, has no comma either. */
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

/** A node that writes a fixed word. */
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
