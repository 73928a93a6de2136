import type { Form } from "./define.ts";

/** An operation that is read and printed, and not executed: its line in the manual, and what it would do. */
export type Named = Pick<Form, "syntax" | "mnemonic" | "opcode" | "about">;

/** Entries with one number in objects, by their lines: several mnemonics may share one. */
const entries = (opcode: number, about: string, ...lines: readonly string[]): Named[] =>
  lines.map((syntax) => ({
    syntax,
    opcode,
    about,
    mnemonic: (/^(?:\[\(<P>\)\] )?(\w+)/.exec(syntax)?.[1] ?? "").toLowerCase(),
  }));

const SAMPLED = "(<exec_size>) <aoffimmi> <sampler> <surface> <dst>";

/** Operations whose text the manual has, and whose meaning lies in the hardware's manuals, or with a second thread. */
export const named: readonly Named[] = [
  ...entries(
    0x5d,
    "sends a message as its descriptor says, which is the hardware's",
    "[(<P>)] RAW_SEND (<exec_size>) <exMsgDesc> <numSrc> <numDst> <desc> <src> <dst>",
    "[(<P>)] RAW_SENDC (<exec_size>) <exMsgDesc> <numSrc> <numDst> <desc> <src> <dst>",
  ),
  ...entries(
    0x7a,
    "the same, of a payload in two parts",
    ...["RAW_SENDS", "RAW_SENDS_EOT"].map(
      (name) =>
        `[(<P>)] ${name}.<sfid>.<numSrc0>.<numSrc1>.<numDst> (<exec_size>) <exMsgDesc> <desc> <src0> <src1> <dst>`,
    ),
    ...["RAW_SENDSC", "RAW_SENDSC_EOT"].map(
      (name) => `[(<P>)] ${name}.<numSrc0>.<numSrc1>.<numDst> (<exec_size>) <exMsgDesc> <desc> <src0> <src1> <dst>`,
    ),
  ),
  ...entries(
    0x37,
    "reads a block of bytes of a surface of two dimensions",
    "MEDIA_LD.<mods> (<block_width>, <block_height>) <surface> <plane> <x_offset> <y_offset> <dst>",
  ),
  ...entries(
    0x38,
    "writes a block of bytes of a surface of two dimensions",
    "MEDIA_ST.<mods> (<block_width>, <block_height>) <surface> <plane> <x_offset> <y_offset> <src>",
  ),
  ...entries(
    0x1c,
    "dpas of two threads on fused units, each of which has half of src2",
    "DPASW.<W>.<A>.<SD>.<RC> (<exec_size>) <dst> <src0> <src1> <src2>",
  ),
  ...entries(
    0x6d,
    "samples an image at a level that follows from the coordinates of four channels, or compares what it samples",
    `[(<P>)] SAMPLE_3D.<channels> ${SAMPLED} <u> <v> <r> <ai>`,
    `[(<P>)] SAMPLE_B.<channels> ${SAMPLED} <bias> <u> <v> <r> <ai>`,
    `[(<P>)] SAMPLE_C.<channels> ${SAMPLED} <ref> <u> <v> <r> <ai>`,
    `[(<P>)] SAMPLE_D.<channels> ${SAMPLED} <u> <dudx> <dudy> <v> <dvdx> <dvdy> <r> <drdx> <drdy> <ai>`,
    `[(<P>)] SAMPLE_B_C.<channels> ${SAMPLED} <ref> <bias> <u> <v> <r> <ai>`,
    `[(<P>)] SAMPLE_L_C.<channels> ${SAMPLED} <ref> <lod> <u> <v> <r> <ai>`,
    `[(<P>)] SAMPLE_D_C.<channels> ${SAMPLED} <ref> <u> <dudx> <dudy> <v> <dvdx> <dvdy> <r> <drdx> <drdy> <ai>`,
    `[(<P>)] SAMPLE_C_LZ.<channels> ${SAMPLED} <ref> <u> <v> <r> <ai>`,
  ),
  ...entries(
    0x6f,
    "the four texels that a linear filter would weigh, of one channel",
    `[(<P>)] SAMPLE4.<channel> ${SAMPLED} <u> <v> <r> <ai>`,
    `[(<P>)] SAMPLE4_C.<channel> ${SAMPLED} <ref> <u> <v> <r> <ai>`,
    `[(<P>)] SAMPLE4_PO.<channel> ${SAMPLED} <u> <v> <offu> <offv> <r>`,
    `[(<P>)] SAMPLE4_PO_C.<channel> ${SAMPLED} <ref> <u> <v> <offu> <offv> <r>`,
  ),
  ...entries(
    0x41,
    "samples 8 times 4 pixels of an image, as fractions of 8 or 16 bits",
    "SAMPLE_UNORM.<channels>.<output_format> <sampler> <surface> <u_offset> <v_offset> <deltaU> <deltaV> <dst>",
  ),
  ...entries(
    0x43,
    "scales a block of an image of video",
    "AVS.<channels> <sampler> <surface> <u_offset> <v_offset> <deltaU> <deltaV> <u2d> <groupID> <verticalBlockNumber> <cntrl> <v2d> <execMode> <IEFBypass> <dst>",
  ),
  ...entries(
    0x54,
    "searches for motion in whole pixels",
    "VME_IME (<streamMode>, <searchCtrl>) <surface> <UNIInput> <IMEInput> <ref0> <ref1> <costCenter> <output>",
  ),
  ...entries(
    0x55,
    "checks whether a block of video may be skipped or predicted from itself",
    "VME_SIC <surface> <UNIInput> <SICInput> <output>",
  ),
  ...entries(
    0x56,
    "refines motion to fractions of pixels",
    "VME_FBR (<FBRMbMode>, <FBRSubMbShape>, <FBRSubPredMode>) <surface> <UNIInput> <FBRInput> <output>",
  ),
  ...entries(
    0x71,
    "writes pixels of a render target",
    "[(<P>)] RT_WRITE_3D.<mode> (<exec_size>) <surface> <header> <s0a> <oM> <R> <G> <B> <A> <depth> <stencil>",
  ),
  ...entries(0x90, "reads pixels of a render target", "[(<P>)] RT_READ.<mode> (<exec_size>) <surface> <SI>"),
  ...entries(
    0x72,
    "writes attributes of vertices",
    "[(<P>)] URB_WRITE_3D (<exec_size>) <num_out> <global_offset> <channel_mask> <URB_handle> <per_slot_offset> <vertex_data>",
  ),
  ...entries(
    0x69,
    "all channels go on at one of the labels",
    "SWITCHJMP (<exec_size>) <index> (<label0>, <label1>, ...)",
  ),
];
