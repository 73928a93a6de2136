/** What a call answers: its status, numbers, and text for the program's log and the person who reads standard error. */
export interface Answer {
  readonly status: number;
  readonly words?: readonly bigint[];
  readonly text?: string;
}
