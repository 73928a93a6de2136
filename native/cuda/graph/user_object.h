/* Objects of the program that graphs keep alive. */
#ifndef PTXRUN_CUDA_GRAPH_USER_OBJECT_H
#define PTXRUN_CUDA_GRAPH_USER_OBJECT_H

#include "../state.h"

struct held;

/* So many times, for who has held it that often itself where it moves. */
CUresult held_add(struct held **list, CUuserObject object, unsigned count, bool moves);
CUresult held_remove(struct held **list, CUuserObject object, unsigned count);
/* Holds all that another list holds. */
CUresult held_copy(struct held **to, const struct held *from);
/* Lets go of all, and holds what the other list holds. */
CUresult held_replace(struct held **list, const struct held *from);
void held_release_all(struct held **list);

/* Calls the destructors of what nobody holds any more: without the lock, as they are the program's. */
void user_objects_end(void);

#endif
