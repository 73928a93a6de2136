import { DeviceReader } from "../access/device-read.ts";
import { firstLane } from "../contract/lane-mask.ts";
import { Fault } from "../state/fault.ts";
import type { BuiltinCall } from "../warp/builtin-call.ts";
import { long, word } from "./argument-word.ts";
import { textOf } from "./text.ts";

/** Letters of one text in the message. */
const MOST = 1024;

/** `__assertfail(message, file, line, function, charSize)`: what `assert` of device code calls. */
export function fail(call: BuiltinCall): void {
  const { context, warp, mask } = call;
  const lane = firstLane(mask);
  const reader = new DeviceReader(context, warp, lane);
  const text = (index: number, what: string): string => textOf(reader.string(long(call, index, lane), what, MOST));
  const [assertion, file, where] = [text(0, "the assertion"), text(1, "the file name"), text(3, "the function name")];
  throw new Fault(
    "PTX3025",
    lane,
    `stops the launch: ${file}:${word(call, 2, lane)}: ${where}: Assertion \`${assertion}' failed`,
  );
}
