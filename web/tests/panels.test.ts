import { describe, expect, test } from "vitest";
import { hasBrowser } from "./browser.ts";
import { startWorker } from "./client.ts";
import { openProgram, register, registers, restart, run, says } from "./hand.ts";
import { openPage } from "./page.ts";

describe.skipIf(!hasBrowser)("the focused thread", () => {
  test("is one that there is", async () => {
    const page = await openPage();
    await openProgram(page, "lanes.ptx", "mov.u32 %i, %tid.x;\n", { block: "64", grid: "2" });
    await run(page);
    for (const [name, wrong] of [
      ["Thread of the block", "69"],
      ["Block", "7"],
    ] as const) {
      const field = page.locator(`input[aria-label='${name}']`);
      await field.fill(wrong);
      await field.press("Enter");
      await says(page, `there is no ${wrong}`);
      expect(await field.inputValue()).toBe("0");
    }
  });
});

describe.skipIf(!hasBrowser)("a worker", () => {
  test("marks nothing as changed where only another thread is looked at", async () => {
    const ask = await startWorker(await openPage());
    const inputs = { entry: "", grid: "", block: "64", values: {}, race: false };
    await ask("load", { name: "k.ptx", text: "mov.u32 %i, %tid.x;\n", inputs }, 1000);
    const marks = async (lane: number) =>
      (await ask("focus", { block: 0, warp: 1, lane })).registers.map(({ changed }) => changed);
    expect(await marks(3)).toEqual([false]);
    await ask("move", { kind: "restart" });
    await ask("move", { kind: "run" });
    expect(await marks(4)).toEqual([true]);
  });

  test("explains an instruction of a kernel that is not launched", async () => {
    const ask = await startWorker(await openPage());
    const text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.entry a() {\n  ret;\n}\n.entry b() {\n  barrier.sync 0;\n  ret;\n}\n";
    const inputs = { entry: "a", grid: "1", block: "1", values: {}, race: false };
    await ask("load", { name: "k.ptx", text, inputs }, 1000);
    const found = await ask("explain", 8);
    expect([found?.line, found?.text]).toEqual([8, "barrier.sync 0;"]);
    expect(found?.rows.map((row) => row.text)).toEqual(["b is not what is launched, so there are no values"]);
    expect(await ask("explain", 7)).toBeUndefined();
  });
});

describe.skipIf(!hasBrowser)("time", () => {
  test("the slider goes back and forth, and the same registers are there again", async () => {
    const page = await openPage();
    await run(page);
    // Of the thread that counts longest.
    const thread = page.locator("input[aria-label='Thread of the block']");
    await thread.fill("26");
    await thread.press("Enter");
    await page.waitForFunction(() => document.querySelector(".registers tbody td:last-child")?.textContent === "26");
    const slider = page.locator("#slider");
    const at = async (position: number): Promise<readonly string[]> => {
      await slider.fill(String(position));
      await says(page, `after ${position} warp`);
      await page.waitForFunction(
        (wanted) => document.querySelector("#strip-note")?.textContent?.startsWith(`${wanted} of`),
        position,
      );
      return registers(page);
    };
    const early = await at(100);
    const late = await at(500);
    expect(late).not.toEqual(early);
    expect(await at(100)).toEqual(early);
    expect(await at(500)).toEqual(late);
    expect(await slider.getAttribute("aria-valuetext")).toMatch(/^500 of 896/);
    await slider.press("ArrowLeft");
    await says(page, "after 499 warp");
  });

  test("the strip is painted where the lanes are, and a click goes there", async () => {
    const page = await openPage();
    await run(page);
    const strip = page.locator("#strip");
    const painted = await strip.evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const paper = (canvas as HTMLCanvasElement).getContext("2d");
      const column = (x: number) => {
        const data = paper?.getImageData(x, 0, 1, height).data ?? [];
        return [...data].filter((_, at) => at % 4 === 3).filter((alpha) => alpha > 0).length / height;
      };
      return [column(4), column(Math.round(width * 0.6))];
    });
    // At first all 32 lanes execute, later two.
    expect(painted[0]).toBeGreaterThan(0.9);
    expect(painted[1]).toBeLessThan(0.2);
    await strip.click({ position: { x: 300, y: 20 } });
    await says(page, "next is line");
    expect(Number(await page.inputValue("#slider"))).toBeGreaterThan(100);
    const here = await page.locator("#strip-here").boundingBox();
    const { x = 0 } = (await strip.boundingBox()) ?? {};
    expect(Math.abs((here?.x ?? 0) - x - 300)).toBeLessThan(4);
  });

  test("the strip has a row for each of many warps, says who runs, and a click on a row looks at its warp", async () => {
    const page = await openPage();
    await openProgram(page, "warps.ptx", "mov.u32 %i, %tid.x;\nadd.u32 %i, %i, 1;\nadd.u32 %i, %i, 1;\n", {
      block: "128",
      grid: "2",
    });
    // Rows for what is to come, so that nothing moves when it does.
    await page.waitForFunction(() =>
      document.querySelector("#strip-legend")?.textContent?.includes("8 warps, a row each"),
    );
    const strip = page.locator("#strip");
    const { height } = (await strip.boundingBox()) ?? {};
    await run(page);
    await page.waitForFunction(() => document.querySelector("#strip-note")?.textContent === "32 of 32 steps");
    expect((await strip.boundingBox())?.height).toBe(height);
    await page.locator("#slider").fill("18");
    await says(page, "after 18");
    await page.waitForFunction(() => document.querySelector("#strip-who")?.textContent === "block 1 warp 0 runs here");
    // The row of warp 6, at its own time.
    const { width = 0 } = (await strip.boundingBox()) ?? {};
    const y = 40 + 4 + 6 * 8 + 3;
    await strip.hover({ position: { x: (width * 25.5) / 32, y } });
    expect(await page.locator("#strip-who").textContent()).toBe("block 1 warp 2, line 2");
    await strip.click({ position: { x: (width * 25) / 32, y } });
    await page.waitForFunction(() => document.querySelector("#strip-legend")?.textContent?.includes("block 1 warp 2;"));
    expect(await page.inputValue("#slider")).toBe("25");
    expect(await page.locator("input[aria-label='Thread of the block']").inputValue()).toBe("64");
    expect(await page.locator("#strip-who").textContent()).toBe("");
  });

  test("the strip is that of the program in sight", async () => {
    const page = await openPage();
    const painted = () =>
      page.locator("#strip").evaluate((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement;
        const data = (canvas as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
        return data.some((each) => each > 0);
      });
    await run(page);
    await expect.poll(painted).toBe(true);
    await page.locator(".cm-content").click();
    await page.keyboard.type(" ");
    expect(await painted()).toBe(false);
    expect(await page.locator("#strip-here").isVisible()).toBe(false);
  });
});

