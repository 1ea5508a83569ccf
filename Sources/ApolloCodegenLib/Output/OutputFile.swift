/// A file that the generator is to write.
package struct OutputFile: Hashable, Sendable {
  /// The owner of a file once it exists.
  package enum Ownership: Hashable, Sendable {
    /// The generator, which rewrites the file when its bytes change, and removes it when it is no
    /// longer needed.
    case generator
    /// The user. The file is written once and never changed again.
    case user
  }

  /// The evidence that an existing file was written by the generator.
  package enum Origin: Hashable, Sendable {
    /// The first or second line starts with ``GeneratedFile/marker``.
    case marker
    /// The file has the form of an operation manifest, in which no comment is possible.
    case operationManifest
  }

  /// The absolute and normalized path.
  package var path: String
  package var contents: [UInt8]
  package var ownership: Ownership
  package var origin: Origin
  /// The paths that a file of the user had under other options, the likeliest first. It is moved
  /// from the first that exists, with its contents.
  package var formerPaths: [String]

  package init(
    path: String, text: String, ownership: Ownership = .generator, origin: Origin = .marker,
    formerPaths: [String] = []
  ) {
    self.init(
      path: path, contents: Array(text.utf8), ownership: ownership, origin: origin,
      formerPaths: formerPaths)
  }

  package init(
    path: String, contents: [UInt8], ownership: Ownership = .generator, origin: Origin = .marker,
    formerPaths: [String] = []
  ) {
    self.path = path
    self.contents = contents
    self.ownership = ownership
    self.origin = origin
    self.formerPaths = formerPaths
  }
}

/// The changes of a run, as sorted absolute paths.
public struct WriteSummary: Hashable, Sendable {
  /// Files that are new or have changed.
  public internal(set) var written: [String] = []
  /// Files of earlier runs that are no longer generated.
  public internal(set) var removed: [String] = []
  /// The number of files that did not change.
  public internal(set) var unchangedCount = 0
}
