import { type Bench, emptyInputs } from "../bench.ts";
import type { Inputs, Project } from "../client.ts";
import { element } from "../element.ts";
import { numberOfWarp } from "../warp.ts";
import { firstWrong, type Lesson, lessons, mended, type Show } from "./lessons.ts";
import { keep, keptProgress, type Progress } from "./progress.ts";

/** What the tour needs of the page. */
export interface Surroundings {
  readonly bench: Bench;
  /** Brings a panel into sight. */
  show(panel: string): void;
  /** Puts the cursor into the program. */
  goTo(from: number, to: number): void;
}

/** A panel above the program: a lesson's text, step by step, and whether the program is right by now. */
export class Tour {
  readonly #around: Surroundings;
  readonly #place = element("section", { id: "tour", "aria-labelledby": "tour-title" });
  readonly #title = element("h2", { id: "tour-title", tabindex: -1 });
  readonly #menu = element("select", { id: "tour-lesson", "aria-label": "Lesson" });
  readonly #text = element("p", { id: "tour-text", "aria-live": "polite" });
  readonly #verdict = element("p", { id: "tour-verdict", role: "status" });
  readonly #answer = element("div", { id: "tour-answer", hidden: true });
  readonly #back = element("button", { type: "button", onclick: () => void this.#turn(-1) }, "Back");
  readonly #next = element("button", { type: "button", id: "tour-next", onclick: () => void this.#turn(1) });
  readonly #solution = element("button", { type: "button", id: "tour-solution", onclick: () => this.#reveal() });
  #progress: Progress = keptProgress();
  /** The lesson's program as it is given; undefined until it is fetched. */
  #given: Project | undefined;
  /** What was on the bench before the tour began. */
  #before: Project | undefined;
  #checked = 0;

