#include "runtime.h"
#include "state.h"

API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}
