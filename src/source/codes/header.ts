import { pages } from "./page.ts";

/** PTX15xx: .version, .target, and what they allow. */
export const header = pages({
  PTX1501: {
    title: "no .version",
    why: "A module begins with .version, then .target (PTX ISA 11.1). Where neither stands anywhere they are assumed (PTX9010).",
    wrong: ".target sm_90\n.version 8.0",
    right: ".version 8.0\n.target sm_90",
  },
  PTX1502: {
    title: "no .target",
    why: "A module names its target in the directive behind .version, before .address_size (PTX ISA 11.1).",
    wrong: ".version 8.0\n.address_size 64\n.target sm_90",
    right: ".version 8.0\n.target sm_90\n.address_size 64",
  },
  PTX1503: {
    title: "unknown .version",
    why: "There is no such version of PTX, such as 7.9. One that is newer than 9.4, the newest that ptxrun knows, is no error: PTX1512.",
    wrong: ".version 7.9",
    right: ".version 7.8",
  },
  PTX1504: {
    title: "unknown .target",
    why: "There is no such architecture or target option (PTX ISA 11.1.2).",
    wrong: ".target sm_91",
    right: ".target sm_90",
  },
  PTX1505: {
    title: ".target too new for .version",
    why: "Each architecture came with a version of PTX; a module must state at least that one.",
    wrong: ".version 7.8\n.target sm_90a",
    right: ".version 8.0\n.target sm_90a",
  },
  PTX1506: {
    title: "target options that do not go together",
    why: "A module has one texture mode; map_f64_to_f32 is for targets below sm_13 only; .target debug needs .loc or DWARF data.",
    wrong: ".target sm_90, texmode_unified, texmode_independent",
    right: ".target sm_90, texmode_unified",
  },
  PTX1507: {
    title: "header directive out of place",
    why: ".version, .target and .address_size stand at the start of the module in this order, .version and .address_size once.",
    wrong: ".version 8.0\n.target sm_90\n.entry k() { ret; }\n.address_size 64",
    right: ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { ret; }",
  },
  PTX1508: {
    title: "address size not supported",
    why: ".address_size is 32 or 64 (PTX ISA 11.1.3). ptxas has dropped 32 bits (13.0 refuses such a module), and ptxrun takes 64 only. Nothing else in a module of 32 bits is checked: each of its addresses would be wrong. Compiled again with nvcc -m64, its source runs.",
    wrong: ".address_size 32",
    right: ".address_size 64",
  },
  PTX1509: {
    title: "feature newer than .version",
    why: "The directive or type came with a later version of PTX than the module states.",
    wrong: ".version 6.3 ... .extern .func f() .noreturn;",
    right: ".version 6.4 ... .extern .func f() .noreturn;",
  },
  PTX1510: {
    title: "feature newer than .target",
    why: "The directive or type needs a newer architecture than the module states.",
    wrong: ".target sm_80 ... .entry k() .reqnctapercluster 2 { ret; }",
    right: ".target sm_90 ... .entry k() .reqnctapercluster 2 { ret; }",
  },
  PTX1512: {
    title: ".version or .target newer than ptxrun",
    why: "A text from a newer toolkit is read as the newest version that ptxrun knows, 9.4, and a newer target of a known family (sm_10x, sm_11x, sm_12x) runs as the greatest known one of it. A text that uses nothing new does the same; what is new in it is reported where it stands. Facts of the new target, such as how its tensor cores round, may differ.",
    wrong: ".version 9.9\n.target sm_109a",
    right: ".version 9.4\n.target sm_107a",
  },
  PTX1511: {
    title: "instruction that newer targets dropped",
    why: "From PTX 6.4 on, sm_70 and later have shfl and vote with .sync and a mask of lanes only (PTX ISA, shfl, vote).",
    wrong: "shfl.up.b32 d, a, 1, 0;",
    right: "shfl.sync.up.b32 d, a, 1, 0, 0xffffffff;",
  },
});
