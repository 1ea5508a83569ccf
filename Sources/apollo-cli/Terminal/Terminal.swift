#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Standard output and standard error.
enum Terminal {
  /// `true` if standard error is a terminal with colours and a movable cursor.
  static var isInteractive: Bool { isInteractive(standardError) }

  /// Returns `true` if `descriptor` is such a terminal. Either stream can be redirected without the
  /// other.
  static func isInteractive(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && Environment.variable("NO_COLOR") == nil
      && Environment.variable("TERM") != "dumb"
  }

  static func print(_ text: String) { write(text + "\n") }

  static func error(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  /// The descriptor of standard output.
  static var standardOutput: Int32 { STDOUT_FILENO }

  /// The descriptor of standard error.
  static var standardError: Int32 { STDERR_FILENO }

  static func flush() { fflush(nil) }

  /// Reads standard input, up to a number of bytes or slightly more.
  static func standardInput(limit: Int) -> [UInt8] {
    var result: [UInt8] = []
    while result.count < limit {
      let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        count = max(0, read(STDIN_FILENO, buffer.baseAddress, 65_536))
      }
      if chunk.isEmpty { break }
      result += chunk
    }
    return result
  }

  /// Writes text. Errors only end the writing: a closed pipe is no reason to fail.
  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { buffer in
        #if canImport(Darwin)
          Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
          Musl.write(descriptor, buffer.baseAddress, buffer.count)
        #else
          Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}

func exitProcess(_ code: ExitCode) -> Never { exit(code.rawValue) }
