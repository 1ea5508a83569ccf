import CSpawn
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Starts a program that inherits its standard streams, the environment given here, and nothing
/// else.
func spawn(
  _ program: String, _ arguments: [String], in folder: String?, environment: [String: String],
  streams: StandardStreams, leadsGroup: Bool
) throws -> pid_t {
  #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
  #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
  #endif
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }

  for (descriptor, handle) in [
    (0, streams.input?.fileHandleForReading),
    (1, streams.output?.fileHandleForWriting),
    (2, streams.errors?.fileHandleForWriting),
  ] as [(Int32, FileHandle?)] {
    if let handle {
      posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, descriptor)
    } else {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
  }
  if let folder { spawn_in_folder(&actions, folder) }

  let flags =
    Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK)
    | spawn_with_standard_streams_only(&actions)
    | (leadsGroup ? Int16(POSIX_SPAWN_SETPGROUP) : 0)  // the default group is a new one
  posix_spawnattr_setflags(&attributes, flags)
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  for signal in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGCHLD] { sigaddset(&signals, signal) }
  posix_spawnattr_setsigdefault(&attributes, &signals)

  var identifier: pid_t = 0
  let failure = withStrings([program] + arguments) { arguments in
    withStrings(environment.map { "\($0)=\($1)" }) { environment in
      posix_spawn(&identifier, program, &actions, &attributes, arguments, environment)
    }
  }
  try streams.closeEndsOfTheChild()
  guard failure == 0 else {
    throw SpawnFailure(program: program, reason: String(cString: strerror(failure)))
  }
  return identifier
}

struct SpawnFailure: Error {
  var program: String
  var reason: String
}

/// Blocks until the program has ended. It can be signalled until it is reaped.
func waitWithoutReaping(_ identifier: pid_t) {
  var information = siginfo_t()
  while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
}

/// The status of a program that has ended, as shells say it.
func reap(_ identifier: pid_t) -> Int32 {
  var status: Int32 = 0
  while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
  let signal = status & 0x7f
  return signal == 0 ? (status >> 8) & 0xff : 128 + signal
}

/// Calls `body` with C strings and the null that ends their list.
private func withStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { copies.forEach { free($0) } }
  return body(copies + [nil])
}
