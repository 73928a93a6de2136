import type { Since } from "../../../isa/form/define.ts";
import type { Span } from "../../../source/source.ts";
import { type Report, reject } from "../../report.ts";
import type { Header } from "./header.ts";
import { showVersion } from "./target.ts";

/** Directives, strings of `.pragma`, attributes and types that are younger than PTX 1.4, each as its section of the manual dates it. */
const features: ReadonlyMap<string, Since> = new Map([
  [".pragma", { ptx: 20, sm: 10 }],
  ["used_bytes_mask", { ptx: 83, sm: 50 }],
  ["enable_smem_spilling", { ptx: 90, sm: 75 }],
  ["frequency", { ptx: 90, sm: 20 }],
  ["mma_throughput", { ptx: 93, sm: 10 }],
  [".texref", { ptx: 15, sm: 10 }],
  [".samplerref", { ptx: 15, sm: 10 }],
  [".surfref", { ptx: 15, sm: 10 }],
  [".b128", { ptx: 83, sm: 70 }],
  [".f16x2", { ptx: 42, sm: 53 }],
  [".managed", { ptx: 40, sm: 30 }],
  [".unified", { ptx: 90, sm: 90 }],
  [".common", { ptx: 50, sm: 20 }],
  // The manual says 6.0; ptxas takes both from 5.1 on (measured).
  [".branchtargets", { ptx: 51, sm: 30 }],
  [".calltargets", { ptx: 21, sm: 20 }],
  [".callprototype", { ptx: 21, sm: 20 }],
  [".alias", { ptx: 63, sm: 30 }],
  [".noreturn", { ptx: 64, sm: 30 }],
  [".reqntid", { ptx: 21, sm: 10 }],
  [".reqnctapercluster", { ptx: 78, sm: 90 }],
  [".explicitcluster", { ptx: 78, sm: 90 }],
  [".maxclusterrank", { ptx: 78, sm: 90 }],
  [".blocksareclusters", { ptx: 90, sm: 90 }],
  [".language", { ptx: 93, sm: 10 }],
  [".minperctamemory", { ptx: 94, sm: 80 }],
  [".loc_intermediate", { ptx: 94, sm: 10 }],
  [".nv_intermediate_source_section", { ptx: 94, sm: 10 }],
  [".abi_preserve", { ptx: 90, sm: 80 }],
  [".abi_preserve_control", { ptx: 90, sm: 80 }],
]);

/** Reports PTX1509 or PTX1510 where the module's header is too old for `feature` (`.b128`). */
export function requireFeature(feature: string, at: Span, header: Header, report: Report): void {
  const since = features.get(feature);
  if (!since) return;
  if (header.version < since.ptx)
    reject(report, "PTX1509", at, `${feature} is newer than PTX ${showVersion(header.version)}`, {
      expected: `.version ${showVersion(since.ptx)} or later`,
      needs: since,
    });
  if (header.target.sm < since.sm)
    reject(report, "PTX1510", at, `${header.target.name} does not have ${feature}`, {
      expected: `sm_${since.sm} or later`,
      needs: since,
    });
}

/** True where the module's header is new enough for `feature`. */
export function hasFeature(feature: string, { version, target }: Pick<Header, "version" | "target">): boolean {
  const since = features.get(feature);
  return since === undefined || (version >= since.ptx && target.sm >= since.sm);
}
