import type { Diagnostic } from "../../source/diagnostic.ts";

/** Results of driver API calls: values of CUresult. */
export const Status = {
  success: 0,
  invalidValue: 1,
  outOfMemory: 2,
  invalidImage: 200,
  noBinaryForGpu: 209,
  invalidPtx: 218,
  unsupportedPtxVersion: 222,
  invalidSource: 300,
  invalidHandle: 400,
  notFound: 500,
  illegalAddress: 700,
  launchOutOfResources: 701,
  launchTimeout: 702,
  assert: 710,
  hardwareStackError: 714,
  illegalInstruction: 715,
  misalignedAddress: 716,
  launchFailed: 719,
  cooperativeLaunchTooLarge: 720,
  notSupported: 801,
  unknown: 999,
} as const;

/** Faults that a GPU distinguishes; all others are a failed launch there. */
const faults: Readonly<Record<string, number>> = {
  PTX2207: Status.invalidValue,
  PTX3001: Status.misalignedAddress,
  PTX3002: Status.illegalAddress,
  PTX3003: Status.illegalAddress,
  PTX3005: Status.illegalAddress,
  PTX3020: Status.hardwareStackError,
  PTX3021: Status.illegalInstruction,
  PTX3025: Status.assert,
  PTX5001: Status.notSupported,
  PTX6001: Status.launchTimeout,
  PTX6002: Status.launchOutOfResources,
  PTX6003: Status.outOfMemory,
  PTX6101: Status.launchTimeout,
};

export const statusOf = ({ code }: Diagnostic): number => faults[code] ?? Status.launchFailed;

/** Why a launch did not begin. */
export const refusalOf = ([first]: readonly Diagnostic[]): number =>
  (first === undefined ? undefined : faults[first.code]) ?? Status.invalidValue;
