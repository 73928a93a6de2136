/** Milliseconds before a long run shows its progress. */
const PROGRESS_AFTER_MS = 1000;

/** The progress of a long run, as a client shows it. */
export interface Progress {
  show(): void;
  end(): void;
}

/**
 * Reports the progress of a run once it has taken a second, then twice a second; never to a client that cannot show it.
 */
export function progressOf(
  progressId: string,
  {
    now,
    can,
    message,
    event,
  }: {
    readonly now: () => number;
    readonly can: boolean;
    readonly message: () => string;
    readonly event: (name: string, body: object) => void;
  },
): Progress {
  const began = now();
  let shown = 0;
  return {
    show() {
      const time = now();
      if (!can || time - began < PROGRESS_AFTER_MS || time - shown < PROGRESS_AFTER_MS / 2) return;
      if (shown === 0) event("progressStart", { progressId, title: "running", cancellable: true, message: message() });
      else event("progressUpdate", { progressId, message: message() });
      shown = time;
    },
    end() {
      if (shown > 0) event("progressEnd", { progressId });
    },
  };
}
