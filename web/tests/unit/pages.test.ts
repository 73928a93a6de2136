import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { forms as visaForms } from "../../../packages/visa/src/isa/table.ts";
import { table } from "../../../src/isa/index.ts";
import { codes } from "../../../src/source/index.ts";
import { exampleFiles } from "../../build/examples.js";
import { lessons } from "../../page/tour/lessons.ts";
import { type File, PLAYGROUND } from "../../site/layout.ts";
import { filesOf } from "../../site/pages.ts";
import type { Entry } from "../../site/search/find.ts";

const root = join(import.meta.dirname, "../../..");
const guides = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
const drawn = readdirSync(join(root, "docs/pictures")).map((name) => `docs/pictures/${name}`);
const pictures = drawn.filter((path) => path.endsWith(".svg"));
const read = (path: string) => ({ path, text: readFileSync(join(root, path), "utf8") });

/** What other parts of the build write into the same folder. */
const beside = new Set([
  ...drawn,
  "play.html",
  "assets/site.css",
  "assets/colours.css",
  "assets/site.js",
  "assets/front.js",
]);

let files: ReadonlyMap<string, string>;
let pages: readonly File[];
beforeAll(async () => {
  const made = await filesOf(
    ["README.md", ...guides.map((name) => `docs/${name}`), "ARCHITECTURE.md", ...pictures].map(read),
  );
  files = new Map(made.map(({ path, text }) => [path, text]));
  pages = made.filter(({ path }) => path.endsWith(".html"));
});

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = ""]) => found);
const idsOf = (text: string): string[] => all(text, /\sid="([^"]*)"/g);

