// Runs a program without its output and prints what it took: nanoseconds, bytes of memory at most, its exit code,
// nanoseconds of the processor, those of its children included, and those of them in the user's mode.
//
//   process-meter PROGRAM ARGUMENT…
//
// A program of its own, because a child's peak counts from the memory of the process that it was forked from.
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pid_t child = fork();
  if (child < 0) return 2;
  if (child == 0) {
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) < 0) return 2;
  clock_gettime(CLOCK_MONOTONIC, &end);
  long long elapsed =
      (end.tv_sec - start.tv_sec) * 1000000000LL + (end.tv_nsec - start.tv_nsec);
#ifdef __APPLE__
  long long peak = usage.ru_maxrss;
#else
  long long peak = usage.ru_maxrss * 1024LL;
#endif
  long long processor =
      (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000LL +
      (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000LL;
  long long user = usage.ru_utime.tv_sec * 1000000000LL + usage.ru_utime.tv_usec * 1000LL;
  printf("%lld %lld %d %lld %lld\n", elapsed, peak, WIFEXITED(status) ? WEXITSTATUS(status) : 128,
         processor, user);
  return 0;
}
