import { describe, expect, test } from "vitest";
import { format } from "../../../src/interp/driver/print-format.ts";

/** Bits of a double. */
const double = (value: number): bigint => new BigUint64Array(new Float64Array([value]).buffer)[0] ?? 0n;
const bytes = (text: string): number[] => [...new TextEncoder().encode(text)];

/** What a format makes of values; a number is a double, a bigint an integer or address, a text lies at its own address. */
function printed(text: string, values: readonly (number | bigint | string)[], most = 1 << 20): string {
  const rest = [...values];
  const strings: number[][] = [];
  const made = format(
    bytes(text),
    {
      next(width) {
        const value = rest.shift() ?? 0n;
        if (typeof value === "number") return double(value);
        if (typeof value === "bigint") return BigInt.asUintN(width * 8, value);
        return BigInt(strings.push(bytes(value)));
      },
      string: (address) => strings[Number(address) - 1] ?? [],
    },
    most,
  );
  expect(rest).toEqual([]);
  return new TextDecoder().decode(Uint8Array.from(made));
}

// Each right side is what glibc's printf prints.
describe("a format is printed as C does", () => {
  test.each<[string, (number | bigint | string)[], string]>([
    ["%d %i|%5d|%-5d|%05d|%+d|% d", [1n, -2n, 42n, 42n, -42n, 7n, 7n], "1 -2|   42|42   |-0042|+7| 7"],
    ["%.3d|%8.3d|%-8.3d|%08.3d|%.0d|", [7n, 7n, 7n, 7n, 0n], "007|     007|007     |     007||"],
    ["%u %x %X %o %#x %#X %#o %#x", [-1n, 255n, 255n, 8n, 255n, 255n, 8n, 0n], "4294967295 ff FF 10 0xff 0XFF 010 0"],
    [
      "%lld %llu %lx %hd %hhd %hu %hhx",
      [-5n, -5n, -1n, 65537n, 257n, -1n, -1n],
      "-5 18446744073709551611 ffffffffffffffff 1 1 65535 ff",
    ],
    ["%zu %jd %td %ld", [1n, -1n, -2n, 3n], "1 -1 -2 3"],
    ["%*d|%-*d|%*d|%.*d", [5n, 1n, 5n, 2n, -5n, 3n, 4n, 5n], "    1|2    |3    |0005"],
    ["%c%c|%3c|%-3c|", [72n, 105n, 33n, 33n], "Hi|  !|!  |"],
    ["%s|%6s|%-6s|%.2s|%6.2s|", ["abc", "abc", "abc", "abc", "abc"], "abc|   abc|abc   |ab|    ab|"],
    ["%s %p %p %%", [0n, 0n, 0x4f00_0000_1000n], "(null) (nil) 0x4f0000001000 %"],
    ["%f %.0f %.1f %.2f %.10f", [1.5, 0.5, 0.25, 2.675, 0.1], "1.500000 0 0.2 2.67 0.1000000000"],
    [
      "%f %F %5.1f|%-8.3f|%08.3f|%+.2f|% f",
      [1e22, -0, 2.345678, 2.345678, -2.345678, 1, 1],
      "10000000000000000000000.000000 -0.000000   2.3|2.346   |-002.346|+1.00| 1.000000",
    ],
    ["%.20f", [0.1], "0.10000000000000000555"],
    [
      "%e %E %.0e %#.0e %.3e %e",
      [12345.678, 0.00012, 15, 15, 9.9996, 0],
      "1.234568e+04 1.200000E-04 2e+01 2.e+01 1.000e+01 0.000000e+00",
    ],
    ["%e %e", [5e-324, 1.7976931348623157e308], "4.940656e-324 1.797693e+308"],
    [
      "%g %g %g %g %g %g",
      [100000, 1000000, 0.0001, 0.00001, 123456789, 0.5],
      "100000 1e+06 0.0001 1e-05 1.23457e+08 0.5",
    ],
    ["%.3g %#g %#.3g %.0g %G %g", [2.345678, 1, 2, 25, 1e-10, 0], "2.35 1.00000 2.00 2e+01 1E-10 0"],
    ["%g %.10g %.17g", [0.1, 0.1, 0.1], "0.1 0.1 0.10000000000000001"],
    [
      "%f %5f|%-5f|%05f|%+f %E %g",
      [Infinity, -Infinity, NaN, Infinity, Infinity, Infinity, NaN],
      "inf  -inf|nan  |  inf|+inf INF nan",
    ],
    [
      "%a %a %a %A %.0a %.1a %.2a",
      [1, 0.1, 0, 255.5, 1.5, 1.97, 1],
      "0x1p+0 0x1.999999999999ap-4 0x0p+0 0X1.FFP+7 0x2p+0 0x2.0p+0 0x1.00p+0",
    ],
    ["%a %12a|%-12a|%012a", [5e-324, 1, 1, -1], "0x0.0000000000001p-1022       0x1p+0|0x1p+0      |-0x000001p+0"],
    ["%5%|%y|%", [], "%|%y|%"],
    ["naïve %s", ["…"], "naïve …"],
  ])("%s", (text, values, expected) => expect(printed(text, values)).toBe(expected));

  test("and ends, however much is asked for", () => {
    expect(printed("%2000000000d", [1n], 1000)).toHaveLength(1000);
    expect(printed("%.2000000000f", [1], 1000)).toHaveLength(1000);
    expect(printed("%.2000000000e", [1], 1000)).toHaveLength(1000);
    expect(printed("%#.2000000000g", [1], 1000)).toHaveLength(1000);
    expect(printed("%.2000000000d", [1n], 1000)).toHaveLength(1000);
    expect(printed("%d".repeat(3000), Array(3000).fill(7n), 5000)).toHaveLength(3000);
  });
});
