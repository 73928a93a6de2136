/** See runner.js. */
export interface Acted {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  readonly ran: readonly string[];
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly runs: { readonly steps: readonly { readonly env?: Readonly<Record<string, string>> }[] };
}

export function readAction(folder: string): Action;

export function act(
  folder: string,
  inputs: Readonly<Record<string, string>>,
  around: {
    readonly workspace: string;
    readonly home: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly repository?: string;
  },
): Acted;
