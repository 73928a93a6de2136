import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./browser.ts";
import { openProgram, paste, says, silence, status } from "./hand.ts";
import { openPage } from "./page.ts";

// All that goes between the blocks is relaxed, which is no race.
const flag = readFileSync("examples/checks/flag.ptx", "utf8")
  .replace("st.global.u32 [%rd1]", "st.relaxed.gpu.global.u32 [%rd1]")
  .replace("ld.global.u32 %r3", "ld.relaxed.gpu.global.u32 %r3");
const litmus = readFileSync("examples/litmus/message-passing/mp-fence-writer-only.ptx", "utf8");

describe.skipIf(!hasBrowser)("what the memory model allows", () => {
  test("beside a run without findings is one click away, with what would forbid it", async () => {
    const page = await openPage();
    await openProgram(page, "flag.ptx", flag, { grid: "2", block: "32" });
    expect(await status(page)).toContain("No findings; relaxed loads may see other orders.");
    await page.locator("#status-act", { hasText: "All outcomes" }).click();
    const panel = page.locator("#panel-outcomes");
    // As many threads have too many outcomes; a smaller launch is offered.
    await silence(page);
    await panel.locator("button", { hasText: "2 blocks of 1 thread" }).click();
    await says(page, "No findings; relaxed loads");
    const row = panel.locator("tbody tr", { hasText: "1, 0" });
    await row.waitFor();
    expect(await panel.locator("tbody tr").count()).toBe(4);
    expect(await panel.locator("tbody tr", { hasText: "▶" }).textContent()).toContain("1, 42");
    await row.locator("button").click();
    await expect.poll(() => panel.locator("pre").textContent()).toContain("What would forbid it:");
    expect(await panel.locator("pre").textContent()).toContain(".release.gpu at");
  });

  test("of a litmus test is all that there is to see", async () => {
    const page = await openPage();
    await paste(page, litmus);
    expect(await says(page, "as stated")).toBe("✔ mp-fence-writer-only: 4 final states of 4 executions, as stated.");
    expect(await page.locator(".fault-note").count()).toBe(0);
    const panel = page.locator("#panel-outcomes");
    expect(await panel.isVisible()).toBe(true);
    expect(await panel.locator("tbody tr").count()).toBe(4);
    expect(await page.locator("body.stale").count()).toBe(0);
    // A claim that is not so is said to be so.
    await paste(page, litmus.replace("//@ exists", "//@ never"));
    expect(await says(page, "as stated")).toMatch(/^✖ .* not as stated\.$/);
    // A mistake in it is told as any other.
    await paste(page, litmus.replace("P1:r1 ==", "P1:r9 =="));
    await says(page, "Cannot run: 1 error.");
    expect(await page.locator(".fault-note").first().textContent()).toContain("P1 has no register r9");
  });
});