describe.skipIf(!hasBrowser)("panels", () => {
  test("registers are marked where the last move has changed them, and read in other ways", async () => {
    const page = await openPage();
    await openProgram(page, "half.ptx", "fma.rn.f16 %d, %a, %b, %c;\nadd.f16x2 %e, %x, %x;\n", {
      values: { "%a": "1.5", "%b": "0x3c01", "%c": "0.25", "%x": "1,2" },
    });
    await page.click("#do-step");
    await says(page, "line 2");
    expect(await register(page, "%d")).toEqual(["● %d", "f16", "0x3f02", "1.752"]);
    await page.click("#do-step");
    await says(page, "after 2");
    expect((await register(page, "%d"))[0]).toBe("%d");
    expect(await register(page, "%e")).toEqual(["● %e", "f16x2", "0x44004000", "2.0, 4.0"]);
    await page.locator("#panel-registers select").selectOption("bf16x2");
    expect((await register(page, "%e"))[3]).toBe("2.0, 512.0");
    await page.locator("#panel-registers input[type=search]").fill("%e");
    expect(await page.locator(".registers tbody tr").count()).toBe(1);
  });

  test("lanes are a matrix with the active ones marked, and a lane can be looked at", async () => {
    const page = await openPage();
    await run(page);
    await page.locator("#slider").fill("300");
    await says(page, "after 300");
    await page.click("#tab-lanes");
    const rows = page.locator(".lanes tbody tr");
    await rows.nth(31).waitFor();
    const lane = async (at: number): Promise<readonly string[]> => rows.nth(at).locator("th, td").allTextContents();
    expect((await lane(0))[0]).toMatch(/^0 ▶/);
    expect((await lane(26))[0]).not.toContain("▶");
    expect((await lane(6)).slice(1, 4)).toEqual(["6", "1", "16"]);
    await rows.nth(6).locator("button").click();
    await page.click("#tab-registers");
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>(".picker input:last-of-type")?.value !== undefined,
    );
    expect((await register(page, "%steps"))[3]).toBe("16");
    expect(await page.locator("input[aria-label='Thread of the block']").inputValue()).toBe("6");
  });

  test("warps say who waits at a barrier", async () => {
    const page = await openPage();
    const text = "mov.u32 %i, %tid.x;\nbar.sync 0;\nadd.u32 %i, %i, 1;\n";
    await openProgram(page, "barrier.ptx", text, { block: "64" });
    for (let step = 0; step < 2; step++) {
      await page.click("#do-step");
      await says(page, "after");
    }
    await page.click("#tab-warps");
    await page.waitForSelector(".warps tbody tr");
    const said = (await page.locator("#panel-warps").textContent()) ?? "";
    expect(said).toContain("block 0, warp 1");
    expect(said).toMatch(/barrier 0|runs/);
  });

  test("an input's error stands beside its field, and a right one starts again", async () => {
    const page = await openPage();
    await page.click("#tab-inputs");
    const field = page.locator("[id='input-value:%result']");
    await field.fill("u32xx:iota");
    await says(page, "cannot run");
    const error = page.locator("[id='input-value:%result-error']");
    await error.waitFor();
    expect(await error.textContent()).toContain("expected");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator("#tab-inputs").textContent()).toBe("Inputs (1)");
    expect(await field.evaluate((each) => each === document.activeElement)).toBe(true);
    await field.fill("u32x32:fill=9");
    await says(page, "ended");
    expect(await error.isVisible()).toBe(false);
  });

  test("explain has the working with a picture of the bits, of the next instruction and of the cursor's", async () => {
    const page = await openPage();
    await openProgram(page, "half.ptx", "fma.rn.f16 %d, %a, %b, %c;\nadd.f16x2 %e, %x, %x;\n", {
      values: { "%a": "1.5", "%b": "0x3c01", "%c": "0.25", "%x": "1,2" },
    });
    await restart(page);
    await page.click("#tab-explain");
    await page.waitForSelector(".explain .bits");
    const explained = page.locator(".explain");
    expect(await explained.textContent()).toContain("fma.rn.f16 %d, %a, %b, %c;");
    const [first] = await page
      .locator(".bits")
      .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
    expect(first).toBe("the bits of f16: sign 0, exponent 01111, fraction 1000000000");
    expect(await page.locator(".bits").first().textContent()).toContain("exponent");
    await page.locator(".cm-line", { hasText: "add.f16x2" }).click();
    await page.waitForFunction(() => document.querySelector(".explain h2")?.textContent?.includes("Line 2"));
    expect(await explained.textContent()).toContain("add{.rnd}{.ftz}{.sat}.f16x2 d, a, b");
  });
});
