/** Whether a text is a litmus test in plain PTX: it has a line `//@ litmus`. */
export const isLitmus = (text: string): boolean => /^[ \t]*\/\/@ litmus\b/m.test(text);
