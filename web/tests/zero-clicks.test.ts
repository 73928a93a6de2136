import { describe, expect, test } from "vitest";
import { share } from "../../tests/share.ts";
import { record } from "../build/record.ts";
import { MOST_STEPS } from "../page/bench.ts";
import { first } from "../page/first.ts";
import { hasBrowser } from "./browser.ts";
import { startWorker } from "./client.ts";
import { openProgram, paste, register, registers, restart, run, says, silence, status } from "./hand.ts";
import { fetchedBy, openPage } from "./page.ts";

const kernel = (name: string, parameters: string, body: string): string => `.version 8.0
.target sm_80
.address_size 64
.visible .entry ${name}(${parameters})
{
  .reg .pred %p<5>; .reg .b32 %r<15>; .reg .f32 %f<9>; .reg .b64 %rd<9>;
${body}
  ret;
}
`;
/** Each thread writes to its place of a plane, x + 16 y. */
const plane = kernel(
  "plane",
  ".param .u64 out",
  `  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mad.lo.s32 %r3, %r2, 16, %r1;
  mul.wide.s32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;`,
);
const racing = kernel(
  "racing",
  ".param .u64 out",
  `  .shared .align 4 .b8 s[256];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, s;
  add.u32 %r4, %r3, %r2;
  st.shared.u32 [%r4], %r1;
  xor.b32 %r5, %r2, 128;
  add.u32 %r6, %r3, %r5;
  ld.shared.u32 %r7, [%r6];
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r7;`,
);
const aggregate = kernel(
  "whole",
  ".param .align 8 .b8 s[16]",
  `  ld.param.u64 %rd1, [s];
  st.global.u32 [%rd1], 1;`,
);

describe.skipIf(!hasBrowser)("a first visitor", () => {
  test("sees a program that has run and what came out, before anything is loaded that runs programs", async () => {
    const page = await openPage();
    await says(page, "Ended after 896 warp instructions. Wrote %result (32 × u32). No findings.");
    expect(await page.locator("#panel-result").isVisible()).toBe(true);
    const first = page.locator(".result tbody tr").first();
    await first.waitFor();
    expect(await first.locator("th, td").allTextContents()).toEqual(["● 0", "0", "1", "7", "2", "5", "8", "16", "3"]);
    expect(await first.locator("td.changed").count()).toBe(7);
    // All of that without scrolling.
    const { bottom } = await first.evaluate((row) => row.getBoundingClientRect());
    expect(bottom).toBeLessThan(800);
    expect((await register(page, "%n"))[3]).toBe("1");
    expect(await page.locator("#strip-note").textContent()).toContain("896 of 896");
    expect(fetchedBy(page).some(({ path }) => path.startsWith("/machine-"))).toBe(false);
    const shown = async (): Promise<string> =>
      (await page.locator("main").allInnerTexts())
        .join()
        .replace("● changed by the last move\n", "")
        .replaceAll("● %", "%");
    const before = await shown();
    await page.mouse.move(200, 10);
    await page.waitForLoadState("networkidle");
    expect(await shown()).toBe(before);
    expect(fetchedBy(page).some(({ path }) => path.startsWith("/machine-"))).toBe(true);
    // What has run really takes the recording's place, and nobody sees it.
    await page.click("#do-step");
    await says(page, "next is line 6");
    await run(page);
    await expect.poll(shown).toBe(before);
  });

  test("still sees what was recorded, in grey, after a mistake in the first edit", async () => {
    const page = await openPage();
    await says(page, "Ended");
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("add.f32 %n;");
    await says(page, "cannot run");
    expect((await register(page, "%n"))[3]).toBe("1");
    expect(await page.locator("body.stale").count()).toBe(1);
  });

  test("sees what the worker would answer", async () => {
    const recorded = await record(first);
    const ask = await startWorker(await openPage());
    expect(await ask("load", first, MOST_STEPS)).toEqual(recorded.loaded);
    expect(await ask("lanes")).toEqual(recorded.lanes);
    expect(await ask("strip")).toEqual(recorded.strip);
    expect(await ask("values")).toEqual(recorded.values);
  });
});

