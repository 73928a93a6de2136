import type { Platform } from "../../visa/src/resolve/platform.ts";

/** Defaults for what a text does not state. */
export interface Settings {
  /** `sm_90`, for a text without `.target`. */
  readonly target?: string;
  /** `8.7`, for a text without `.version`. */
  readonly version?: string;
  /** Of vISA. */
  readonly platform?: Platform;
}
