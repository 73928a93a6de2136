import { type Node, type Output, put, putLeft, putList, putRight } from "./node.ts";

/** `outer::inner`. */
export const nested = (outer: Node, inner: Node): Node => ({
  left: (out) => {
    put(outer, out);
    out.put("::");
    put(inner, out);
  },
  base: (out) => inner.base?.(out),
  ...(inner.returnsNothing ? { returnsNothing: true } : {}),
  plain: inner.args === undefined,
  scoped: true,
});

/** `name<arguments>`. Two signs that close are `> >`, as GNU tools write them. */
export const templated = (name: Node, args: Node): Node => ({
  left: (out) => {
    put(name, out);
    put(args, out);
  },
  base: (out) => name.base?.(out),
  ...(name.returnsNothing ? { returnsNothing: true } : {}),
  args: args.args ?? [],
});

/** `<int, 3>`. */
export const templateArguments = (args: readonly Node[]): Node => ({
  args,
  left: (out) => {
    // `operator< <int>`
    if (out.last === "<") out.put(" ");
    out.put("<");
    putList(args, out);
    if (out.last === ">") out.put(" ");
    out.put(">");
  },
});

/** `name[abi:tag]`, which a constructor's name does not have. */
export const tagged = (name: Node, tag: string): Node => ({
  ...name,
  left: (out) => {
    put(name, out);
    out.put(`[abi:${tag}]`);
  },
});

/** A constructor, or with `~` a destructor, of a class: its name once more. */
export const structor = (owner: Node, sign: "" | "~"): Node => ({
  left: (out) => {
    out.put(sign);
    owner.base?.(out);
  },
  returnsNothing: true,
});

/** `operator int`: a conversion. */
export const conversion = (type: Node): Node => ({
  left: (out) => {
    out.put("operator ");
    put(type, out);
  },
  returnsNothing: true,
});

/** A pack in a list of template arguments: all of its items. */
export const pack = (items: readonly Node[]): Node => ({ left: (out) => putList(items, out), items: () => items });

/** `pattern...`: the pattern once for each item of the pack in it. */
export const expansion = (pattern: Node): Node => ({
  left: (out) => {
    const outer = out.expansion;
    const here: { index: number; size: number | undefined } = { index: 0, size: undefined };
    out.expansion = here;
    const start = out.text.length;
    put(pattern, out);
    const size: number | undefined = here.size;
    if (size === undefined) out.put("...");
    else if (size === 0) out.cut(start);
    for (let index = 1; index < (size ?? 0); index++) {
      here.index = index;
      out.put(", ");
      put(pattern, out);
    }
    out.expansion = outer;
  },
});

/** `{lambda(int)#2}`. */
export const lambda = (parameters: readonly Node[], ordinal: number): Node => {
  const left = (out: Output): void => {
    const { lambda: outer } = out;
    out.put("{lambda(");
    out.lambda = true;
    putList(parameters, out);
    out.lambda = outer;
    out.put(`)#${ordinal}}`);
  };
  return { left, base: left, plain: true };
};

/**
 * A function with its type: `int add<int>(int, int)`; nothing stands before the name if `type` returns nothing. `T_`
 * in the type stands for an argument of the name's template.
 */
export const encoding = (name: Node, type: Node): Node => {
  const scoped = (write: (out: Output) => void) => (out: Output) => {
    const { scope: outer, lambda: enclosing } = out;
    if (name.args !== undefined) out.scope = { args: name.args, outer };
    out.lambda = false;
    write(out);
    out.scope = outer;
    out.lambda = enclosing;
  };
  const right = scoped((out) => putRight(type, out));
  return {
    left: scoped((out) => {
      putLeft(type, out);
      put(name, out);
    }),
    right,
    name: { ...name, left: scoped(name.left) },
    within: {
      left: (out) => {
        scoped(name.left)(out);
        right(out);
      },
    },
  };
};
