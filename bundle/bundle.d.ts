/** Writes the code into the folder `dist`, and gives the files that it was made of. */
export function bundle(dist: string): Promise<readonly string[]>;
