/* This process's children, as Linux lists them. */
#ifndef CHILDREN_H
#define CHILDREN_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* The first child whose state is one of `states` ("" for any but Z), 0 without one; `count` is how many there are. */
static inline pid_t find_child(const char *states, int *count) {
  pid_t found = 0;
  *count = 0;
  DIR *processes = opendir("/proc");
  for (struct dirent *entry; processes != NULL && (entry = readdir(processes)) != NULL;) {
    char path[300], state;
    int process, parent;
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
    FILE *file = fopen(path, "re");
    if (file == NULL) continue;
    int read = fscanf(file, "%d (%*[^)]) %c %d", &process, &state, &parent);
    fclose(file);
    if (read != 3 || parent != (int)getpid()) continue;
    int wanted = 0;
    for (const char *each = states; *each != 0; each++) wanted |= *each == state;
    if (*states == 0 ? state == 'Z' : !wanted) continue;
    if (found == 0) found = (pid_t)process;
    ++*count;
  }
  if (processes != NULL) closedir(processes);
  return found;
}

/* Threads of a process: while one of them still dies, what it has open is open. */
static inline int threads_of(pid_t process) {
  char path[100];
  int count = 0;
  snprintf(path, sizeof path, "/proc/%d/task", (int)process);
  DIR *threads = opendir(path);
  for (struct dirent *entry; threads != NULL && (entry = readdir(threads)) != NULL;) count += entry->d_name[0] != '.';
  if (threads != NULL) closedir(threads);
  return count;
}

/* The worker: the only child that lives, where the program has no other. 0 without one. */
static inline pid_t worker_process(void) {
  int count;
  return find_child("", &count);
}

static inline int zombies(void) {
  int count;
  find_child("Z", &count);
  return count;
}

#endif
