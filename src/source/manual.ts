/** The address of a section of NVIDIA's manual, by its anchor. */
export const manualUrl = (anchor: string): string =>
  `https://docs.nvidia.com/cuda/parallel-thread-execution/#${anchor}`;
