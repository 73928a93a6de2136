import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { share } from "../../tests/share.ts";
import { World } from "../../tests/unit/cli/world.ts";
import type { Inputs } from "../page/client.ts";
import { startWorker } from "./client.ts";
import { openProgram, run, says, silence } from "./hand.ts";
import { openPage } from "./page.ts";

interface Example {
  readonly id: string;
  readonly group: string;
  readonly file: string;
  readonly inputs: Partial<Inputs>;
}

const read = (path: string): string => readFileSync(join(inject("web"), "examples", path), "utf8");
const examples = JSON.parse(read("index.json")) as readonly Example[];
const running = examples.filter(({ id }) => id !== "rejected-rounding");
const world = new World();
beforeAll(() => {
  for (const { file } of examples) world.write(file, read(file));
});
afterAll(() => world.remove());

const empty: Inputs = { entry: "", grid: "", block: "", values: {}, race: false };

/** The command line that does what the page does with these inputs. */
function lineOf(
  file: string,
  { grid = "", block = "", values = {}, race = false }: Partial<Inputs>,
  names: ReadonlyMap<string, string>,
) {
  const option: Record<string, string> = { parameter: "-a", register: "-r", carry: "-r", variable: "--global" };
  return [
    ...[file, "--json"],
    ...(grid === "" ? [] : ["--grid", grid]),
    ...(block === "" ? [] : ["--block", block]),
    ...(race ? ["--sanitize", "mem,init,sync,race"] : []),
    ...Object.entries(values).flatMap(([name, value]) => [option[names.get(name) ?? ""] ?? "-a", `${name}=${value}`]),
  ];
}

describe("a program leaves in the page what it leaves on the command line", () => {
  it("every example", async () => {
    const ask = await startWorker(await openPage());
    for (const { file, inputs } of share(running, 6)) {
      const { demands, problems, fields } = await ask("load", {
        name: file,
        text: read(file),
        inputs: { ...empty, ...inputs },
      });
      expect([file, problems.filter(({ severity }) => severity === "error"), fields]).toEqual([file, [], []]);
      const { stop, printed } = await ask("move", { kind: "run" });
      const line = lineOf(file, inputs, new Map(demands.map(({ name, kind }) => [name, kind])));
      const { out } = await world.ptxrun(line);
      const expected = JSON.parse(out);
      // A debugger stands before the instruction that failed, with nothing of it done.
      if (expected.stop.reason !== "trap")
        expect([file, await ask("finalState")]).toEqual([
          file,
          { steps: expected.steps, threads: expected.threads, buffers: expected.buffers },
        ]);
      expect([file, stop.reason === "fault" ? stop.problem?.code : undefined]).toEqual([file, expected.stop.code]);
      expect([file, printed]).toEqual([file, expected.printed ?? ""]);
    }
  });

  it("what is wrong with a text", async () => {
    const ask = await startWorker(await openPage());
    const texts = [
      read("rejected-rounding.ptx"),
      "add.u32 %r1, %r2;\nmov.u33 a, b;\n",
      ".version 9.0\n.target sm_90\n.entry k( {}",
    ];
    for (const text of texts) {
      world.write("wrong.ptx", text);
      const lines = JSON.parse((await world.ptxrun(["lint", "wrong.ptx", "--json"])).out).diagnostics as {
        code: string;
        message: string;
      }[];
      // The first time, and when it is read again by what follows an edit.
      for (let time = 0; time < 2; time++) {
        const found = await ask("problems", { name: "wrong.ptx", text });
        expect(found.map(({ code, message }) => ({ code, message }))).toEqual(
          lines.map(({ code, message }) => ({ code, message })),
        );
      }
    }
  });
});

