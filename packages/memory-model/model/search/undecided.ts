import type { Fence } from "../event.ts";
import type { Orders } from "../order.ts";
import type { Node } from "./node.ts";

/**
 * A pair that must be ordered but is not: morally strong writes (8.9.6), atomic operations of which one must finish
 * before the other begins (8.7.2), morally strong fence.sc (8.9.3).
 */
export function undecided({ nodes, co, sc }: Orders): { among: "fences" | "writes"; a: number; b: number } | undefined {
  for (const { index: b, strong, excludes, kind, event } of nodes) {
    for (const a of excludes) if (!co.has(a, b) && !co.has(b, a)) return { among: "writes", a, b };
    for (const a of strong) {
      const other = nodes[a] as Node;
      if (kind === "write" && other.kind === "write") {
        if (!co.has(a, b) && !co.has(b, a)) return { among: "writes", a, b };
      } else if (kind === "fence" && other.kind === "fence") {
        const both = (event as Fence).semantics === "sc" && (other.event as Fence).semantics === "sc";
        if (both && !sc.has(a, b) && !sc.has(b, a)) return { among: "fences", a, b };
      }
    }
  }
  return undefined;
}
