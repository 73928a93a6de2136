#include "locate.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRIPT "client-worker.cjs"

static bool join(char *path, const char *folder, size_t length, const char *name) {
  int written = snprintf(path, PATH_MAX, "%.*s/%s", (int)length, folder, name);
  return written > 0 && written < PATH_MAX;
}

static bool is_program(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISREG(found.st_mode) && access(path, X_OK) == 0;
}

/* As a shell finds a command. */
static bool find_on_path(const char *name, char *path) {
  const char *folders = getenv("PATH");
  for (const char *at = folders; at != NULL; at = *at == 0 ? NULL : at + 1) {
    size_t length = strcspn(at, ":");
    if (join(path, length == 0 ? "." : at, length == 0 ? 1 : length, name) && is_program(path)) return true;
    at += length;
    if (*at == 0) break;
  }
  return false;
}

static bool find_node(char *path, char *why, size_t room) {
  const char *wanted = getenv("PTXRUN_NODE");
  bool asked = wanted != NULL && *wanted != 0;
  const char *name = asked ? wanted : "node";
  if (strchr(name, '/') == NULL) {
    if (find_on_path(name, path)) return true;
  } else if (strlen(name) < PATH_MAX && is_program(name)) {
    strcpy(path, name);
    return true;
  }
  if (asked)
    snprintf(why, room, "PTXRUN_NODE is %s, and no program is there", name);
  else
    snprintf(why, room, "no program node is on the PATH; PTXRUN_NODE says where Node.js 20.19 or newer is");
  return false;
}

static bool is_script(char *path) { return access(path, R_OK) == 0; }

static bool find_script(char *path, char *why, size_t room) {
  const char *home = getenv("PTXRUN_HOME");
  if (home != NULL && *home != 0) {
    if (join(path, home, strlen(home), "dist/" SCRIPT) && is_script(path)) return true;
    snprintf(why, room, "PTXRUN_HOME is %s, and no dist/" SCRIPT " is there: it names the package's folder", home);
    return false;
  }
  Dl_info self;
  static const char anchor = 0;
  char file[PATH_MAX];
  /* The library may be loaded by a link to it. */
  if (dladdr(&anchor, &self) != 0 && self.dli_fname != NULL && realpath(self.dli_fname, file) != NULL) {
    size_t folder = (size_t)(strrchr(file, '/') - file);
    static const char *const beside[] = {"../../dist/" SCRIPT, "../dist/" SCRIPT, SCRIPT};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
      if (join(path, file, folder, beside[i]) && is_script(path)) return true;
  }
  snprintf(why, room, "no dist/" SCRIPT " is near the library; PTXRUN_HOME says where the folder of the package is");
  return false;
}

/* The worker runs elsewhere. Links stay: some programs look at the name by which they are called. */
static bool make_absolute(char *path, char *why, size_t room) {
  char folder[PATH_MAX], whole[PATH_MAX];
  if (*path == '/') return true;
  if (getcwd(folder, sizeof folder) != NULL && join(whole, folder, strlen(folder), path)) {
    strcpy(path, whole);
    return true;
  }
  snprintf(why, room, "%s is named from a folder that cannot be found", path);
  return false;
}

bool find_places(struct places *places, char *why, size_t room) {
  return find_node(places->node, why, room) && find_script(places->script, why, room) &&
         make_absolute(places->node, why, room) && make_absolute(places->script, why, room);
}
