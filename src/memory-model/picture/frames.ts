import type { Placement } from "../event.ts";
import { levels } from "./arrangement.ts";
import type { Sheet } from "./sheet.ts";
import { clustersMatter, devicesMatter } from "./words.ts";

/** A frame around the threads of one block, cluster or device: neighbouring columns. */
export interface Frame {
  readonly label: string;
  readonly first: number;
  readonly last: number;
  /** How many frames are around it. */
  readonly depth: number;
}

/** Frames around blocks, and around clusters and devices where that tells threads apart. */
export function framesOf({ columns }: Sheet): { readonly frames: readonly Frame[]; readonly depth: number } {
  const all = columns.map(({ placement }) => placement);
  const shown = [
    ...(devicesMatter(all) ? [{ of: levels[0], label: ({ gpu }: Placement) => `device ${gpu}` }] : []),
    ...(clustersMatter(all) ? [{ of: levels[1], label: ({ cluster }: Placement) => `cluster ${cluster}` }] : []),
    { of: levels[2], label: ({ block }: Placement) => `block ${block}` },
  ];
  const frames = shown.flatMap(({ of, label }, depth) => {
    const own: { label: string; first: number; last: number; depth: number; key: string | undefined }[] = [];
    for (const [at, placement] of all.entries()) {
      const open = own.at(-1);
      if (open && open.key === of?.(placement)) open.last = at;
      else own.push({ label: label(placement), first: at, last: at, depth, key: of?.(placement) });
    }
    return own;
  });
  return { frames, depth: shown.length };
}
