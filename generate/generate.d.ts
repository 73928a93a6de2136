/** Writes the module of generated loops where it is missing or says something else than the operations do. */
export function generateLoops(): Promise<void>;
