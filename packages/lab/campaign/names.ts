import type { Wanted } from "../../../src/environment/report.ts";

/**
 * The report formats and engines of a campaign. Their code is loaded with the command, these names with every command
 * line.
 */
export const reportNames = ["text", "json", "junit", "html"] as const;
export type ReportName = (typeof reportNames)[number];
export type WantedReport = Wanted<ReportName>;

export const engineNames = ["slurm", "kubernetes", "github", "parallel"] as const;
export type Engine = (typeof engineNames)[number];
