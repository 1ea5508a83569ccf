#if DeveloperCommands
  /// The streams of a dump, of which no part may be missing unnoticed.
  extension Terminal {
    /// Writes text to standard output.
    ///
    /// - Throws: ``CommandFailure`` if not all of it can be written.
    static func writeAll(_ text: String) throws(CommandFailure) {
      if let code = errorOfWriting(Array(text.utf8), to: standardOutput) {
        throw failure(ofWriting: code)
      }
    }

    /// Reads standard input to its end.
    ///
    /// - Throws: ``CommandFailure`` if that fails, or if there are more bytes than `limit`.
    static func wholeInput(limit: Int) throws(CommandFailure) -> [UInt8] {
      let bytes = try standardInput(limit: limit + 1)
      guard bytes.count <= limit else {
        throw CommandFailure("Standard input has more than \(limit >> 30) GiB.")
      }
      return bytes
    }
  }
#endif
