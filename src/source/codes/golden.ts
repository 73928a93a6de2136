import { pages } from "./page.ts";

/** PTX7xxx: golden checks. */
export const golden = pages({
  PTX7001: {
    title: "a file that checks nothing",
    why: "A file without `//@ case` and without `//~ error` passes whatever happens, so `check` fails it.",
    right: "//@ case one: a=0x3c00 b=0x3c00 -> d=0x4000",
  },
  PTX7002: {
    title: "a directive that cannot be read",
    why: "The directives are `//@ args: OPTIONS`, `//@ launch KERNEL`, `//@ case NAME: INPUTS -> EXPECTATIONS`, `//@ snapshot NAME: INPUTS` and `//~ error CODE`.",
    wrong: "//@ case one a=1",
    right: "//@ case one: a=1 -> d=0xfffffffe",
  },
  PTX7003: {
    title: "two cases of one name",
    why: "A case's name is how a failure is found and repeated.",
  },
  PTX7004: {
    title: "a case that leaves an input open",
    why: "A case states all its inputs; a value that is 0 because nobody gave it would hide a mistake.",
    wrong: "//@ case one: a=1 -> d=1",
    right: "//@ case one: a=1 b=0 -> d=1",
  },
  PTX7005: {
    title: "a value other than expected",
    why: "Bits are compared, unless the case says `NAME~VALUE ulp N`.",
  },
  PTX7006: {
    title: "a run that did not end as expected",
    why: "A case without `fault` must run to its end without a fault or a finding; with `fault KIND` it must stop with that one.",
  },
  PTX7007: {
    title: "an expected error that did not come",
    why: "A line with `//~ error CODE` must be rejected with that code.",
  },
  PTX7008: {
    title: "an error that no line expects",
    why: "Every error of a file that has marks needs a `//~ error CODE` on its line; a file without them must be accepted.",
  },
  PTX7009: {
    title: "a file outside of the checked file's folder",
    why: "Directives come with files that others wrote: they may read only below the folder of the file they stand in, links followed, or below one that `--allow-read` names. They write nothing.",
    wrong: "ptxrun check tests",
    right: "ptxrun check tests --allow-read data",
  },
  PTX7010: {
    title: "no files to check",
    why: "A path names a .ptx file, a folder (its .ptx files at any depth are taken) or a pattern such as `tests/**/*.ptx`.",
  },
  PTX7011: {
    title: "a pipeline whose parts do not fit",
    why: "`//@ launch KERNEL [OPTIONS][: PARAMETER=VALUE ...]` lines before a case run one after the other on one memory. The case's left side names buffers and values, which a launch takes with `PARAMETER==NAME` or because its parameter has that name; each must be taken by a launch. Registers belong to one kernel and cannot be given.",
    wrong: "//@ launch scale: n=4\n//@ case one: data=f32x4:iota -> data=0,2,4,6",
    right: "//@ launch scale: x==data n=4\n//@ case one: data=f32x4:iota -> data=0,2,4,6",
  },
  PTX7012: {
    title: "a sidecar that cannot be read",
    why: "`NAME.ptxcheck.json` says about NAME.ptx what its own lines would say: `directives` holds texts as they stand behind `//@`, without escapes; `errors` holds the line and code (and, if it is no error, the `severity`) of each line that must be rejected.",
    right:
      '{ "schema": "ptxrun.check-sidecar/1", "directives": ["case one: a=1 b=1 -> d=2"], "errors": [{ "line": 3, "code": "PTX1203" }] }',
  },
  PTX7013: {
    title: "an expectation left open",
    why: "`?` stands for what is not known yet, as the whole right side or as one value. It fails until `check --update` has filled in what the run gives.",
    wrong: "//@ case one: a=1 b=1 -> ?",
    right: "//@ case one: a=1 b=1 -> d=2",
  },
  PTX7014: {
    title: "a final state other than its snapshot",
    why: "`//@ snapshot` compares the whole final state, as `ptxrun run` prints it, with NAME.snap next to the file (`//@ snapshot ONE: INPUTS` with NAME.ONE.snap). `check --update` writes the file.",
  },
  PTX7015: {
    title: "an update that was refused",
    why: "`check --update` writes what a person then reads and commits: it does nothing where `CI` is set, writes through no link, and leaves a file alone that has changed while it was checked.",
  },
  PTX7016: {
    title: "a filter that no case matches",
    why: "`--filter TEXT` takes the cases whose name holds the text, in upper and lower case as it is written. Without any, nothing was checked, and that must not pass.",
    wrong: "ptxrun check tests --filter cary",
    right: "ptxrun check tests --filter carry",
  },
  PTX7017: {
    title: "printed text other than expected",
    why: '`prints "TEXT"` is all that printf has printed when the case ends; a line end at its end may be left out. `prints~"TEXT"` is a part of it. The text may hold `\\n`, `\\t`, `\\r`, `\\"`, `\\\\`, `\\xHH` and `\\u{HEX}`.',
    right: '//@ case one: n=2 -> prints "0\\n1\\n"',
  },
  PTX7019: {
    title: "two programs with different results",
    why: "`ptxrun diff` has run both with the same inputs. Reports for other programs say so in one place: where their results begin to differ, in the second program, or the first line of it where no instruction could be named.",
    wrong: "ptxrun diff old.ptx new.ptx --reporter sarif=ptxrun.sarif",
  },
});
