import { quoted } from "../../../../src/environment/quoted.ts";
import { printable } from "../../../../src/present/text/escape.ts";
import { version } from "../../../../src/system/version.ts";
import type { Engine } from "../names.ts";
import type { Plan } from "../plan.ts";

/** The input of a job file. */
export interface Submission {
  readonly plan: Plan;
  /** The plan's file, as the command line names it. */
  readonly file: string;
  /** Where the shards go. */
  readonly folder: string;
  readonly shards: number;
}

/** The plan's name in characters that every engine accepts. */
const label = ({ plan }: Submission): string =>
  plan.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40) || "campaign";

const runs = ({ file, folder }: Submission, shard: string, word = quoted): string =>
  `ptxrun campaign run ${word(file)} --shard ${shard} --output ${word(folder)}`;
const merges = ({ folder }: Submission, word = quoted): string => `ptxrun campaign merge ${word(folder)}`;

/** A text in a workflow, escaped so that GitHub evaluates no expression in it. */
const literal = (text: string): string => text.replaceAll(/\$\{\{/g, (begin) => `${begin} '${begin}' }}`);

/** An array job: sbatch FILE. */
const slurm = (job: Submission): string => `#!/bin/sh
#SBATCH --job-name=${label(job)}
#SBATCH --array=1-${job.shards}
#SBATCH --cpus-per-task=1
#SBATCH --requeue
# A task that is requeued goes on where it was. When all have ended:
#   ${printable(merges(job))}
exec ${runs(job, "auto")}
`;

/** One process for each core of this machine: sh FILE. */
const parallel = (job: Submission): string => `#!/bin/sh
# ${label(job)}: what an earlier run of this file has done is not done again. A shard with findings exits 1, and the others go on.
seq ${job.shards} | parallel --halt never ${quoted(runs(job, `{}/${job.shards}`))}
exec ${merges(job)}
`;

/** An indexed job: kubectl apply -f FILE. The image and the volume are the cluster's own. */
const kubernetes = (job: Submission): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: ${label(job)}
spec:
  completionMode: Indexed
  completions: ${job.shards}
  parallelism: ${Math.min(job.shards, 64)}
  # A shard with findings exits 1: that is a result, and no reason to try again.
  podFailurePolicy:
    rules:
      - action: FailIndex
        onExitCodes:
          operator: In
          values: [1, 2]
  backoffLimitPerIndex: 3
  maxFailedIndexes: ${job.shards}
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: ptxrun
          # An image whose entry point is ptxrun, of this version.
          image: ptxrun:${version}
          workingDir: /campaign
          args: ${JSON.stringify(["campaign", "run", job.file, "--shard", "auto", "--output", job.folder])}
          env:
            - name: PTXRUN_SHARDS
              value: "${job.shards}"
          volumeMounts:
            - name: campaign
              mountPath: /campaign
      volumes:
        # The plan and what it names lie there, and the shards come there.
        - name: campaign
          persistentVolumeClaim:
            claimName: ${label(job)}
`;

/** A workflow of GitHub Actions, which starts 256 jobs of a matrix at most: .github/workflows/FILE. */
function github(job: Submission): string {
  const word = (text: string): string => literal(quoted(text));
  // JSON's strings are YAML's.
  const run = (line: string): string => JSON.stringify(line.replace(/^ptxrun/, `npx --yes ptxrun@${version}`));
  const path = JSON.stringify(literal(job.folder));
  return `name: ${label(job)}
on: workflow_dispatch
permissions:
  contents: read
jobs:
  shard:
    runs-on: ubuntu-latest
    strategy:
      fail-fast: false
      matrix:
        shard: [${Array.from({ length: job.shards }, (_, at) => at + 1).join(", ")}]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: ${run(runs(job, `\${{ matrix.shard }}/${job.shards}`, word))}
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: shard-\${{ matrix.shard }}
          path: ${path}
  merge:
    runs-on: ubuntu-latest
    needs: shard
    if: always()
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - uses: actions/download-artifact@v4
        with:
          path: ${path}
          merge-multiple: true
      - run: ${run(`${merges(job, word)} --reporter text --reporter html=campaign.html`)}
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: campaign
          path: campaign.html
`;
}

/** The writer of the job file for each engine. */
export const engines: Readonly<Record<Engine, (job: Submission) => string>> = { slurm, kubernetes, github, parallel };

/** The most jobs of a matrix on GitHub. */
export const MOST_GITHUB = 256;
