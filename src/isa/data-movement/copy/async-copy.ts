import { type Section, section } from "../../form/define.ts";
import { copies } from "./cp-async.ts";

export const asyncCopy: Section = section(
  { of: "data-movement", name: "async-copy", title: "Asynchronous Copy" },
  copies,
);
