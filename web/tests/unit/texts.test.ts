import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentPages } from "../../site/documents.ts";
import { highlighted } from "../../site/highlight.ts";
import { html, joined, slug } from "../../site/html.ts";

describe("markup", () => {
  it("escapes what it is given", () => {
    const hostile = `<script>alert("x")</script>&`;
    expect(html`<p title="${hostile}">${hostile}</p>`.html).toBe(
      '<p title="&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;">&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;</p>',
    );
  });

  it("takes lists, and leaves out what is not there", () => {
    expect(html`<ul>${[1, 2].map((each) => html`<li>${each}</li>`)}${undefined}${false}</ul>`.html).toBe(
      "<ul><li>1</li><li>2</li></ul>",
    );
    expect(joined(["a", "b"], ", ").html).toBe("a, b");
  });

  it("makes addresses of words", () => expect(slug("add{.rnd}.f32 d, a|b")).toBe("add-rnd-f32-d-a-b"));
});

describe("colours", () => {
  const bare = (markup: string): string =>
    markup
      .replace(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&");

  it("change no character of any example", () => {
    const root = join(import.meta.dirname, "../../../examples");
    for (const file of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ptx")) continue;
      const text = readFileSync(join(root, file), "utf8").slice(0, 20_000);
      expect(bare(highlighted(text).html)).toBe(text);
    }
  });

  it("tell mnemonics, modifiers, labels, guards, numbers and comments apart", () => {
    expect(highlighted("L: @!p add.rn.f16 d, 0x3c00, %tid.x; // <sum>").html).toBe(
      '<i class="c-label">L</i>: @!<i class="c-register">p</i> <i class="c-mnemonic">add</i><i class="c-modifier">.rn.f16</i> d, <i class="c-number">0x3c00</i>, <i class="c-special">%tid.x</i>; <i class="c-comment">// &lt;sum&gt;</i>',
    );
  });
});

describe("a guide", () => {
  const [, page, other] = documentPages([
    {
      path: "docs/one.md",
      text: "# One thing\n\nSee [two.md](two.md#a-b), [itself](#more), [code](../src/index.ts) and `PTX1204`.\n\n## More\n\n## More\n\n| a | b |\n| --- | --- |\n| 1 | `x|y` |\n\n```ptx\nadd.f16 d, a, b;\n```\n",
    },
    { path: "docs/two.md", text: "# Two\n\n## A: b\n" },
  ]);
  const text = page?.text ?? "";

  it("has addresses at its headings, as GitHub gives them", () => {
    expect(page?.headings.map(({ id }) => id)).toEqual(["one-thing", "more", "more-1"]);
    expect(other?.headings.map(({ id }) => id)).toEqual(["two", "a-b"]);
  });

  it("leads to pages by their titles, and to no file that is none", () => {
    expect(text).toContain('<a href="two.html#a-b">Two</a>');
    expect(text).toContain('<a href="#more">itself</a>');
    expect(text).toContain(", code and ");
  });

  it("leads from a code to its page", () => {
    expect(text).toContain('<a href="../messages/PTX12.html#PTX1204"><code class="short">PTX1204</code></a>');
  });

  it("has tables that scroll, and programs in colours", () => {
    expect(text).toContain('<th scope="col">a</th>');
    expect(text).toContain('<i class="c-mnemonic">add</i>');
  });
});
