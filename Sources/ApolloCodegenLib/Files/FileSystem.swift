/// The few ways in which the generator changes files: each is one call that happens or fails, so that tests can make each fail.
package protocol FileSystem {
  /// Creates one directory, which must not exist.
  func createDirectory(_ path: String) throws(DiskError)
  /// Creates a file that must not exist. What fails may leave a part of it.
  func create(_ path: String, _ bytes: [UInt8]) throws(DiskError)
  /// Gives a file a second name, which must not exist.
  func link(_ path: String, as name: String) throws(DiskError)
  /// Gives a file another name, and takes that name from what had it.
  func move(_ path: String, to target: String) throws(DiskError)
  /// Removes a file.
  func remove(_ path: String) throws(DiskError)
  /// Removes a directory, which must be empty.
  func removeDirectory(_ path: String) throws(DiskError)
}

extension FileSystem {
  /// Creates a directory and those that it is in, where they are missing. Tells of each that it has created, the outermost first.
  package func createDirectories(
    _ path: String, created: (String) -> Void = { _ in }
  ) throws(DiskError) {
    if Disk.kind(of: path, followingLinks: true) == .directory { return }
    let parent = Path.parent(of: path)
    if parent != path { try createDirectories(parent, created: created) }
    do {
      try createDirectory(path)
      created(path)
    } catch {
      // Somebody else may have made it in the meantime.
      guard Disk.kind(of: path, followingLinks: true) == .directory else { throw error }
    }
  }
}

/// The file system of this computer.
package struct SystemFiles: FileSystem {
  package init() {}

  package func createDirectory(_ path: String) throws(DiskError) { try Disk.createDirectory(path) }
  package func create(_ path: String, _ bytes: [UInt8]) throws(DiskError) {
    try Disk.create(path, bytes)
  }
  package func link(_ path: String, as name: String) throws(DiskError) {
    try Disk.link(path, as: name)
  }
  package func move(_ path: String, to target: String) throws(DiskError) {
    try Disk.move(path, to: target)
  }
  package func remove(_ path: String) throws(DiskError) { try Disk.remove(path) }
  package func removeDirectory(_ path: String) throws(DiskError) { try Disk.removeDirectory(path) }
}
