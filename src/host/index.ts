export type { Supplier } from "../interp/memory/supply.ts";
export { type Argument, type Arguments, unknownParameter } from "./argument.ts";
export { Buffer, type Contents } from "./buffer.ts";
export {
  type BreakOptions,
  type ChangedRegister,
  type Condition,
  Debugger,
  type DebugStop,
  type Edit,
  type Event,
  type Frame,
  type MadeEdit,
  type Motion,
  type Point,
  type PointOptions,
  type Travel,
  type WatchOptions,
  type Write,
  type WriteTarget,
} from "./debugger.ts";
export { DEVICE_MEMORY, Device, type DeviceOptions } from "./device.ts";
export type { DeviceState, StateAllocation, StateImage, StatePage } from "./device-state.ts";
export { type ElementType, isElementType } from "./element.ts";
export { type Extent, type Extents, extentsOf } from "./extents.ts";
export { type ArrayOptions, type ArrayPart, ImageArray } from "./image-array.ts";
export { ImageTexels } from "./image-texels.ts";
export { Kernel, type Launch, type LaunchOptions, unknownRegister } from "./kernel.ts";
export { kindOfText } from "./kind-of-text.ts";
export { lint } from "./lint.ts";
export { Module } from "./module.ts";
export { Multicast } from "./multicast.ts";
export { HostError, must, problem } from "./problem.ts";
export { type Progress, progressOf, standing } from "./standing.ts";
export type { Store, StoreKey } from "./store.ts";
export { encodeTensorMap, type TensorMapOptions } from "./tensor-map.ts";
export { isModuleText, type SnippetOptions, type Text } from "./text.ts";
export { type AddressName, ImageHandle, type Resource, type TextureOptions } from "./texture.ts";
