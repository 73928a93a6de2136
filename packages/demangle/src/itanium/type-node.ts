import { type Node, type Output, put, putLeft, putList, putRight, type Reference } from "./node.ts";

/** The text around a declared name where `node` is pointed to: `(*` and `)` for arrays and functions. */
function open(node: Node, out: Output): void {
  const shape = node.shape?.(out);
  if (shape === "array") out.put(" (");
  else if (shape === "function") out.put("(");
}

const close = (node: Node, out: Output): void => {
  if (node.shape?.(out) !== undefined) out.put(")");
};

/** `int*`, `void (*)(int)`; `sign` may be the class of a pointer to a member, too. */
export const pointer = (target: Node, sign: (out: Output) => void): Node => ({
  left: (out) => {
    putLeft(target, out);
    open(target, out);
    sign(out);
  },
  right: (out) => {
    close(target, out);
    putRight(target, out);
  },
});

/** `int A::*`, `void (A::*)(int)`. */
export const memberPointer = (owner: Node, member: Node): Node =>
  pointer(member, (out) => {
    const shape = member.shape?.(out);
    if (shape === undefined) out.put(" ");
    put(owner, out);
    out.put("::*");
  });

/** `int&`; a reference to a reference is one, with two signs only if both have two. */
export function reference(target: Node, sign: "&" | "&&"): Node {
  const collapsed = (out: Output): Reference => {
    const inner = target.reference?.(out);
    if (inner === undefined) return { sign, target };
    return { sign: sign === "&&" && inner.sign === "&&" ? "&&" : "&", target: inner.target };
  };
  return {
    left: (out) => {
      const all = collapsed(out);
      putLeft(all.target, out);
      open(all.target, out);
      out.put(all.sign);
    },
    right: (out) => {
      const all = collapsed(out);
      close(all.target, out);
      putRight(all.target, out);
    },
    reference: collapsed,
  };
}

/** `int const`: words after a type. */
export const qualified = (type: Node, words: string): Node => ({
  ...type,
  left: (out) => {
    putLeft(type, out);
    // A template argument may be const already.
    if (type.shape?.(out) !== "function" && !out.text.endsWith(words)) out.put(words);
  },
  right: (out) => {
    putRight(type, out);
    if (type.shape?.(out) === "function") out.put(words);
  },
  plain: false,
});

/** `int [3]`; without a length `int []`. */
export const array = (element: Node, length: Node | undefined): Node => ({
  left: (out) => putLeft(element, out),
  right: (out) => {
    if (out.last !== "]") out.put(" ");
    out.put("[");
    if (length !== undefined) put(length, out);
    out.put("]");
    putRight(element, out);
  },
  shape: () => "array",
});

/** `void (int, float) const`: a type, or what follows a function's name. */
export const functionType = (result: Node | undefined, parameters: readonly Node[], after: Node): Node => ({
  left: (out) => {
    if (result === undefined) return;
    putLeft(result, out);
    if (result.shape?.(out) === undefined || result.right === undefined) out.put(" ");
  },
  right: (out) => {
    out.put("(");
    putList(parameters, out);
    out.put(")");
    if (result !== undefined) putRight(result, out);
    put(after, out);
  },
  shape: () => "function",
});
