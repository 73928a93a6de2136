/**
 * Writes the code into the folder `dist`, and gives the files that it was made of. Where it need not be `small`, as tests
 * want it, that takes half the time.
 */
export function bundle(dist: string, how?: { readonly small?: boolean }): Promise<readonly string[]>;
/** Writes the library's doors into the folder `dist`, in front of the code that `bundle` wrote there. */
export function writeDoors(dist: string): void;
