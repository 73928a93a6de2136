const KEY = "ptxrun.tour";

/** How far somebody is: the lesson and its step, and which lessons are solved. */
export interface Progress {
  readonly lesson: string;
  readonly step: number;
  readonly solved: readonly string[];
}

/** What was kept when the page was left; the beginning where there is nothing, or nothing that can be read. */
export function keptProgress(): Progress {
  try {
    const { lesson, step, solved } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Progress>;
    return {
      lesson: typeof lesson === "string" ? lesson : "",
      step: typeof step === "number" ? step : 0,
      solved: Array.isArray(solved) ? solved.filter((each) => typeof each === "string") : [],
    };
  } catch {
    return { lesson: "", step: 0, solved: [] };
  }
}

export function keep(progress: Progress): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(progress));
  } catch {
    // A page that may keep nothing begins the tour anew when it is opened again.
  }
}