describe.skipIf(!hasBrowser)("what is pasted", () => {
  test("runs again where it is the same, and values come back", async () => {
    const page = await openPage();
    await paste(page, plane);
    const value = page.locator(".line-value").first();
    await value.waitFor();
    await restart(page);
    await value.waitFor({ state: "detached" });
    await paste(page, plane);
    await says(page, "Wrote out (256 × u32)");
    await value.waitFor();
  });

  test("is the program wherever no field has the keyboard, and can be undone", async () => {
    const page = await openPage();
    await page.evaluate((text) => navigator.clipboard.writeText(text), plane);
    await page.click(".cm-content");
    // The selection stays in the text.
    await page.locator("#do-run").focus();
    await silence(page);
    await page.keyboard.press("Control+v");
    await says(page, "Wrote out (256 × u32)");
    expect(await page.locator("#name").textContent()).toBe("pasted.ptx");
    expect(await page.locator(".cm-line").first().textContent()).toBe(".version 8.0");
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+z");
    await expect.poll(() => page.locator(".cm-content").textContent()).toContain("%steps");
    // A field takes its own.
    await page.locator("input[placeholder='filter']").first().focus();
    await page.keyboard.press("Control+v");
    expect(await page.locator(".cm-content").textContent()).toContain("%steps");
  });

  test("runs with inputs that were inferred, which stand in their boxes", async () => {
    const page = await openPage();
    await paste(page, plane);
    expect(await page.locator("#name").textContent()).toBe("pasted.ptx");
    await says(page, "Wrote out (256 × u32). No findings.");
    await page.click("#tab-inputs");
    const box = page.locator("[id='input-value:out']");
    await box.waitFor();
    expect([await page.inputValue("#input-block"), await box.inputValue()]).toEqual(["16,16", "u32x256"]);
    expect(await page.locator(".origin", { hasText: "inferred" }).count()).toBe(3);
    // What a person types stays, with the size that it was made for.
    await silence(page);
    await box.fill("u32x256:fill=7");
    await says(page, "ended");
    expect([await page.inputValue("#input-block"), await box.inputValue()]).toEqual(["16,16", "u32x256:fill=7"]);
    expect(await page.locator(".origin", { hasText: "inferred" }).count()).toBe(2);
  });

  test("of other kernels is a new program: no inputs, no way back into the one before", async () => {
    const page = await openPage();
    const kernel = (name: string, more = "") => `.version 8.0
.target sm_80
.address_size 64
.visible .entry ${name}(.param .u64 out)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;${more}
  st.global.u32 [%rd1], %r1;
  ret;
}
`;
    await openProgram(page, "one.ptx", kernel("one"), { block: "1", grid: "2", values: { out: "u32x1" } });
    await page.click("#do-restart");
    await says(page, "beginning");
    await page.click("#do-step");
    await says(page, "after 1");
    // Another version of it keeps its name and its launch.
    await paste(page, kernel("one", " // the same"));
    await page.click("#tab-inputs");
    expect([await page.textContent("#name"), await page.inputValue("#input-grid")]).toEqual(["one.ptx", "2"]);
    await page.click("#do-restart");
    await says(page, "beginning");
    await page.click("#do-step");
    await says(page, "after 1");
    await paste(page, kernel("two"));
    expect(await page.textContent("#name")).toBe("pasted.ptx");
    expect(await page.locator("#status-act", { hasText: "Back to step" }).isVisible()).toBe(false);
    await page.click("#tab-inputs");
    expect(await page.locator(".origin", { hasText: "inferred" }).count()).toBe(3);
  });

  test("of two dimensions is a picture, with a legend and in words", async () => {
    const page = await openPage();
    await paste(page, plane);
    const canvas = page.locator("canvas.picture");
    await canvas.waitFor();
    expect(await canvas.getAttribute("aria-label")).toBe("out as a picture, 16 by 16: from 0 to 255");
    expect(await page.locator(".ramp").textContent()).toBe("0255");
    const corners = await canvas.evaluate((picture) => {
      const paper = (picture as HTMLCanvasElement).getContext("2d");
      return [paper?.getImageData(0, 0, 1, 1).data[0], paper?.getImageData(15, 15, 1, 1).data[0]];
    });
    expect(corners).toEqual([20, 252]);
    await canvas.hover({ position: { x: 3, y: 3 } });
    expect(await page.locator(".pictured .note").textContent()).toBe("x 0, y 0: 0");
    await page.locator("#panel-result select").nth(2).selectOption("numbers");
    const last = page.locator(".result tbody tr").nth(7).locator("td").last();
    expect(await last.textContent()).toBe("127");
  });

  test("says its findings first, and shows the first of them", async () => {
    const page = await openPage();
    await paste(page, racing);
    expect(await status(page)).toMatch(/^▲ \d findings?: data race on line \d+.*Ended after \d+ warp instructions/);
    expect(await page.locator(".fault-note").first().isVisible()).toBe(true);
    await page.click("#status-act");
    expect(await page.evaluate(() => document.activeElement?.className)).toContain("cm-content");
  });

  test("says which sizes were inferred where something is found, and leads to them", async () => {
    const page = await openPage();
    await paste(page, plane);
    expect(await page.locator("#status-sizes").isVisible()).toBe(false);
    await paste(page, racing);
    const sizes = page.locator("#status-sizes");
    expect(await sizes.textContent()).toMatch(/^grid \d+, block \d+ inferred$/);
    await sizes.click();
    const block = page.locator("[id='input-block']");
    expect(await sizes.textContent()).toContain(`block ${await block.inputValue()} inferred`);
    // A size that somebody has chosen is none of those.
    await silence(page);
    await block.fill("64");
    await says(page, "Ended");
    expect(await sizes.textContent()).toMatch(/^grid \d+ inferred$/);
    await page.locator("[id='input-grid']").fill("1");
    await sizes.waitFor({ state: "hidden" });
  });

  test("that has an input which nobody can guess says so, and does not run", async () => {
    const page = await openPage();
    await paste(page, aggregate);
    expect(await status(page)).toBe("▲ 1 input has no value: fill it in, and it runs.");
    expect(await page.locator("#tab-inputs").textContent()).toBe("Inputs (1)");
    await page.click("#tab-messages");
    expect(await page.locator(".messages").textContent()).toContain("no value");
    await page.click("#status-act");
    expect(await page.locator(".origin.missing").textContent()).toBe("▲ no value");
    // Who wants zeros has them, and it is said.
    await page.click("#do-run");
    expect(await says(page, "counted as 0")).not.toContain("✔");
  });

  test.each(
    share(
      [
        ["__global__ void k(float* a) { a[0] = 1; }\n", "this looks like CUDA or C++"],
        ["        /*0000*/                   MOV R1, c[0x0][0x28] ;\n", "this looks like SASS"],
        ["# A title\n\nand words\n", "this looks like Markdown"],
      ],
      3,
    ),
  )("and is no program gets the message of the command line: %s", async (text, message) => {
    const page = await openPage();
    await paste(page, text);
    expect(await status(page)).toContain("Cannot run: 1 error.");
    expect(await page.locator(".fault-note").first().textContent()).toContain(message);
    // Nothing of the program before is left.
    expect(await page.locator(".registers tbody tr:visible").count()).toBe(0);
    expect(await page.locator("#strip-note").textContent()).toBe("Nothing has run");
  });

  test("and has no memory has its registers as the result", async () => {
    const page = await openPage();
    await paste(page, "add.f32 d, a, b;\nmov.u32 i, %laneid;\n");
    const rows = page.locator(".result tbody tr");
    await rows.nth(3).waitFor();
    const cells = (name: string) =>
      rows
        .filter({ has: page.locator("th", { hasText: name }) })
        .locator("th, td")
        .allTextContents();
    expect(await cells("d")).toEqual(["d", "f32", "4.0"]);
    // Its inputs have values that show what it does.
    expect(await cells("a")).toEqual(["a", "f32", "1.5"]);
    await page.click("#tab-inputs");
    await page.locator("#input-block").fill("3");
    await page.waitForFunction(() => document.querySelectorAll(".result thead th").length === 5);
    expect(await cells("i")).toEqual(["i", "b32", "0", "1", "2"]);
  });
});

