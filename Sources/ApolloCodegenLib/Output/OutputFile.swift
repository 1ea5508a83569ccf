/// A file that the generator wants to exist.
package struct OutputFile: Hashable, Sendable {
  /// Whose file it is once it exists.
  package enum Ownership: Hashable, Sendable {
    /// Ours: rewritten when its bytes change, removed when it is no longer needed.
    case generator
    /// The user's: written once and never touched again.
    case user
  }

  /// How a file that exists shows that the generator wrote it.
  package enum Origin: Hashable, Sendable {
    /// Its first or second line starts with ``OutputWriter/marker``.
    case marker
    /// It has the shape of an operation manifest, which has no room for a comment.
    case operationManifest
  }

  /// Absolute and normalized.
  package var path: String
  package var contents: [UInt8]
  package var ownership: Ownership
  package var origin: Origin
  /// Where a file of the user may be instead: it is moved from there, with what the user wrote into it.
  package var formerPath: String?

  package init(
    path: String, text: String, ownership: Ownership = .generator, origin: Origin = .marker,
    formerPath: String? = nil
  ) {
    self.path = path
    self.contents = Array(text.utf8)
    self.ownership = ownership
    self.origin = origin
    self.formerPath = formerPath
  }
}

/// What a run did on disk, as sorted absolute paths.
public struct WriteSummary: Hashable, Sendable {
  /// Files that are new or have other bytes than before.
  public internal(set) var written: [String] = []
  /// Files of earlier runs that are no longer generated.
  public internal(set) var removed: [String] = []
  /// How many files were left as they were.
  public internal(set) var unchangedCount = 0
}

/// Why nothing was written.
package enum WriteError: Error, Hashable, Sendable, CustomStringConvertible {
  case disk(DiskError)
  /// A file that we did not write is where a generated file must go; `others` more are in the way too.
  ///
  /// If `isGenerated`, the file says that a generator has made it, such as that of Apollo iOS.
  case foreignFile(String, isGenerated: Bool = false, others: Int = 0)
  /// The file would land outside the folder that was configured for it.
  case outside(path: String, folder: String)
  case locked(String)
  /// Writing failed, and then so did putting back what these files held.
  case notRestored(DiskError, paths: [String])

  package var description: String {
    switch self {
    case .disk(let error): "\(error) Nothing was changed. \(error.advice)"
    case .foreignFile(let path, let isGenerated, let others):
      "'\(path)' was not written by apollo-cli, so it is not overwritten"
        + (others > 0
          ? ", and so \(others == 1 ? "is 1 more file" : "are \(others) more files"). " : ". ")
        + (isGenerated
          ? "Another generator made it, perhaps that of Apollo iOS: remove what that has made, once, and run again."
          : "Move \(others > 0 ? "them" : "it") away, or change the output path.")
    case .outside(let path, let folder):
      "'\(path)' is outside the output folder '\(folder)', or a symbolic link leads out of it. "
        + "Nothing was written."
    case .locked(let folder):
      "Another generator is writing to '\(folder)'. Wait until it has finished, then run again."
    case .notRestored(let error, let paths):
      "\(error) \(error.advice) These files could not be put back: "
        + "\(paths.map { "'\($0)'" }.joined(separator: ", ")). Generating again completes them."
    }
  }
}
