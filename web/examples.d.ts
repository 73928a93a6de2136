/** `[file, title, what there is to see, case]` by groups. */
export const groups: Readonly<
  Record<string, readonly (readonly [file: string, title: string, about: string, chosen?: string])[]>
>;
