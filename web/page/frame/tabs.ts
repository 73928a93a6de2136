import { element } from "../element.ts";
import type { Panel } from "../panels/panel.ts";

/** Narrower than this, all panels share one place. */
const narrow = matchMedia("(max-width: 760px)");

/** Where panels are: the code, what the state is, and its details; on a narrow page all of them are in the first. */
export type RegionName = "code" | "state" | "detail";

interface Placed {
  readonly panel: Panel;
  readonly home: RegionName;
  readonly tab: HTMLButtonElement;
}

/** Panels in tabs, as the ARIA pattern has them: arrows go from tab to tab. */
export class Tabs {
  readonly #placed: Placed[] = [];
  readonly #shown = new Map<RegionName, Placed>();
  readonly #regions: ReadonlyMap<RegionName, HTMLElement>;
  /** Called with what somebody has chosen to look at. */
  onChoice: ((id: string) => void) | undefined;

  constructor(regions: ReadonlyMap<RegionName, HTMLElement>) {
    this.#regions = regions;
    narrow.addEventListener("change", () => this.arrange());
  }

  add(home: RegionName, panel: Panel): void {
    const { id, title } = panel;
    const tab = element(
      "button",
      { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => this.choose(id) },
      title,
    );
    const { element: place } = panel;
    place.id = `panel-${id}`;
    place.classList.add("panel");
    place.setAttribute("role", "tabpanel");
    place.setAttribute("aria-labelledby", `tab-${id}`);
    tab.addEventListener("keydown", (event) => this.#key(event, tab));
    this.#placed.push({ panel, home, tab });
  }

  /** Puts each panel where the width of the page wants it. */
  arrange(): void {
    for (const [name, region] of this.#regions) {
      const here = this.#placed.filter((each) => this.#regionOf(each) === name);
      const list = region.querySelector(".tabs") as HTMLElement;
      list.replaceChildren(...here.map(({ tab }) => tab));
      list.hidden = here.length < 2;
      list.setAttribute("role", "tablist");
      list.setAttribute("aria-label", name === "code" ? "Views" : name === "state" ? "State" : "Details");
      region.hidden = here.length === 0;
      region.append(...here.map(({ panel }) => panel.element));
      const [first] = here;
      const shown = this.#shown.get(name);
      const chosen = shown !== undefined && here.includes(shown) ? shown : first;
      if (chosen !== undefined) this.show(chosen.panel.id);
    }
  }

  /** Brings a panel into sight. */
  show(id: string): void {
    const found = this.#placed.find(({ panel }) => panel.id === id);
    if (found === undefined) return;
    const name = this.#regionOf(found);
    this.#shown.set(name, found);
    for (const each of this.#placed.filter((other) => this.#regionOf(other) === name)) {
      const chosen = each === found;
      each.tab.setAttribute("aria-selected", String(chosen));
      each.tab.tabIndex = chosen ? 0 : -1;
      each.panel.element.hidden = !chosen;
    }
    found.tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    found.panel.show();
  }

  /** Brings a panel into sight because somebody wants to see it. */
  choose(id: string): void {
    this.show(id);
    this.onChoice?.(id);
  }

  /** Brings a panel into sight where it stands beside the program; on a narrow page the program is what one finds. */
  recall(id: string): void {
    if (!narrow.matches) this.show(id);
  }

  /** Where a panel is on a wide page. */
  homeOf(id: string): RegionName | undefined {
    return this.#placed.find(({ panel }) => panel.id === id)?.home;
  }

  /** Brings a panel into sight and gives it the keyboard. */
  focus(id: string): void {
    this.choose(id);
    const found = this.#placed.find(({ panel }) => panel.id === id);
    const kinds = [".cm-content", ".scroll[tabindex]", "input"];
    const [within] = kinds.flatMap((kind) => found?.panel.element.querySelector<HTMLElement>(kind) ?? []);
    (within ?? found?.tab)?.focus();
  }

  /** Whether all panels share one place. */
  get isNarrow(): boolean {
    return narrow.matches;
  }

  isShown(id: string): boolean {
    return [...this.#shown.values()].some(({ panel }) => panel.id === id);
  }

  /** Tells the panels in sight that something has changed. */
  refresh(): void {
    for (const { panel } of this.#shown.values()) if (panel.element.isConnected && !panel.element.hidden) panel.show();
  }

  /** A number beside a panel's title; 0 for none. */
  count(id: string, number: number): void {
    const tab = this.#placed.find(({ panel }) => panel.id === id)?.tab;
    const title = this.#placed.find(({ panel }) => panel.id === id)?.panel.title ?? "";
    const text = number === 0 ? title : `${title} (${number})`;
    if (tab !== undefined && tab.textContent !== text) tab.textContent = text;
  }

  #regionOf({ home }: Placed): RegionName {
    return narrow.matches ? "code" : home;
  }

  #key(event: KeyboardEvent, tab: HTMLElement): void {
    const tabs = [...(tab.parentElement?.children ?? [])] as HTMLElement[];
    const at = tabs.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    next?.click();
    next?.focus();
  }
}
