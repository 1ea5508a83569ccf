// A file system for SQLite that fails on command. It is in C because SQLite needs tables of C functions.
#pragma once

/// The calls that can fail.
enum FaultyCall {
  FAULTY_OPEN = 1,
  FAULTY_READ = 2,
  FAULTY_WRITE = 4,
  FAULTY_SYNC = 8,
  FAULTY_SHARED_MEMORY = 16,
  FAULTY_DELETE = 32,
};

/// Puts itself between SQLite and the files of this process. Files whose path does not contain `faulty-files` never fail.
void faulty_files_install(void);

/// From now on, the call with this number fails with an SQLite code, counting calls of the given kinds from 1; with
/// `lasts`, all after it fail as well.
void faulty_files_fail(int calls, int number, int code, int lasts);

/// Nothing fails any more. Returns how many calls have failed.
int faulty_files_heal(void);
