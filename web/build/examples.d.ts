/** Gives `{ path, text }` of the list of examples and of each example. */
export function exampleFiles(): readonly { readonly path: string; readonly text: string }[];
