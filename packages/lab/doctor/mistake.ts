import { codes } from "../../../src/source/codes/index.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";

/** What a finding or a fault is a sign of, in the words that people search for. */
export function nameOf({ code, message, help = [] }: Diagnostic): string {
  const advice = help.map((each) => each.message).join("\n");
  if (code === "PTX4002" && / of the flag needs /.test(advice)) return "missing fence or release";
  if (code === "PTX4002") return "data race";
  if (code === "PTX4012") return "lanes missing from a mask";
  if (code === "PTX3013") return "wrong mask";
  if (code === "PTX6001") return "endless loop or deadlock";
  if (code === "PTX3010" || code === "PTX4011") return "barrier that some threads miss";
  if (code === "PTX3002" && message.includes("just past the end of")) return "off by one: access just past a buffer";
  return codes.get(code)?.title ?? code;
}