  constructor(around: Surroundings) {
    this.#around = around;
    const showMe = element("button", { type: "button", id: "tour-show", onclick: () => void this.#lead() }, "Show me");
    const close = element("button", { type: "button", id: "tour-close", onclick: () => void this.close() }, "Leave");
    this.#menu.addEventListener("change", () => void this.open(this.#menu.value, 0));
    this.#place.append(
      element("div", { class: "tour-head" }, this.#title, this.#verdict, this.#menu, close),
      this.#text,
      element("div", { class: "tour-moves" }, this.#back, this.#next, showMe, this.#solution),
      this.#answer,
    );
    document.getElementById("regions")?.before(this.#place);
    around.bench.listen((change) => {
      if (change === "state") void this.#check();
      if (change === "text") this.#say("");
    });
  }

  /** Opens a lesson at a step; where somebody left the tour unless told. */
  async open(id: string = this.#progress.lesson, step: number = this.#progress.step): Promise<void> {
    const { bench } = this.#around;
    const lesson = lessons.find((each) => each.id === id) ?? (lessons[0] as Lesson);
    if (this.#place.hidden || this.#before === undefined) this.#before = bench.project;
    this.#place.hidden = false;
    this.#progress = {
      ...this.#progress,
      lesson: lesson.id,
      step: lesson.id === id ? Math.max(0, Math.min(step, lesson.steps.length - 1)) : 0,
    };
    this.#given = undefined;
    this.#show();
    this.#title.focus();
    const given = await fetched(lesson);
    if (given === undefined) return this.#say("The lesson could not be loaded.", "wrong");
    if (this.#lesson !== lesson) return;
    this.#given = given;
    await bench.open(given);
  }

  /** Leaves the tour, and puts back what was there before. */
  async close(): Promise<void> {
    this.#place.hidden = true;
    const { bench } = this.#around;
    if (this.#before !== undefined && this.#isOpen) await bench.open(this.#before);
    document.getElementById("tour-open")?.focus();
  }

  get #lesson(): Lesson {
    return lessons.find(({ id }) => id === this.#progress.lesson) ?? (lessons[0] as Lesson);
  }

  /** One step on or back, into the next lesson and the one before. */
  async #turn(by: 1 | -1): Promise<void> {
    const at = lessons.indexOf(this.#lesson);
    const step = this.#progress.step + by;
    if (step >= 0 && step < this.#lesson.steps.length) {
      this.#progress = { ...this.#progress, step };
      return this.#show();
    }
    const other = lessons[at + by];
    if (other === undefined) return by > 0 ? this.close() : undefined;
    await this.open(other.id, by > 0 ? 0 : other.steps.length - 1);
  }

  #show(): void {
    const { step, solved } = this.#progress;
    const lesson = this.#lesson;
    const at = lessons.indexOf(lesson);
    const isLast = step === lesson.steps.length - 1;
    this.#title.textContent = `Tour, step ${step + 1} of ${lesson.steps.length}`;
    this.#menu.replaceChildren(
      ...lessons.map(({ id, title }, number) => {
        const name = `${number + 1}. ${title}${solved.includes(id) ? " ✔" : ""}`;
        return element("option", { value: id, selected: id === lesson.id }, name);
      }),
    );
    const pieces = (lesson.steps[step]?.text ?? "").split("`");
    this.#text.replaceChildren(...pieces.map((piece, place) => (place % 2 === 1 ? element("code", {}, piece) : piece)));
    this.#back.disabled = at === 0 && step === 0;
    this.#next.textContent = !isLast ? "Next" : at === lessons.length - 1 ? "Finish" : "Next mistake";
    this.#place.classList.toggle("done", isLast && solved.includes(lesson.id));
    this.#solution.textContent = "Solution";
    this.#solution.setAttribute("aria-expanded", "false");
    this.#answer.hidden = true;
    keep(this.#progress);
  }

  #say(text: string, kind: "right" | "wrong" | "" = ""): void {
    this.#verdict.textContent = text;
    this.#verdict.className = kind;
  }

  /** Says whether the run that has ended leaves what it should. */
  async #check(): Promise<void> {
    const { bench } = this.#around;
    const { state } = bench;
    const lesson = this.#lesson;
    const check = ++this.#checked;
    if (this.#place.hidden || this.#given === undefined || !this.#isOpen) return this.#say("");
    if (bench.stale || state?.stop.reason !== "exit") return this.#say("");
    const place = state.buffers.find(({ name }) => name === lesson.right.buffer);
    if (place === undefined) return;
    const { bytes } = await bench.client.memory(place.space, place.address, lesson.right.values.byteLength);
    if (check !== this.#checked) return;
    const wrong = firstWrong(lesson, bytes);
    if (wrong !== undefined) {
      const { at, is, should } = wrong;
      return this.#say(`✖ ${lesson.right.buffer}[${at}] is ${is}; it should be ${should}.`, "wrong");
    }
    if (state.findings.length > 0)
      return this.#say(`✖ ${lesson.right.buffer} is right, by luck: see Messages.`, "wrong");
    if (this.#given.inputs.race && !bench.project.inputs.race)
      return this.#say("✖ Nobody looks for races: switch that on in Inputs.", "wrong");
    if (!this.#progress.solved.includes(lesson.id)) {
      this.#progress = { ...this.#progress, solved: [...this.#progress.solved, lesson.id] };
      this.#show();
    }
    this.#place.classList.add("done");
    const all = this.#progress.solved.length === lessons.length ? " These were all eight." : "";
    this.#say(`✔ Solved: ${lesson.right.buffer} is right, and nothing was found.${all}`, "right");
  }

  /** Whether the lesson's program is on the bench, changed or not. */
  get #isOpen(): boolean {
    return this.#around.bench.project.name === this.#given?.name;
  }

  /** Does what the step tells. */
  async #lead(): Promise<void> {
    const { bench, show, goTo } = this.#around;
    const step = this.#lesson.steps[this.#progress.step];
    if (step === undefined || this.#given === undefined) return;
    if (!this.#isOpen) await bench.open(this.#given);
    const { line, panel, thread } = step.show;
    if (line !== undefined) {
      const from = bench.project.text.indexOf(line);
      if (from >= 0) goTo(from, from + line.length);
      return;
    }
    bench.wake();
    if (bench.stale) await bench.load();
    if (bench.state === undefined) return;
    // Waits for a move that goes on, too.
    await bench.focus(thread ?? bench.state.focus);
    await this.#travel(step.show);
    if (thread !== undefined) await bench.focus(thread);
    if (panel !== undefined) show(panel);
  }

  /** To the end of the run, and from there back to where a thread comes to a line for the first time. */
  async #travel({ at, thread }: Show): Promise<void> {
    const { bench } = this.#around;
    if (bench.breakpoints.length > 0) await bench.setBreakpoints([]);
    if (bench.state?.stop.reason !== "exit" && bench.state?.stop.reason !== "fault") await bench.move({ kind: "run" });
    if (at === undefined || thread === undefined) return;
    const { positions, warps, pcs, active } = await bench.client.strip();
    const warp = bench.state && numberOfWarp(thread, bench.state);
    const { text } = bench.project;
    const code = bench.loaded?.code ?? [];
    const index = pcs.findIndex((pc, step) => {
      const { from, to } = code[pc] ?? { from: 0, to: 0 };
      return (
        warps[step] === warp && (((active[step] ?? 0) >>> thread.lane) & 1) === 1 && text.slice(from, to).includes(at)
      );
    });
    const position = positions[index];
    if (position !== undefined) await bench.goTo(position);
  }

  /** Shows what has to change, or hides it again. */
  #reveal(): void {
    const { hidden } = this.#answer;
    this.#answer.hidden = !hidden;
    this.#solution.setAttribute("aria-expanded", String(hidden));
    this.#solution.textContent = hidden ? "Hide solution" : "Solution";
    if (!hidden) return;
    const text = this.#given?.text ?? "";
    const lines = changedLines(text, mended(this.#lesson, text)).map(([sign, line]) =>
      element("span", { class: sign === "+" ? "plus" : "minus" }, `${sign} ${line}\n`),
    );
    const apply = element(
      "button",
      { type: "button", id: "tour-apply", onclick: () => void this.#apply() },
      "Put it in",
    );
    this.#answer.replaceChildren(
      element("pre", { tabindex: 0, role: "group", "aria-label": "Solution" }, ...lines),
      apply,
    );
  }

  async #apply(): Promise<void> {
    if (this.#given === undefined) return;
    const { bench } = this.#around;
    await bench.open({ ...this.#given, text: mended(this.#lesson, this.#given.text) });
    bench.wake();
    await bench.move({ kind: "run" });
  }
}

/** Lines of one text that the other lacks, and those in their place. */
function changedLines(before: string, after: string): readonly (readonly ["-" | "+", string])[] {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const changed: (readonly ["-" | "+", string])[] = [];
  for (let [a, b] = [0, 0]; a < old.length || b < fresh.length; [a, b] = [a + 1, b + 1]) {
    if (old[a] === fresh[b]) continue;
    // Up to the next line that both have, blank ones aside.
    const until = old.findIndex((line, at) => at >= a && line.trim() !== "" && fresh.indexOf(line, b) >= 0);
    const other = until < 0 ? fresh.length : fresh.indexOf(old[until] ?? "", b);
    const end = until < 0 ? old.length : until;
    for (const line of old.slice(a, end)) changed.push(["-", line]);
    for (const line of fresh.slice(b, other)) changed.push(["+", line]);
    [a, b] = [end, other];
  }
  return changed;
}

/** The program and the launch of a lesson, from the list of examples. */
async function fetched({ id }: Lesson): Promise<Project | undefined> {
  const name = `${id}.ptx`;
  const [list, text] = await Promise.all([fetch("examples/index.json"), fetch(`examples/tour-${name}`)]);
  if (!list.ok || !text.ok) return undefined;
  const all = (await list.json()) as readonly { readonly file: string; readonly inputs: Partial<Inputs> }[];
  const inputs = all.find(({ file }) => file === `tour-${name}`)?.inputs;
  return { name, text: await text.text(), inputs: { ...emptyInputs, ...inputs } };
}
