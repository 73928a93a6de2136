import type { Palette } from "../../../present/palette.ts";
import type { Merged } from "../merge.ts";
import type { ReportName } from "../names.ts";
import { html } from "./html.ts";
import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { text } from "./text.ts";

export const reports: Readonly<Record<ReportName, (merged: Merged, colours: Palette) => string>> = {
  text,
  json,
  junit,
  html,
};
