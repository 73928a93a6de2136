/**
 * True for text that has a statement only vISA has, and none that only PTX has; or an instruction with a mask. Each pattern
 * comes after a quick one that all it finds must meet, because every text is asked.
 */
export const isVisa = (text: string): boolean =>
  (/\.(?:kernel|global_function|decl)/.test(text) &&
    /^[ \t]*\.(?:kernel|global_function|decl|kernel_attr)\b/m.test(text) &&
    !/^[ \t]*\.(?:target|entry)\b/m.test(text)) ||
  (/\([ \t]*(?:M[1-8]|NoMask)/.test(text) &&
    /^[ \t]*(?:\([^)\n]{1,80}\)[ \t]*)?[A-Za-z][\w.]*[ \t]*\([ \t]*(?:M[1-8](?:_NM)?|NoMask)[ \t]*,[ \t]*\d+[ \t]*\)/m.test(
      text,
    ));

/** "CISA", with which every object begins. */
export const magic = [0x43, 0x49, 0x53, 0x41] as const;

/** Whether a file is a vISA object rather than text. */
export const isObject = (bytes: Uint8Array): boolean => magic.every((byte, at) => bytes[at] === byte);
