/**
 * The report formats and engines of a campaign. Their code is loaded with the command, these names with every command
 * line.
 */
export const reportNames = ["text", "json", "junit", "html"] as const;
export type ReportName = (typeof reportNames)[number];

export const engineNames = ["slurm", "kubernetes", "github", "parallel"] as const;
export type Engine = (typeof engineNames)[number];
