import { type Section, section } from "../../form/define.ts";
import { copies } from "./cp-async.ts";

export const asyncCopy: Section = section(
  { of: "data-movement", name: "async-copy", title: "Asynchronous Copy" },
  copies,
  {
    "": "cp.async cp.async.commit_group cp.async.wait_group cp.async.wait_all=cp.async.wait_group",
    synchronization: "cp.async.mbarrier.arrive",
  },
);
