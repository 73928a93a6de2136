import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { share } from "../../tests/share.ts";
import { openProgram, register, run, says, silence, status } from "./hand.ts";
import { openPage, origin } from "./page.ts";

it("a first visitor runs the example, steps back, and drags through time", async () => {
  const page = await openPage();
  expect(await page.title()).toContain("ptxrun");
  await run(page);
  expect(await status(page)).toMatch(/896 warp instructions/);
  await page.click("#do-back");
  await says(page, "next is line 17");
  await page.locator("#slider").fill("10");
  await says(page, "next is line");
  const before = await register(page, "%n");
  await run(page);
  await page.locator("#slider").fill("10");
  await says(page, "next is line");
  expect(await register(page, "%n")).toEqual(before);
});

it.each(["play.html", "index.html"])(
  "%s lets nothing leave: its policy stops a request before it is sent",
  async (path) => {
    const page = await openPage({ path, expectErrors: true });
    const stopped = await page.evaluate(async () => {
      const heard: string[] = [];
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => heard.push(effectiveDirective));
      await fetch("https://example.com/").catch(() => undefined);
      const image = new Image();
      await new Promise((done) => {
        image.onerror = done;
        image.src = "https://example.com/a.png";
      });
      const script = document.createElement("script");
      await new Promise((done) => {
        script.onerror = done;
        script.src = "https://example.com/a.js";
        document.head.append(script);
      });
      return heard;
    });
    expect(stopped).toEqual(["connect-src", "img-src", "script-src-elem"]);
  },
);

describe("a link", () => {
  it("is copied, and opens with everything that it was made of", async () => {
    const page = await openPage();
    const text = "// a sum, in 'quotes' & <marks>\nadd.u32 %sum, %a, %b;\n";
    await openProgram(page, "shared.ptx", text, { block: "3", race: true, values: { "%a": "40", "%b": "2" } });
    await page.click("#share");
    await says(page, "copied");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link.startsWith(`${origin}/play.html#`)).toBe(true);
    const other = await openPage({ hash: link.slice(link.indexOf("#") + 1) });
    expect(await other.locator(".cm-content").textContent()).toContain("<marks>");
    await run(other);
    expect((await register(other, "%sum")).join(" ")).toContain("42");
    expect(await other.evaluate(() => location.href)).toBe(link);
  });

  it("that is broken says so, and nothing is lost", async () => {
    const page = await openPage();
    await openProgram(page, "mine.ptx", "mov.u32 %kept, 7;\n");
    for (const hash of ["AQkaputt", "%F0%9F", "x".repeat(5000)]) {
      await page.evaluate((broken) => {
        (document.querySelector("#alert") as HTMLElement).textContent = "";
        location.hash = broken;
      }, hash);
      await page.locator("#alert", { hasText: /link/ }).waitFor();
      expect(await page.locator(".cm-content").textContent()).toContain("%kept");
    }
    const fresh = await openPage({ hash: "AQkaputt" });
    await fresh.locator("#alert", { hasText: "the link is broken" }).waitFor();
    await run(fresh);
  });

  it("to an example opens it with its inputs", async () => {
    const page = await openPage({ hash: "example=basics-saxpy" });
    await page.waitForFunction(() => document.querySelector("#name")?.textContent === "basics-saxpy.ptx");
    expect(await page.locator("#examples").inputValue()).toBe("basics-saxpy");
    await run(page);
    expect(await page.locator("#alert").textContent()).toBe("");
  });

  it("to a place of the page is no program", async () => {
    const page = await openPage({ hash: "editor" });
    await run(page);
    expect(await page.locator("#alert").textContent()).toBe("");
  });
});

it("an example runs, or says why not", async () => {
  const all = JSON.parse(readFileSync(join(inject("web"), "examples/index.json"), "utf8")) as readonly {
    readonly id: string;
    readonly file: string;
  }[];
  const page = await openPage();
  await page.mouse.move(200, 10);
  await page.locator(`#examples option[value="${all.at(-1)?.id}"]`).waitFor({ state: "attached" });
  // What each leaves is compared in results.test.ts; here they are chosen by hand.
  for (const { id, file } of share(all, 8)) {
    await page.locator("#examples").selectOption(id);
    await page.waitForFunction((name) => document.querySelector("#name")?.textContent === name, file);
    await page.waitForFunction(() =>
      /ended after|fault|cannot run/i.test(document.querySelector("#status")?.textContent ?? ""),
    );
    expect([id, /cannot/i.test(await status(page))]).toEqual([id, id === "rejected-rounding"]);
    await silence(page);
  }
});
