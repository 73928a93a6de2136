// Stands in for csmith's own header: what a program computes goes into one number, which a device can give back.
#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define STATIC static
#define UNDEFINED(x) (x)
#define LOG_INDEX
#define LOG_EXEC
#define FUNC_NAME(x) (safe_##x)
#define assert(x)
#define fabsf __builtin_fabsf
#define fabs __builtin_fabs
#define ldexpf(x, e) (x)
#define ldexp(x, e) (x)
#include SAFE_MATH

static uint64_t sum = 0xcbf29ce484222325ull;
static uint32_t crc32_context = 0;
static void platform_main_begin(void) {}
static void crc32_gentab(void) {}
static void platform_main_end(uint32_t crc, int flag) {}
static void transparent_crc(uint64_t value, char* name, int flag) {
  sum = (sum ^ value) * 0x100000001b3ull;
  sum ^= sum >> 29;
}
static void transparent_crc_bytes(char* bytes, int count, char* name, int flag) {
  for (int at = 0; at < count; at++) transparent_crc(bytes[at], name, flag);
}

#define printf(...) 0
#define strcmp(a, b) 1
#define main program