describe("the site", () => {
  it("has each file once", () => {
    expect(new Set(files.keys()).size).toBe(files.size);
    expect(pages.length).toBeGreaterThan(table.length + guides.length + 20);
  });

  it("has no link that leads nowhere", () => {
    const ids = new Map(pages.map(({ path, text }) => [path, new Set(idsOf(text))]));
    const broken = pages.flatMap(({ path, text }) =>
      all(text, /\s(?:href|src)="([^"]*)"/g).filter((address) => {
        if (/^(?:https:\/\/|data:image\/svg)/.test(address)) return false;
        const [file = "", anchor] = address.split("#");
        const to = file === "" ? path : posix.join(posix.dirname(path), file);
        if (beside.has(to)) return false;
        return !files.has(to) || (anchor !== undefined && !ids.get(to)?.has(anchor));
      }),
    );
    expect(broken).toEqual([]);
  });

  it("names each address of a page once", () => {
    const twice = pages.flatMap(({ path, text }) =>
      idsOf(text)
        .filter((id, at, list) => list.indexOf(id) !== at)
        .map((id) => `${path}#${id}`),
    );
    expect(twice).toEqual([]);
  });

  it("fetches nothing from elsewhere", () => {
    for (const { path, text } of pages) {
      const outside = all(
        text,
        /<(?:script|img|iframe|video|audio|source|object|embed)\b[^>]*\s(?:src|data)="([^"]*)"/g,
      );
      const linked = all(text, /<link\b[^>]*\shref="([^"]*)"/g);
      const fetched = [...outside, ...linked].filter((address) => /^(?:\w+:)?\/\//.test(address));
      expect([path, fetched]).toEqual([path, []]);
      expect(text).not.toContain("@import");
    }
  });

  it("lets no page load anything from elsewhere", () => {
    for (const { path, text } of pages) {
      expect([
        path,
        all(text, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ([^"]*)">/g),
      ]).toEqual([
        path,
        [
          "script-src 'self'; worker-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; style-src 'self'",
        ],
      ]);
      // What such a policy would not let do: scripts and styles within the page.
      expect([path, all(text, /(<script>|<style|\sstyle=|\son\w+=)/g)]).toEqual([path, []]);
    }
  });

  it("says in each page what it is, in a language, with one heading of the first rank", () => {
    for (const { path, text } of pages) {
      expect([path, all(text, /<title>([^<]+)<\/title>/g).length]).toEqual([path, 1]);
      expect([path, all(text, /(<h1\b)/g).length]).toEqual([path, 1]);
      expect(text).toContain('<html lang="en">');
    }
    const titles = pages.map(({ text }) => all(text, /<title>([^<]+)<\/title>/g)[0]);
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
  });

  it("has every form, with its line, on its section's page", () => {
    for (const { name, forms } of table) {
      const text = files.get(`manual/${name}.html`) ?? "";
      expect(all(text, /(<article class="form")/g)).toHaveLength(forms.length);
      const lines = all(text, /<h3 [^>]*><a [^>]*><code>(.*?)<\/code>/g).map((line) => line.replaceAll("<wbr>", ""));
      expect(lines).toHaveLength(forms.length);
      for (const { syntax } of forms) expect(lines).toContain(syntax);
    }
  });

  it("draws which lane holds which element of a multiplication, once for forms that have the same", () => {
    const page = files.get("manual/matrix.html") ?? "";
    const drawn = all(page, /aria-label="Lanes and elements of ([^"]*)"/g);
    expect(new Set(drawn).size).toBe(drawn.length);
    const own =
      /aria-label="Lanes and elements of mma\.sync\.aligned\.m16n8k16[^"]*\.f16\.f16[^"]*"><code>([^<]*)/.exec(page);
    const row = (matrix: string, at: number): readonly string[] => {
      const lines = (own?.[1] ?? "").split("\n");
      const from = lines.findIndex((line) => line.startsWith(`${matrix}: `));
      const found = lines.slice(from).find((line) => line.trim().startsWith(`${at} `) && line.includes(":"));
      return found?.trim().split(/\s+/).slice(1) ?? [];
    };
    // PTX ISA, Matrix Fragments for mma.m16n8k16: groupID 1 holds rows 1 and 9, and its thread 2 columns 4, 5, 12, 13.
    expect([row("a", 9)[12], row("d", 5)[3]]).toEqual(["6:6", "21:1"]);
    expect(page).toContain("Lanes hold its elements as those of");
  });

  it("says of a form only what may be so of one of its spellings", () => {
    const page = files.get("manual/matrix.html") ?? "";
    const parts = page.split('<article class="form"').filter((part) => part.includes("m8n8k4 of .f16 from sm_80 on"));
    expect(parts.length).toBe(1);
  });

  it("has every code, every instruction of vISA, and every guide", () => {
    const found = pages.flatMap(({ path, text }) => (path.startsWith("messages/PTX") ? idsOf(text) : []));
    expect(found.filter((id) => codes.has(id)).sort()).toEqual([...codes.keys()].sort());
    const visa = idsOf(files.get("manual/visa.html") ?? "");
    expect(visa.filter((id) => id !== "main" && id !== "search" && id !== "theme")).toHaveLength(visaForms.length);
    const listed = files.get("docs/index.html") ?? "";
    for (const guide of guides.filter((name) => name !== "README.md"))
      expect(listed).toContain(`href="${guide.replace(".md", ".html")}"`);
  });

  it("lists the guides by what somebody wants to do", () => {
    const [, ...groups] = (files.get("docs/index.html") ?? "").split('<h2 id="');
    const group = (name: string): string =>
      groups.find((each) => each.includes(`href="${name}.html"`))?.split('"')[0] ?? "";
    expect(["doctor", "check", "hunt", "library", "visa", "architecture"].map(group)).toEqual([
      ...["find-what-is-wrong", "test-in-ci", "judge-a-compiler", "from-a-program", "run-a-program", "the-project"],
    ]);
  });

  it("can be searched for every place, and the places are there", () => {
    const text = files.get("assets/search-index.js") ?? "";
    const entries: readonly Entry[] = JSON.parse(text.slice(text.indexOf("[")).replace(/;\n$/, ""));
    const examples = JSON.parse(exampleFiles()[0]?.text ?? "[]") as readonly { readonly id: string }[];
    const lost = entries.filter(([, path]) => {
      const [file = "", anchor = ""] = path.split("#");
      const [kind, id] = anchor.split("=");
      if (file === PLAYGROUND)
        return !(kind === "tour" ? lessons : kind === "example" ? examples : []).some((each) => each.id === id);
      const page = files.get(file);
      return page === undefined || (anchor !== "" && !idsOf(page).includes(anchor));
    });
    expect(lost).toEqual([]);
    const forms = table.flatMap((section) => section.forms);
    expect(entries.length).toBeGreaterThan(forms.length + codes.size + visaForms.length);
  });

  it("shows on its first page what both examples come to", () => {
    const text = files.get("index.html") ?? "";
    expect(text).toContain("<td>0x3e23</td>");
    expect(text).toContain("<td>0x3e24</td>");
    expect(text).toContain(
      "error PTX3002: st.global.u32 writes 4 bytes at 0x4f0000001040, just past the end of out (64 bytes)",
    );
  });
});
