export type { Supplier } from "../interp/memory/supply.ts";
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
} from "./debugger/debugger.ts";
export { type Progress, progressOf, threadsByInstruction } from "./debugger/progress.ts";
export { DEVICE_MEMORY, Device, type DeviceOptions } from "./device.ts";
export { type Argument, type Arguments, unknownParameter } from "./launch/argument.ts";
export { type Extent, type Extents, extentsOf } from "./launch/extents.ts";
export { Kernel, type Launch, type LaunchOptions, unknownRegister } from "./launch/kernel.ts";
export { lint } from "./lint.ts";
export { Buffer, type Contents } from "./memory/buffer.ts";
export type { DeviceState, StateAllocation, StateImage, StatePage } from "./memory/device-state.ts";
export { type ElementType, isElementType } from "./memory/element.ts";
export { type ArrayOptions, type ArrayPart, ImageArray } from "./memory/image-array.ts";
export { ImageTexels } from "./memory/image-texels.ts";
export { Multicast } from "./memory/multicast.ts";
export { encodeTensorMap, type TensorMapOptions } from "./memory/tensor-map.ts";
export { type AddressName, ImageHandle, type Resource, type TextureOptions } from "./memory/texture.ts";
export { kindOfText } from "./module/kind-of-text.ts";
export { Module } from "./module/module.ts";
export type { Store, StoreKey } from "./module/store.ts";
export { isModuleText, type ModuleFile, type SnippetOptions, type Text } from "./module/text.ts";
export { HostError, must, problem } from "./problem.ts";
