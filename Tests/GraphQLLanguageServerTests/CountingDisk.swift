import ApolloCodegenLib

/// The real file system, which counts the files that are read.
final class CountingDisk: FileSystem {
  private(set) var readCount = 0

  func read(_ path: String, limit: Int) throws(DiskError) -> [UInt8] {
    readCount += 1
    return try Disk().read(path, limit: limit)
  }

  func kind(of path: String, followingLinks: Bool) -> FileKind? {
    Disk().kind(of: path, followingLinks: followingLinks)
  }

  func entries(of directory: String) throws(DiskError) -> [DirectoryEntry] {
    try Disk().entries(of: directory)
  }

  func resolved(_ path: String) -> String? { Disk().resolved(path) }
  func stamp(of path: String) -> String? { Disk().stamp(of: path) }

  func lock(_ directory: String) throws(DiskError) -> (any FolderLock)? {
    try Disk().lock(directory)
  }

  // MARK: Writing, which a language server does not do

  func createDirectory(_ path: String) throws(DiskError) { try Disk().createDirectory(path) }
  func create(_ path: String, _ bytes: [UInt8]) throws(DiskError) { try Disk().create(path, bytes) }
  func link(_ path: String, as name: String) throws(DiskError) { try Disk().link(path, as: name) }
  func move(_ path: String, to target: String) throws(DiskError) {
    try Disk().move(path, to: target)
  }
  func remove(_ path: String) throws(DiskError) { try Disk().remove(path) }
  func removeDirectory(_ path: String) throws(DiskError) { try Disk().removeDirectory(path) }
  func touch(_ path: String) throws(DiskError) { try Disk().touch(path) }
  func rewrite(_ path: String, _ bytes: [UInt8]) throws(DiskError) {
    try Disk().rewrite(path, bytes)
  }
}