/** Each thread subtracts the reciprocal of its input from itself. */
const RECIPROCAL = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 in)
{
  .reg .b32 %r<2>; .reg .f32 %f<4>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd5, [in];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  add.s64 %rd4, %rd5, %rd2;
  ld.global.f32 %f1, [%rd4];
  rcp.rn.f32 %f2, %f1;
  sub.f32 %f3, %f2, %f2;
  st.global.f32 [%rd3], %f3;
  ret;
}
`;
const given = { block: "3", values: { out: "f32x3", in: "1, 0, 2" } };

describe("a result that is no number", () => {
  it("is said, and leads to the instruction that made it, in its thread", async () => {
    const page = await openPage();
    await openProgram(page, "k.ptx", RECIPROCAL, given);
    expect(await says(page, "Ended")).toMatch(/^▲ 1 of 3 values of out is NaN\. Ended/);
    await page.locator(".result td button", { hasText: "nan" }).click();
    await says(page, "next is line 15");
    expect(await page.inputValue("input[aria-label='Thread of the block']")).toBe("1");
    // An input that is infinite explains infinities.
    await openProgram(page, "k.ptx", RECIPROCAL.replace("sub.f32 %f3, %f2, %f2", "mov.f32 %f3, %f1"), {
      ...given,
      values: { ...given.values, in: "1,inf,2" },
    });
    expect(await says(page, "Ended")).toMatch(/^✔/);
  });
});

/** Thread x, y of a block writes x + 16 y there. */
const PLANE = `.version 8.0
.target sm_80
.address_size 64
.visible .entry plane(.param .u64 out)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mad.lo.s32 %r3, %r2, 16, %r1;
  mul.wide.s32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
  ret;
}
`;

describe("a value of the result", () => {
  /** Waits until a thread is the one that the panels show: the panel that says so may be loaded only then. */
  const isAt = (page: Page, thread: string) =>
    page.waitForFunction((wanted) => {
      const shown = document.querySelector<HTMLInputElement>("input[aria-label='Thread of the block']");
      return shown?.value === wanted;
    }, thread);

  it("leads to the store that wrote it and its thread, from numbers, bytes and a picture, and by keys", async () => {
    const page = await openPage();
    await openProgram(page, "k.ptx", PLANE, { block: "16,16", values: { out: "u32x257" } });
    await run(page);
    const value = page.locator(".result td button", { hasText: /^53$/ });
    await value.click();
    await says(page, "next is line 13");
    await isAt(page, "53");
    await run(page);
    // One place for Tab, and arrow keys from there.
    expect(await page.locator(".result button[tabindex='0']").count()).toBe(1);
    await value.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("62");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await page.locator(".result button[tabindex='0']").allTextContents()).toEqual(["52"]);
    await silence(page);
    await page.keyboard.press("Enter");
    await says(page, "next is line 13");
    await isAt(page, "52");
    await run(page);
    await page.locator("#panel-result select").nth(2).selectOption("bytes");
    await page.locator(".result tbody tr").nth(2).locator("td button").nth(5).click();
    await says(page, "next is line 13");
    await isAt(page, "9");
    await openProgram(page, "plane.ptx", PLANE, { block: "16,16", values: { out: "u32x256" } });
    await run(page);
    const canvas = page.locator("canvas.picture");
    const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
    await silence(page);
    await canvas.click({ position: { x: (width * 5.5) / 16, y: (height * 3.5) / 16 } });
    await says(page, "next is line 13");
    await isAt(page, "53");
  });

  it("that nothing has written says so", async () => {
    const page = await openPage();
    await openProgram(page, "k.ptx", PLANE, { block: "4", values: { out: "u32x5:fill=7" } });
    await run(page);
    await page.locator(".result td button").last().click();
    expect(await says(page, "nothing")).toBe("✖ nothing that ran has written this value, or it is one of vISA");
  });

  it("of a register leads to the instruction whose result it is", async () => {
    const page = await openPage();
    await openProgram(page, "k.ptx", "mov.u32 %i, %tid.x;\nmul.lo.u32 %i, %i, 3;\nadd.u32 %j, %i, 1;\n", {
      block: "4",
    });
    await run(page);
    await page.locator(".result td button", { hasText: /^9$/ }).click();
    await says(page, "next is line 2");
    await isAt(page, "3");
  });
});

describe("an input of a pointer", () => {
  it("is a list of numbers, or says what it may be; after it one way leads back to where somebody stood", async () => {
    const page = await openPage();
    await openProgram(page, "k.ptx", RECIPROCAL, given);
    await page.locator("#slider").fill("5");
    await says(page, "after 5");
    expect(await page.locator("#panel-registers .note").textContent()).toBe("● changed by the last move");
    await page.click("#tab-inputs");
    const box = page.locator("[id='input-value:in']");
    await silence(page);
    await box.fill("f32:1,2,4");
    await says(page, "Ended after 11 warp instructions.");
    await page.locator("#status-act", { hasText: "Back to step 5" }).click();
    await says(page, "after 5");
    expect(await page.locator("#status-act").isVisible()).toBe(false);
    await box.fill("abc");
    await says(page, "Cannot run: 1 error. Greyed-out results");
    expect(await page.locator("[id='input-value:in-error']").textContent()).toContain("; expected a buffer such as");
  });
});
