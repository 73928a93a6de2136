import { type Section, section } from "../form/define.ts";
import { copies } from "./cp-async.ts";

/** 9.7.9.26.3. */
export const asyncCopy: Section = section(
  { of: "data-movement", name: "async-copy", title: "Asynchronous Copy" },
  copies,
);
