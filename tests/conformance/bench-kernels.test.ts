import { expect, it } from "vitest";
import { kernels, sample } from "../bench/kernels.ts";

it.each(Object.entries(kernels))(
  "%s gives the checksum of the same arithmetic in C++",
  (name, { checksum: wanted }) => {
    const { run, checksum } = sample(name);
    const { stop, findings } = run();
    expect([stop.reason, findings]).toEqual(["exit", []]);
    expect(checksum()).toBe(wanted);
  },
);
