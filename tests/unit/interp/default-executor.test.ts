import { expect, test } from "vitest";
import { Device, must } from "../../../src/index.ts";
import { executors } from "../../../src/interp/create-session.ts";
import { standard } from "../../../src/interp/default-executor.ts";

test("a second pass of the tests is one by the executor that it names", () => {
  const kernel = must(
    must(new Device().module(".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { ret; }")).kernel("k"),
  );
  const used = must(kernel.session({ block: 32 }))!.state?.executor;
  const { PTXRUN_EXECUTOR: chosen } = process.env;
  if (chosen !== undefined) expect(used).toBe(executors.get(chosen));
  else expect(used).toBe(standard);
});
