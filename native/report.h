/* What is said on standard error, and what a failure does to the program. */
#ifndef PTXRUN_REPORT_H
#define PTXRUN_REPORT_H

#include <stdint.h>

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void say(const char *format, ...);

/*
 * Says why a call has failed, and then does what PTXRUN_ON_ERROR asks for: `abort` (unless told) ends the process by
 * SIGABRT, `exit` with the code, `continue` returns.
 */
void fail(uint32_t code, const char *text);

#endif
