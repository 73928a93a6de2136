import { type Section, section } from "../form/define.ts";
import { atom } from "./atom.ts";
import { barriers } from "./barrier.ts";
import { fences } from "./fence.ts";
import { red } from "./red.ts";
import { lanes } from "./warp.ts";

export const synchronization: Section = section(
  "synchronization",
  [...barriers, ...fences, ...atom, ...red, ...lanes],
  {
    "": "barrier=bar bar.warp.sync barrier.cluster fence=membar vote.sync match=match.sync redux=redux.sync elect=elect.sync",
  },
);
