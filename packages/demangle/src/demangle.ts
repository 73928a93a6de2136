import { type Demangled, demangleItanium } from "./itanium/itanium.ts";
import { malformed } from "./itanium/output.ts";
import { demangleOldRust, demangleRust } from "./rust.ts";

export type { Demangled } from "./itanium/itanium.ts";

/** Compilers make no longer names, but a hostile text may. */
const LONGEST = 16_384;

/**
 * What a mangled name stands for: of the Itanium C++ ABI (`_Z...`, nvcc's, Clang's and Numba's), or of Rust (`_R...`,
 * and the legacy `_ZN...17h...E`). C++ names are written as GNU's c++filt writes them. Undefined for every other
 * text, and for a name that stands for more than 16,384 characters. Never throws.
 */
export function demangle(text: string): Demangled | undefined {
  if (text.length > LONGEST) return undefined;
  if (text.startsWith("_R")) return attempt(() => whole(demangleRust(text)));
  if (!text.startsWith("_Z")) return undefined;
  return attempt(() => whole(demangleOldRust(text))) ?? attempt(() => demangleItanium(text));
}

/** Rust mangles no types into a function's name. */
const whole = (full: string): Demangled => ({ full, name: full, signature: full });

function attempt(rule: () => Demangled): Demangled | undefined {
  try {
    return rule();
  } catch (error) {
    if (error !== malformed) throw error;
    return undefined;
  }
}
