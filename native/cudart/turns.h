/* The program and its kernels use managed variables in turns. */
#ifndef PTXRUN_CUDART_TURNS_H
#define PTXRUN_CUDART_TURNS_H

/* Around whatever runs on the device or reads its memory: what the program has stored goes there, and comes back. */
void managed_to_device(void);
void managed_to_program(void);

#endif
