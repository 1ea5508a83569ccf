#include "CFaultyFiles.h"
#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  int calls, countdown, code, lasts, failures;
} plan;

/// The code to fail with, or SQLITE_OK.
static int fault(int call) {
  int code = SQLITE_OK;
  pthread_mutex_lock(&lock);
  if (plan.calls & call) {
    if (plan.countdown > 0) plan.countdown -= 1;
    if (plan.countdown == 0) {
      code = plan.code;
      plan.failures += 1;
      if (!plan.lasts) plan.calls = 0;
    }
  }
  pthread_mutex_unlock(&lock);
  return code;
}

void faulty_files_fail(int calls, int number, int code, int lasts) {
  pthread_mutex_lock(&lock);
  plan.calls = calls;
  plan.countdown = number;
  plan.code = code;
  plan.lasts = lasts;
  plan.failures = 0;
  pthread_mutex_unlock(&lock);
}

int faulty_files_heal(void) {
  pthread_mutex_lock(&lock);
  plan.calls = 0;
  int failures = plan.failures;
  pthread_mutex_unlock(&lock);
  return failures;
}

/// A file that hands every call on to the real one, which lies behind it.
typedef struct {
  sqlite3_file base;
  int isFaulty;
} File;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((File *)file + 1); }

#define FAIL(file, call)                                     \
  do {                                                       \
    int code = ((File *)file)->isFaulty ? fault(call) : 0;   \
    if (code != SQLITE_OK) return code;                      \
  } while (0)

static int closeFile(sqlite3_file *f) { return real(f)->pMethods->xClose(real(f)); }
static int readFile(sqlite3_file *f, void *bytes, int count, sqlite3_int64 offset) {
  FAIL(f, FAULTY_READ);
  return real(f)->pMethods->xRead(real(f), bytes, count, offset);
}
static int writeFile(sqlite3_file *f, const void *bytes, int count, sqlite3_int64 offset) {
  FAIL(f, FAULTY_WRITE);
  return real(f)->pMethods->xWrite(real(f), bytes, count, offset);
}
static int truncateFile(sqlite3_file *f, sqlite3_int64 size) { return real(f)->pMethods->xTruncate(real(f), size); }
static int syncFile(sqlite3_file *f, int flags) {
  FAIL(f, FAULTY_SYNC);
  return real(f)->pMethods->xSync(real(f), flags);
}
static int fileSize(sqlite3_file *f, sqlite3_int64 *size) { return real(f)->pMethods->xFileSize(real(f), size); }
static int lockFile(sqlite3_file *f, int level) { return real(f)->pMethods->xLock(real(f), level); }
static int unlockFile(sqlite3_file *f, int level) { return real(f)->pMethods->xUnlock(real(f), level); }
static int isReserved(sqlite3_file *f, int *result) { return real(f)->pMethods->xCheckReservedLock(real(f), result); }
static int control(sqlite3_file *f, int op, void *argument) {
  return real(f)->pMethods->xFileControl(real(f), op, argument);
}
static int sectorSize(sqlite3_file *f) { return real(f)->pMethods->xSectorSize(real(f)); }
static int characteristics(sqlite3_file *f) { return real(f)->pMethods->xDeviceCharacteristics(real(f)); }
static int mapShared(sqlite3_file *f, int page, int size, int extend, void volatile **memory) {
  FAIL(f, FAULTY_SHARED_MEMORY);
  return real(f)->pMethods->xShmMap(real(f), page, size, extend, memory);
}
static int lockShared(sqlite3_file *f, int offset, int count, int flags) {
  return real(f)->pMethods->xShmLock(real(f), offset, count, flags);
}
static void barrier(sqlite3_file *f) { real(f)->pMethods->xShmBarrier(real(f)); }
static int unmapShared(sqlite3_file *f, int delete) { return real(f)->pMethods->xShmUnmap(real(f), delete); }

// Version 2: with shared memory, which WAL needs, and without memory-mapped reading, which would not fail.
static const sqlite3_io_methods methods = {
    2,          closeFile,  readFile,   writeFile, truncateFile, syncFile,        fileSize,  lockFile,   unlockFile,
    isReserved, control,    sectorSize, characteristics, mapShared, lockShared, barrier,   unmapShared, 0,
    0,
};

static sqlite3_vfs *original;
static sqlite3_vfs faulty;

static int isFaulty(const char *path) { return path != 0 && strstr(path, "faulty-files") != 0; }

static int openFile(sqlite3_vfs *vfs, const char *path, sqlite3_file *f, int flags, int *outFlags) {
  (void)vfs;
  File *file = (File *)f;
  file->base.pMethods = 0;
  file->isFaulty = isFaulty(path);
  FAIL(f, FAULTY_OPEN);
  int code = original->xOpen(original, path, real(f), flags, outFlags);
  if (real(f)->pMethods != 0) file->base.pMethods = &methods;
  return code;
}

static int deleteFile(sqlite3_vfs *vfs, const char *path, int syncFolder) {
  (void)vfs;
  int code = isFaulty(path) ? fault(FAULTY_DELETE) : SQLITE_OK;
  return code != SQLITE_OK ? code : original->xDelete(original, path, syncFolder);
}

static void install(void) {
  original = sqlite3_vfs_find(0);
  faulty = *original;
  faulty.pNext = 0;
  faulty.zName = "faulty";
  faulty.szOsFile = (int)sizeof(File) + original->szOsFile;
  faulty.xOpen = openFile;
  faulty.xDelete = deleteFile;
  sqlite3_vfs_register(&faulty, 1);
}

void faulty_files_install(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}
