export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | string;
}

/** What a server of static files says of a path; `read` throws where there is no file. */
export function answer(url: string, read: (path: string) => Uint8Array): Answer;
