/** Writes the folder to publish, and gives the name of the worker's first file. */
export function buildWeb(out: string): Promise<string>;
