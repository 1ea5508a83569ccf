/// The access of the generator to files.
///
/// Each function is one action that succeeds or fails as a whole, so that tests can make each of
/// them fail. ``Disk`` is the file system of this computer.
package protocol FileSystem {
  // MARK: Reading

  /// Returns the kind of the file at `path`, or `nil` if there is none.
  ///
  /// A symbolic link is reported as such, unless links are followed.
  func kind(of path: String, followingLinks: Bool) -> FileKind?
  /// Returns the bytes of a file.
  ///
  /// - Throws: ``DiskError``, also if there are more than `limit` bytes.
  func read(_ path: String, limit: Int) throws(DiskError) -> [UInt8]
  /// Returns `true` if `path` is a regular file, not a link, with exactly these bytes.
  func contents(of path: String, equal bytes: [UInt8]) -> Bool
  /// Returns the members of a directory, sorted by name.
  func entries(of directory: String) throws(DiskError) -> [DirectoryEntry]
  /// Returns the path without symbolic links, `.` and `..`, or `nil` if it does not exist.
  func resolved(_ path: String) -> String?
  /// Returns a text that changes with the contents of a file or the entries of a folder, or `nil`
  /// if there is none. Links are not followed.
  func stamp(of path: String) -> String?

  // MARK: Writing

  /// Creates one directory, which must not exist.
  func createDirectory(_ path: String) throws(DiskError)
  /// Creates a file, which must not exist. A failed call may leave a part of it.
  func create(_ path: String, _ bytes: [UInt8]) throws(DiskError)
  /// Gives a file a second name, which must not exist. A symbolic link is not followed.
  func link(_ path: String, as name: String) throws(DiskError)
  /// Renames a file, and replaces any file at `target`.
  func move(_ path: String, to target: String) throws(DiskError)
  /// Removes a file.
  func remove(_ path: String) throws(DiskError)
  /// Removes a directory, which must be empty.
  func removeDirectory(_ path: String) throws(DiskError)
  /// Sets the time of a file's last change to now.
  func touch(_ path: String) throws(DiskError)
  /// Replaces the contents of a file of the user. Its permissions do not change, and a symbolic
  /// link is followed and stays one. A device or a pipe stays in place as well.
  func rewrite(_ path: String, _ bytes: [UInt8]) throws(DiskError)

  // MARK: Locking

  /// Locks a directory against other generators.
  ///
  /// - Returns: The lock, which is held as long as it exists; `nil` if another generator holds one.
  func lock(_ directory: String) throws(DiskError) -> (any FolderLock)?
}

/// The kind of a member of a file system.
package enum FileKind: Hashable, Sendable {
  case file
  case directory
  case symbolicLink
  case other
}

/// A member of a directory.
package struct DirectoryEntry: Hashable, Sendable {
  package var name: String
  package var kind: FileKind

  package init(name: String, kind: FileKind) {
    self.name = name
    self.kind = kind
  }
}

/// A locked directory. The lock ends with the object.
///
/// A protocol because file systems in memory, for tests, have locks of their own.
package protocol FolderLock: AnyObject {}

// MARK: - Compositions

extension FileSystem {
  package func kind(of path: String) -> FileKind? { kind(of: path, followingLinks: false) }

  package func read(_ path: String) throws(DiskError) -> [UInt8] { try read(path, limit: .max) }

  package func contents(of path: String, equal bytes: [UInt8]) -> Bool {
    // A file that cannot be read counts as different. The attempt to write it reports the reason.
    kind(of: path) == .file && (try? read(path)) == bytes
  }

  /// Creates a directory and its missing parents. Reports each that it creates, the outermost
  /// first.
  package func createDirectories(
    _ path: String, created: (String) -> Void = { _ in }
  ) throws(DiskError) {
    if kind(of: path, followingLinks: true) == .directory { return }
    let parent = Path.parent(of: path)
    if parent != path { try createDirectories(parent, created: created) }
    do {
      try createDirectory(path)
      created(path)
    } catch {
      // Another process may have created it in the meantime.
      guard kind(of: path, followingLinks: true) == .directory else { throw error }
    }
  }

  /// Writes a file of the user: puts a new one in place, or rewrites the one that exists. A link
  /// that leads nowhere is replaced.
  package func save(_ path: String, _ bytes: [UInt8]) throws(DiskError) {
    if kind(of: path, followingLinks: true) == nil {
      try replace(path, bytes)
    } else {
      try rewrite(path, bytes)
    }
  }

  /// Rewrites a file of the user, if it still has the contents that were read.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - bytes: The new contents. A file that has them already is not written.
  ///   - former: The contents that were read.
  /// - Returns: `false` if the file has other contents by now. It stays as it is then.
  /// - Throws: ``DiskError`` if the file cannot be read or written.
  package func rewrite(
    _ path: String, _ bytes: [UInt8], ifStill former: ArraySlice<UInt8>
  ) throws(DiskError) -> Bool {
    let current = try read(path)
    guard current != bytes else { return true }
    guard current.elementsEqual(former) else { return false }
    try rewrite(path, bytes)
    return true
  }

  /// Puts a complete file in place, by writing it beside the target and renaming it. Creates
  /// missing folders.
  package func replace(_ path: String, _ bytes: [UInt8]) throws(DiskError) {
    try createDirectories(Path.parent(of: path))
    let temporary = Disk.temporaryPath(beside: path)
    try create(temporary, bytes)
    do {
      try move(temporary, to: path)
    } catch {
      // The failure to move is the one to report. A temporary file that stays is harmless.
      try? remove(temporary)
      throw error
    }
  }
}
