import { type Entry, find } from "../search/find.ts";

declare global {
  interface Window {
    /** What `assets/search-index.js` leaves. */
    ptxrunEntries?: readonly Entry[];
  }
}

/** Makes the search button, and the keys `/` and Ctrl+K, open a dialog that finds instructions, messages and guides. */
export function search(root: URL): void {
  const button = document.getElementById("search");
  if (button === null) return;
  let dialog: Dialog | undefined;
  const open = (): void => {
    dialog ??= new Dialog(root);
    dialog.open();
  };
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLElement && event.target.closest("input, textarea, select") !== null;
    const slash = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!slash && !(event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    open();
  });
  button.hidden = false;
  // The playground's way in.
  if (location.hash === "#search") open();
}

/** A field, and below it what was found; arrows choose, Enter goes there. */
class Dialog {
  readonly #root: URL;
  readonly #dialog = document.createElement("dialog");
  readonly #field = document.createElement("input");
  readonly #list = document.createElement("ul");
  readonly #note = document.createElement("p");
  #chosen = -1;

  constructor(root: URL) {
    this.#root = root;
    this.#dialog.className = "finder";
    this.#dialog.setAttribute("aria-label", "Search");
    Object.assign(this.#field, {
      type: "text",
      enterKeyHint: "go",
      placeholder: "Instruction, message or word",
      autocomplete: "off",
    });
    this.#field.spellcheck = false;
    this.#list.id = "found";
    this.#list.setAttribute("role", "listbox");
    this.#list.setAttribute("aria-label", "Found");
    const describes: Readonly<Record<string, string>> = {
      role: "combobox",
      "aria-label": "Search",
      "aria-expanded": "true",
      "aria-controls": "found",
      "aria-autocomplete": "list",
    };
    for (const [name, value] of Object.entries(describes)) this.#field.setAttribute(name, value);
    this.#note.setAttribute("role", "status");
    this.#dialog.append(this.#field, this.#note, this.#list);
    document.body.append(this.#dialog);
    this.#field.addEventListener("input", () => this.#show());
    this.#field.addEventListener("keydown", (event) => this.#key(event));
    // The rim of the dialog is the dialog itself.
    this.#dialog.addEventListener("click", (event) => {
      if (event.target === this.#dialog) this.#dialog.close();
    });
    this.#list.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-to]") : null;
      if (link !== null) this.#go(link);
    });
  }

  open(): void {
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#field.select();
    this.#note.textContent = window.ptxrunEntries === undefined ? "The index is being loaded." : "";
    load(this.#root).then(
      () => this.#show(),
      () => {
        this.#note.textContent = "The index could not be loaded.";
      },
    );
  }

  #show(): void {
    const found = find(this.#field.value, window.ptxrunEntries ?? []);
    this.#chosen = -1;
    this.#list.replaceChildren(...found.map((entry, at) => option(entry, at)));
    this.#note.textContent =
      this.#field.value.trim() === "" || window.ptxrunEntries === undefined
        ? ""
        : found.length === 0
          ? "Nothing found."
          : found.length === 1
            ? "One place."
            : `${found.length} places.`;
    this.#choose(found.length === 0 ? -1 : 0);
  }

  #choose(at: number): void {
    const options = [...this.#list.children];
    options[this.#chosen]?.removeAttribute("aria-selected");
    this.#chosen = at;
    const option = options[at];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option === undefined) this.#field.removeAttribute("aria-activedescendant");
    else this.#field.setAttribute("aria-activedescendant", option.id);
  }

  #key(event: KeyboardEvent): void {
    const count = this.#list.children.length;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const by = event.key === "ArrowDown" ? 1 : count - 1;
      if (count > 0) this.#choose((this.#chosen + by) % count);
    } else if (event.key === "Enter") {
      const option = this.#list.children[this.#chosen];
      if (option instanceof HTMLElement) this.#go(option);
    }
  }

  #go(option: HTMLElement): void {
    this.#dialog.close();
    location.href = new URL(option.dataset["to"] ?? "", this.#root).href;
  }
}

function option([title, path, kind, , about]: Entry, at: number): HTMLElement {
  const item = document.createElement("li");
  item.id = `found-${at}`;
  item.dataset["to"] = path;
  item.setAttribute("role", "option");
  const name = document.createElement("span");
  name.textContent = title;
  const what = document.createElement("small");
  what.textContent = kind;
  item.append(name, " ", what);
  if (about) {
    const words = document.createElement("p");
    words.textContent = about;
    item.append(words);
  }
  return item;
}

let loading: Promise<void> | undefined;

/** The index is a script, which a page may load from a folder without a server, too. */
function load(root: URL): Promise<void> {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL("assets/search-index.js", root).href;
    script.onload = () => done();
    script.onerror = () => {
      loading = undefined;
      failed(new Error("no index"));
    };
    document.head.append(script);
  });
  return loading;
}
