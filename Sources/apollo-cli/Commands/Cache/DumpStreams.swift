#if DeveloperCommands
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The streams of a dump, of which no part may be missing unnoticed.
  extension Terminal {
    /// Writes text to standard output.
    ///
    /// - Throws: ``CommandFailure`` if not all of it can be written.
    static func writeAll(_ text: String) throws(CommandFailure) {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { buffer in
          #if canImport(Darwin)
            Darwin.write(STDOUT_FILENO, buffer.baseAddress, buffer.count)
          #elseif canImport(Musl)
            Musl.write(STDOUT_FILENO, buffer.baseAddress, buffer.count)
          #else
            Glibc.write(STDOUT_FILENO, buffer.baseAddress, buffer.count)
          #endif
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          throw CommandFailure(
            "Standard output cannot be written: \(String(cString: strerror(errno))).")
        }
        rest = rest.dropFirst(count)
      }
    }

    /// Reads standard input to its end.
    ///
    /// - Throws: ``CommandFailure`` if that fails, or if there are more bytes than `limit`.
    static func wholeInput(limit: Int) throws(CommandFailure) -> [UInt8] {
      var result: [UInt8] = []
      while true {
        var (count, failure): (Int, Int32) = (0, 0)
        result += [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, size in
          count = read(STDIN_FILENO, buffer.baseAddress, 65_536)
          failure = errno
          size = max(0, count)
        }
        if count == 0 { return result }
        if count < 0, failure != EINTR {
          throw CommandFailure(
            "Standard input cannot be read: \(String(cString: strerror(failure))).")
        }
        guard result.count <= limit else {
          throw CommandFailure("Standard input has more than \(limit >> 30) GiB.")
        }
      }
    }
  }
#endif
