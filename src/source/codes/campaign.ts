import { pages } from "./page.ts";

/** PTX25xx: campaigns, their plans and shards. */
export const campaign = pages({
  PTX2501: {
    title: "a plan of a campaign that cannot be read",
    why: "A plan is a JSON text with a schema, a name and jobs. A job does one thing (`sweep`, `check`, `diff`, `run` or `command`, with the words of its command line) in a number of parts; `run` shares out seeds. Options that split or print (`--shard`, `--seeds`, `--json` ...) are the campaign's own.",
    wrong: '{ "schema": "ptxrun.campaign/1", "name": "pairs", "jobs": [{ "sweep": "add.f16", "parts": 16 }] }',
    right:
      '{ "schema": "ptxrun.campaign/1", "name": "pairs", "jobs": [{ "sweep": ["add.f16", "--all"], "parts": 16 }] }',
  },
  PTX2502: {
    title: "a shard that cannot be known",
    why: "`--shard auto` asks the scheduler that has started the process: Slurm, Kubernetes, GitLab, CircleCI, Buildkite and GNU parallel number their tasks in the environment. Where they do not say how many there are, `auto/8` or `PTXRUN_SHARDS=8` does.",
  },
  PTX2503: {
    title: "a folder that holds another campaign",
    why: "A folder keeps the shards of one plan, made by one build of ptxrun from the same files. What is there already is not overwritten: it may be somebody's night.",
  },
  PTX2504: {
    title: "a part of a campaign that cannot be done",
    why: "The command line that a job's words make is wrong, so that all of its parts would fail. What other parts have found is kept.",
  },
  PTX2505: {
    title: "shards that are missing",
    why: "A campaign is merged when all of its shards are there. Those that are missing can be run again: what they have done is not done twice.",
  },
  PTX2506: {
    title: "a shard that is there twice",
    why: "Each shard is counted once. A copy under another name, or shards of another division of the plan, would count parts twice.",
  },
  PTX2507: {
    title: "a shard of another campaign",
    why: "Shards are merged when they have one plan, one version and build of ptxrun, and the same files that the plan names. A mixture would say something that nobody has tried.",
  },
  PTX2508: {
    title: "a damaged shard",
    why: "A shard ends with the SHA-256 of what stands before it. One whose end is missing, or whose sum is another, has been changed or was not copied whole. One whose sum is right and that says what no shard says, a part that is not its own among it, was made by something else.",
  },
});