describe.skipIf(!hasBrowser)("what is edited", () => {
  test("runs again, and what had run stays until then", async () => {
    const page = await openPage();
    await openProgram(page, "sum.ptx", "add.u32 %sum, %a, 1;\n", { values: { "%a": "4" } });
    expect((await register(page, "%sum"))[3]).toBe("5");
    await silence(page);
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("add.u32 %sum, %sum, 10;");
    expect(await page.evaluate(() => document.body.classList.contains("stale"))).toBe(true);
    expect((await register(page, "%sum"))[3]).toBe("5");
    await says(page, "ended after 3");
    expect((await register(page, "%sum"))[3]).toBe("15");
    // Who looks at something else goes on doing so.
    await page.click("#tab-messages");
    await silence(page);
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("add.u32 %sum, %sum, 1;");
    await says(page, "ended after 4");
    expect(await page.locator("#panel-messages").isVisible()).toBe(true);
    await run(page);
    expect(await page.locator("#panel-result").isVisible()).toBe(true);
  });

  test("with an error keeps what was good, in grey, and tells it below the line, with what mends it", async () => {
    const page = await openPage();
    await openProgram(page, "half.ptx", "add.rn.f16 %d, %a, %b;\n", { values: { "%a": "1.5", "%b": "2" } });
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("add.rz.f16 %e, %a, %b;");
    await says(page, "cannot run");
    expect(await status(page)).toContain("Greyed-out results are from the previous run");
    expect((await register(page, "%d"))[3]).toBe("3.5");
    const note = page.locator(".fault-note");
    expect(await note.textContent()).toContain("expected .rn");
    expect(await page.locator("#strip-note").textContent()).toBe("2 of 2 steps");
    await note.locator("button", { hasText: "write .rn" }).click();
    await says(page, "ended after 3");
    expect(await page.locator(".fault-note").count()).toBe(0);
    expect((await register(page, "%e"))[3]).toBe("3.5");
  });
});

describe.skipIf(!hasBrowser)("a link", () => {
  test("opens as it was left, and says what is in it", async () => {
    const page = await openPage();
    await page.locator(".cm-line", { hasText: "mov.u32       %i" }).click();
    await page.keyboard.press("F9");
    await page.waitForSelector(".mark-breakpoint:not([style*=hidden])");
    await page.locator("#slider").fill("300");
    await says(page, "after 300");
    const thread = page.locator("input[aria-label='Thread of the block']");
    await thread.fill("6");
    await thread.press("Enter");
    await page.waitForFunction(() => document.querySelector(".registers tbody td:last-child")?.textContent === "6");
    await page.click("#share");
    await says(page, "copied: the program, 1 input, position 300 of 896, thread 6 and 1 breakpoint");
    const other = await openPage({ hash: new URL(page.url()).hash.slice(1) });
    await says(other, "after 300");
    await other.waitForFunction(() => document.querySelector(".registers tbody td:last-child")?.textContent === "6");
    expect(await other.locator("#strip-note").textContent()).toContain("300 of 896");
    await other.waitForSelector(".mark-breakpoint:not([style*=hidden])");
    expect(await registers(other)).toEqual(await registers(page));
    await restart(other);
    await run(other, "line 5");
  });
});
