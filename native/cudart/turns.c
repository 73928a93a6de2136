#include "turns.h"

#include "registry.h"

static void out(struct entry *variable) { cuMemcpyHtoD_v2(variable->address, variable->host, variable->bytes); }
static void back(struct entry *variable) { cuMemcpyDtoH_v2(variable->host, variable->address, variable->bytes); }

void managed_to_device(void) { each_managed(out); }
void managed_to_program(void) { each_managed(back); }
