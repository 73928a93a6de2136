import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hasBrowser } from "./browser.ts";
import { openProgram, paste, restart, says, status } from "./hand.ts";
import { openPage } from "./page.ts";

/** Each element of A and B is the number of the lane that holds it. */
const multiplication = `mov.u32 %lane, %laneid;
cvt.rn.f16.u32 %half, %lane;
mov.b32 %both, {%half, %half};
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0,%d1,%d2,%d3}, {%both,%both,%both,%both}, {%both,%both}, {%c0,%c1,%c2,%c3};
`;
const transpose = readFileSync("web/tests/kernels/transpose.ptx", "utf8");

describe.skipIf(!hasBrowser)("Explain", () => {
  test("of a matrix product says which lane holds an element, in which register, and what it is", async () => {
    const page = await openPage();
    await paste(page, multiplication);
    // It needs a warp, so it is given one.
    expect(await status(page)).toContain("Ended after 5");
    await restart(page);
    for (const line of [2, 3, 4]) {
      await page.click("#do-step");
      await says(page, `next is line ${line}`);
    }
    await page.click("#tab-explain");
    const map = page.locator("#panel-explain section");
    await map.getByLabel("Row", { exact: true }).fill("5");
    await map.getByLabel("Column", { exact: true }).fill("3");
    expect(await map.locator("output").textContent()).toBe("d[5][3] = 0.0: lane 21, d1 in %d1");
    await map.locator("select").selectOption("a");
    await map.getByLabel("Row", { exact: true }).fill("9");
    await map.getByLabel("Column", { exact: true }).fill("12");
    expect(await map.locator("output").textContent()).toBe("a[9][12] = 6.0: lane 6, a6 in %both, bits 0 to 15");
    // The drawing says the same, and a click in it asks.
    expect(await map.locator("td.asked").textContent()).toBe("6");
    await map.locator("tbody tr").nth(2).locator("td").nth(1).click();
    expect(await map.locator("output").textContent()).toBe("a[2][1] = 8.0: lane 8, a1 in %both, bits 16 to 31");
    await map.locator("button", { hasText: "Look at it" }).click();
    await expect.poll(() => page.locator(".registers tbody tr", { hasText: "%lane" }).textContent()).toContain("8");
    await map.getByLabel("Row", { exact: true }).fill("16");
    expect(await map.locator("output").textContent()).toBe("a has 16 rows and 16 columns");
    // What a lane has is read as what it is, and what it does is said once.
    const explained = page.locator("#panel-explain");
    await expect.poll(() => explained.textContent()).toContain("f16x2 0x48004800 = 8, 8");
    const text = (await explained.textContent()) ?? "";
    expect(text.match(/D = A \* B \+ C/g)?.length).toBe(1);
  });

  test("of an access says where it leads, what is there, and its bank conflicts or sectors", async () => {
    const page = await openPage();
    await openProgram(page, "transpose.ptx", transpose, {
      block: "32,32",
      values: { in: "f32x1024:iota", out: "f32x1024", n: "32" },
    });
    // From the end a line leads back to where the thread executed it.
    const line = page.locator(".cm-line", { hasText: "ld.shared.f32" });
    await line.click({ position: { x: 30, y: 8 } });
    await page.click("#tab-explain");
    const explain = page.locator("#panel-explain");
    await explain.locator("button", { hasText: /^Back to step / }).click();
    await says(page, "next is line 30");
    await expect
      .poll(() => explain.textContent())
      .toContain("32-way bank conflict: 32 passes of 32 lanes, where 1 would do");
    expect(await explain.textContent()).toContain("tile+0");
    expect(await explain.locator("dt", { hasText: "holds" }).locator("+ dd").textContent()).toBe("0.0");
    await page.locator(".cm-line", { hasText: "st.global.f32" }).click({ position: { x: 30, y: 8 } });
    await page.click("#do-step");
    await says(page, "next is line 31");
    await page.click("#do-step");
    await says(page, "next is line 32");
    await expect
      .poll(() => explain.textContent())
      .toContain("4 sectors of 32 bytes for the accesses of 32 lanes, as few as can be");
  });
});
