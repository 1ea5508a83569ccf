// The parts of posix_spawn that Swift does not see: Linux hides them behind _GNU_SOURCE, and Apple has others.
#pragma once

#include <spawn.h>

/// Lets the child start in `folder`.
int spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder);

/// Lets the child inherit no descriptor but the three standard ones. To be called after all other actions were added;
/// returns the flag that the attributes need besides.
short spawn_with_standard_streams_only(posix_spawn_file_actions_t *actions);
