import type { ProxyFence, Read, Write } from "./event.ts";
import type { Relation } from "./relation.ts";
import type { Node } from "./search/node.ts";
import { includes, sameProxy } from "./strength.ts";

/** Proxies with separate memory in each multiprocessor: only fences of the same block reach them. */
const ofBlock: ReadonlySet<string> = new Set(["texture", "surface", "constant", "readonly"]);

const sameBlock = (a: Node, b: Node): boolean => includes("cta", a.placement, b.placement);

const proxyOf = (fence: Node): ProxyFence["proxy"] => (fence.event as ProxyFence).proxy;

/** Whether a fence is for this way from X to Y: one that follows an asynchronous operation is for what that did. */
function concerns({ event, thread }: Node, x: Node, y: Node): boolean {
  const { async, space } = event as ProxyFence;
  if (space !== undefined && x.location?.space !== undefined && x.location.space !== space) return false;
  const isPart = (node: Node): boolean => node.thread === thread && (node.event as Read).async === async;
  return async === undefined || isPart(x) || isPart(y);
}

/**
 * Whether the path from X to Y in base causality order leads from the proxy and virtual address of X to those of Y (PTX
 * ISA 8.9.5). A proxy fence stands between its proxy and the generic one at one address, an alias fence between the
 * addresses of the generic proxy: from a surface of one name to a texture of another, the path needs a fence of the
 * surface, an alias fence and a fence of the texture, in this order.
 */
export function crosses(x: Node, y: Node, fences: readonly Node[], base: Relation): boolean {
  const from = x.event as Read | Write;
  const to = y.event as Read | Write;
  if (sameProxy(from, to) && (from.proxy === "generic" || sameBlock(x, y))) return true;
  const along = fences.filter(
    (fence) => concerns(fence, x, y) && base.has(x.index, fence.index) && base.has(fence.index, y.index),
  );
  const of = (proxy: Read["proxy"], user: Node) =>
    along.filter((fence) => proxyOf(fence) === proxy && (!ofBlock.has(proxy) || sameBlock(fence, user)));
  const needed: Node[][] = [];
  if (from.proxy !== "generic") needed.push(of(from.proxy, x));
  if (from.location.alias !== to.location.alias) needed.push(along.filter((fence) => proxyOf(fence) === "alias"));
  if (to.proxy !== "generic") needed.push(of(to.proxy, y));
  const [first = [], ...others] = needed;
  const last = others.reduce(
    (passed, next) => next.filter((into) => passed.some((out) => out === into || base.has(out.index, into.index))),
    first,
  );
  return last.length > 0;
}
