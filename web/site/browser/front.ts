// Plays the run that the first page has recorded. It stands still for who wants little motion, and whenever nobody can see it.

/** Milliseconds from one instruction to the next, and at the end. */
const STEP = 220;
const REST = 3000;

interface Recorded {
  readonly steps: readonly (readonly [line: number, active: number])[];
  readonly changes: readonly (readonly (readonly [column: number, lane: number, value: number])[])[];
}

function play(figure: HTMLElement): void {
  const { steps, changes } = JSON.parse(figure.querySelector("script")?.textContent ?? "") as Recorded;
  const lines = [...figure.querySelectorAll(".line")];
  const rows = [...figure.querySelectorAll("tbody tr")];
  const cells = rows.map((row) => [...row.querySelectorAll("td")]);
  const later = figure.querySelector(".demo-later");
  const slider = figure.querySelector("input");
  const where = figure.querySelector(".demo-at");
  const button = (name: string) => figure.querySelector<HTMLButtonElement>(`[data-do=${name}]`);
  const [toggle, back, step] = ["play", "back", "step"].map(button);
  if (!later || !slider || !where || !toggle || !back || !step) return;
  let at = Number(figure.dataset["at"]);
  let plays = false;
  let inSight = true;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (position: number): void => {
    at = Math.max(0, Math.min(position, steps.length));
    const [line, active] = steps[at] ?? [0, 0];
    for (const [number, each] of lines.entries()) each.classList.toggle("now", number + 1 === line);
    const values = cells.map((row) => row.map(() => 0));
    for (const change of changes.slice(0, at))
      for (const [column, lane, value] of change) (values[lane] as number[])[column] = value;
    const changed = new Set((changes[at - 1] ?? []).map(([column, lane]) => `${column} ${lane}`));
    for (const [lane, row] of rows.entries()) {
      row.classList.toggle("on", ((active >>> lane) & 1) === 1);
      for (const [column, cell] of (cells[lane] ?? []).entries()) {
        cell.textContent = String(values[lane]?.[column] ?? 0);
        cell.classList.toggle("changed", changed.has(`${column} ${lane}`));
      }
    }
    later.setAttribute("x", String(at));
    later.setAttribute("width", String(steps.length - at));
    slider.value = String(at);
    where.textContent =
      at === steps.length ? `ended after ${at} instructions` : `${at} of ${steps.length}, next is line ${line}`;
  };
  const next = (): void => {
    clearTimeout(timer);
    if (!plays || !inSight || document.hidden) return;
    timer = setTimeout(
      () => {
        show(at === steps.length ? 0 : at + 1);
        next();
      },
      at === steps.length ? REST : STEP,
    );
  };
  const turn = (on: boolean): void => {
    plays = on;
    toggle.textContent = on ? "Pause" : "Play";
    next();
  };
  const go = (position: number): void => {
    turn(false);
    show(position);
  };
  toggle.addEventListener("click", () => turn(!plays));
  back.addEventListener("click", () => go(at - 1));
  step.addEventListener("click", () => go(at + 1));
  slider.addEventListener("input", () => go(slider.valueAsNumber));
  document.addEventListener("visibilitychange", next);
  new IntersectionObserver(([entry]) => {
    inSight = entry?.isIntersecting ?? true;
    next();
  }).observe(figure);
  for (const each of [toggle, back, step, slider]) each.hidden = false;
  show(at);
  turn(!matchMedia("(prefers-reduced-motion: reduce)").matches);
}

const figure = document.getElementById("demo");
if (figure !== null) play(figure);
