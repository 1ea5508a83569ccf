#define _GNU_SOURCE
#include "CSpawn.h"

int spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

short spawn_with_standard_streams_only(posix_spawn_file_actions_t *actions) {
#ifdef __APPLE__
  (void)actions;
  return POSIX_SPAWN_CLOEXEC_DEFAULT;
#else
  posix_spawn_file_actions_addclosefrom_np(actions, 3);
  return 0;
#endif
}
