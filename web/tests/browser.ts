import { existsSync } from "node:fs";

export const executablePath = "/usr/bin/chromium";
export const hasBrowser: boolean = existsSync(executablePath);
