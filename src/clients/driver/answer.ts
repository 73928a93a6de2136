/**
 * The response to a call: its status, numbers, and text for the program's log and the user who reads standard error.
 */
export interface Answer {
  readonly status: number;
  readonly words?: readonly bigint[];
  readonly text?: string;
}
