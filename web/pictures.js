// node web/pictures.js: draws the pictures of README into docs/pictures, by a browser and ffmpeg.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { answer } from "./build/answer.js";
import { buildWeb } from "./build/build.js";

const pictures = fileURLToPath(new URL("../docs/pictures", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ptxrun-pictures-"));
const site = join(folder, "site");
const origin = "http://page.localhost";
await buildWeb(site);

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });

/** A page of its own, which knows nothing of the others. */
async function opened(path, size = { width: 1280, height: 800 }) {
  const page = await browser.newPage({ viewport: size });
  await page.route("**", (route) => {
    const { pathname } = new URL(route.request().url());
    const { status, headers, body } = answer(pathname, (file) => readFileSync(join(site, file)));
    return route.fulfill({ status, headers, body });
  });
  await page.goto(`${origin}/${path}`);
  return page;
}

const says = (page, text) =>
  page.waitForFunction((wanted) => document.querySelector("#status")?.textContent?.includes(wanted), text);

/** What is drawn after the last change. */
const still = (page) => page.waitForTimeout(600);

/** Each picture: its file, and how a page comes to look so. */
const states = {
  opened: async () => {
    const page = await opened("play.html");
    await says(page, "Ended");
    return page;
  },
  stopped: async () => {
    const page = await opened("play.html");
    await page.locator("#do-step").click();
    await says(page, "next");
    await page.locator("#slider").fill("60");
    await page.locator("#tab-lanes").click();
    return page;
  },
  picture: async () => {
    const page = await opened("play.html#example=kernels-mandelbrot");
    await says(page, "Wrote param_5");
    return page;
  },
  bits: async () => {
    const page = await opened("play.html#example=basics-saxpy");
    await says(page, "Wrote y");
    await page.locator("#tab-bits").click();
    await page.locator("#panel-bits select").selectOption("%a");
    const value = page.locator("#panel-bits").getByLabel("Value");
    await value.fill("0.1");
    await value.press("Enter");
    return page;
  },
  error: async () => {
    const page = await opened("play.html");
    await page.locator(".cm-line", { hasText: "mov.u32       %steps" }).click({ position: { x: 80, y: 8 } });
    await page.keyboard.press("Home");
    await page.keyboard.type("      add.f32       %steps, %i;\n");
    await page.getByText("operands where").first().waitFor();
    return page;
  },
  tour: async () => {
    const page = await opened("play.html#tour=race");
    await says(page, "race");
    return page;
  },
  landing: () => opened("index.html"),
};

/** The frames of the moving picture: what is done before each, and how many seconds it stays. */
const film = [
  [async () => {}, 3],
  [(page) => page.locator("#tour-next").click(), 3],
  [(page) => page.locator("#tour-show").click(), 3],
  [(page) => page.locator("#tour-next").click(), 3],
  [(page) => page.locator("#tour-show").click(), 3],
  [(page) => page.locator("#tour-next").click(), 3],
  [(page) => page.locator("#tour-solution").click(), 3],
  [(page) => page.locator("#tour-apply").click(), 4],
];

for (const [name, come] of Object.entries(states)) {
  const page = await come();
  await still(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
  // Few colours: a third of the bytes, and nobody sees it.
  convert(
    ["-i", join(folder, `${name}.png`), "-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none"],
    `${name}.png`,
  );
}

const page = await opened("play.html#tour=race", { width: 1100, height: 760 });
await says(page, "race");
const list = [];
for (const [at, [act, seconds]] of film.entries()) {
  await act(page);
  await still(page);
  const frame = join(folder, `frame${at}.png`);
  await page.screenshot({ path: frame });
  list.push(`file '${frame}'\nduration ${seconds}`, ...(at === film.length - 1 ? [`file '${frame}'`] : []));
}
await browser.close();
writeFileSync(join(folder, "frames.txt"), `${list.join("\n")}\n`);
const fewer =
  "fps=1,split[a][b];[a]palettegen=max_colors=64:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle";
convert(["-f", "concat", "-safe", "0", "-i", join(folder, "frames.txt"), "-vf", fewer, "-loop", "0"], "tour.gif");
rmSync(folder, { recursive: true });

function convert(args, name) {
  const { status, stderr } = spawnSync("ffmpeg", ["-y", "-loglevel", "error", ...args, join(pictures, name)]);
  if (status !== 0) throw new Error(String(stderr));
}
