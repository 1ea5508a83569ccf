#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Standard output and standard error.
///
/// Results go to standard output, and everything else to standard error or, for people only, to
/// ``status(_:)``.
enum Terminal {
  /// The choices of the command line that concern all output.
  struct Style: Sendable {
    var color = ColorChoice.auto
    /// `true` if only errors, warnings and results are printed.
    var isQuiet = false
  }

  @TaskLocal static var style = Style()

  /// `true` if standard error is a terminal with a movable cursor.
  static var isInteractive: Bool { isInteractive(standardError) }

  private static func isInteractive(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && Environment.variable("TERM") != "dumb"
  }

  /// Returns `true` if output to `descriptor` is colored. Either stream can be redirected without
  /// the other.
  static func isColored(_ descriptor: Int32) -> Bool {
    switch style.color {
    case .auto: isInteractive(descriptor) && (Environment.variable("NO_COLOR") ?? "").isEmpty
    case .always: true
    case .never: false
    }
  }

  // MARK: - Messages

  /// Prints a result.
  static func print(_ text: String) { write(text + "\n") }

  /// Prints a remark about the work to standard output, unless `--quiet` is given.
  static func status(_ text: String) {
    if !style.isQuiet { print(text) }
  }

  /// Prints a line to standard error.
  static func error(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  /// Prints a remark about the work to standard error, unless `--quiet` is given.
  static func note(_ text: String) {
    if !style.isQuiet { error(text) }
  }

  /// Prints a failure: `error: …`.
  static func failure(_ message: String) {
    error("\(painted("error:", .error, on: standardError)) \(message)")
  }

  /// Prints a warning: `warning: …`.
  static func warning(_ message: String) {
    error("\(painted("warning:", .warning, on: standardError)) \(message)")
  }

  // MARK: - Colors

  /// The ANSI codes of the roles that a text can have.
  enum Paint: String {
    case heading = "1"
    case error = "1;31"
    case warning = "1;35"
    case added = "32"
    case removed = "31"
  }

  /// Returns `text` with color codes, if output to `descriptor` is colored.
  static func painted(_ text: String, _ paint: Paint, on descriptor: Int32 = STDOUT_FILENO)
    -> String
  {
    isColored(descriptor) ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }

  // MARK: - Streams

  /// The descriptor of standard output.
  static var standardOutput: Int32 { STDOUT_FILENO }

  /// The descriptor of standard error.
  static var standardError: Int32 { STDERR_FILENO }

  static func flush() { fflush(nil) }

  /// Reads standard input to its end, or until there are `limit` bytes or slightly more.
  ///
  /// - Throws: ``CommandFailure`` if it cannot be read.
  static func standardInput(limit: Int) throws(CommandFailure) -> [UInt8] {
    var result: [UInt8] = []
    while result.count < limit {
      let chunk = try nextInput(limit: 65_536)
      if chunk.isEmpty { break }
      result += chunk
    }
    return result
  }

  /// Waits for standard input, and reads what there is, up to `limit` bytes; nothing at its end.
  ///
  /// - Throws: ``CommandFailure`` if it cannot be read.
  static func nextInput(limit: Int = 1 << 20) throws(CommandFailure) -> [UInt8] {
    while true {
      var (count, code): (Int, Int32) = (0, 0)
      let chunk = [UInt8](unsafeUninitializedCapacity: limit) { buffer, size in
        count = read(STDIN_FILENO, buffer.baseAddress, limit)
        code = errno
        size = max(0, count)
      }
      if count >= 0 { return chunk }
      if code == EAGAIN {
        // The other end shares a descriptor that does not block.
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, -1)
      } else if code != EINTR {
        throw CommandFailure("Standard input cannot be read: \(String(cString: strerror(code))).")
      }
    }
  }

  /// `true` if reading standard input would not wait: there is input, or its end.
  static var hasInput: Bool {
    var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  /// Asks a question, and reads one line of standard input. Everything but `y` and `yes` is no.
  static func confirms(_ question: String) -> Bool {
    write(question)
    let answer = readLine()?.lowercased() ?? ""
    return ["y", "yes"].contains(answer)
  }

  /// The failure of the command if a part of its output is lost, for example because the disk is
  /// full; otherwise `nil`.
  static var outputFailure: CommandFailure? { outputErrors.first.map { failure(ofWriting: $0) } }

  /// Returns the failure for an error code of a write to standard output.
  static func failure(ofWriting code: Int32) -> CommandFailure {
    CommandFailure(
      "Standard output cannot be written: \(String(cString: strerror(code))). "
        + "The result is incomplete.")
  }

  private static let outputErrors = OutputErrors()

  /// Writes text. An error ends the writing; one of standard output also becomes the
  /// ``outputFailure``, unless the stream is closed: a pipe without a reader is no reason to fail.
  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    write(bytes: Array(text.utf8), to: descriptor)
  }

  /// Writes bytes, as ``write(_:to:)`` does.
  static func write(bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO) {
    guard let code = errorOfWriting(bytes, to: descriptor) else { return }
    if descriptor == STDOUT_FILENO, code != EPIPE, code != EBADF { outputErrors.record(code) }
  }

  /// Writes bytes.
  ///
  /// - Returns: The code of the error that has ended the writing, or `nil` if there was none.
  static func errorOfWriting(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
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
      let code = errno
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if code == EAGAIN {
        // A part of a message would break the stream of a language server.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      } else if code != EINTR {
        return code
      }
    }
    return nil
  }
}

func exitProcess(_ code: ExitCode) -> Never { exit(code.rawValue) }
