import ApolloCodegenLib

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file system in memory, without links.
// Because each test creates its own and uses it on one thread.
final class MemoryFileSystem: FileSystem, @unchecked Sendable {
  /// The files and their contents by absolute path.
  private(set) var files: [String: [UInt8]] = [:]
  private var directories: Set<String> = ["/"]
  private var lockedFolders: Set<String> = []
  /// The number of changes to each file or directory, for stamps.
  private var versions: [String: Int] = [:]

  /// `true` if paths that differ in letter case alone lead to the same file, as on most Macs.
  private let ignoresCase: Bool

  init(_ texts: [String: String], ignoringCase ignoresCase: Bool = false) {
    self.ignoresCase = ignoresCase
    for (path, text) in texts {
      var directory = Path.parent(of: path)
      while directories.insert(directory).inserted { directory = Path.parent(of: directory) }
      files[path] = Array(text.utf8)
    }
  }

  func text(of path: String) -> String? { files[path].map { String(decoding: $0, as: UTF8.self) } }

  /// Returns the path of a file as the file system spells it.
  private func spelled(_ path: String) -> String {
    guard ignoresCase, files[path] == nil else { return path }
    return files.keys.first { $0.lowercased() == path.lowercased() } ?? path
  }

  private func change(_ path: String) {
    versions[path, default: 0] += 1
    versions[Path.parent(of: path), default: 0] += 1
  }

  private func requireAbsence(of path: String, _ action: String) throws(DiskError) {
    guard kind(of: path) == nil else {
      throw DiskError(action: action, path: path, code: EEXIST)
    }
    guard directories.contains(Path.parent(of: path)) else {
      throw DiskError(action: action, path: path, code: ENOENT)
    }
  }

  // MARK: Reading

  func kind(of path: String, followingLinks: Bool) -> FileKind? {
    files[spelled(path)] != nil ? .file : directories.contains(path) ? .directory : nil
  }

  func read(_ path: String, limit: Int) throws(DiskError) -> [UInt8] {
    guard let bytes = files[spelled(path)] else {
      throw DiskError(action: "read", path: path, code: ENOENT)
    }
    return bytes
  }

  func entries(of directory: String) throws(DiskError) -> [DirectoryEntry] {
    let members = (Array(files.keys) + directories).filter {
      $0 != "/" && Path.parent(of: $0) == directory
    }
    return members.sorted().map { path in
      DirectoryEntry(name: Path.name(of: path), kind: files[path] != nil ? .file : .directory)
    }
  }

  func resolved(_ path: String) -> String? { kind(of: path) == nil ? nil : path }

  func stamp(of path: String) -> String? {
    kind(of: path) == nil ? nil : "\(versions[path, default: 0])"
  }

  // MARK: Writing

  func createDirectory(_ path: String) throws(DiskError) {
    try requireAbsence(of: path, "create the folder")
    directories.insert(path)
    change(path)
  }

  func create(_ path: String, _ bytes: [UInt8]) throws(DiskError) {
    try requireAbsence(of: path, "write")
    files[path] = bytes
    change(path)
  }

  func link(_ path: String, as name: String) throws(DiskError) {
    try create(name, try read(path))
  }

  func move(_ path: String, to target: String) throws(DiskError) {
    let bytes = try read(path)
    try remove(path)
    files[spelled(target)] = nil
    files[target] = bytes
    change(target)
  }

  func remove(_ path: String) throws(DiskError) {
    guard files.removeValue(forKey: spelled(path)) != nil else {
      throw DiskError(action: "remove", path: path, code: ENOENT)
    }
    change(path)
  }

  func removeDirectory(_ path: String) throws(DiskError) {
    guard try entries(of: path).isEmpty, directories.remove(path) != nil else {
      throw DiskError(action: "remove the folder", path: path, code: ENOTEMPTY)
    }
    change(path)
  }

  func touch(_ path: String) throws(DiskError) {
    _ = try read(path)
    change(path)
  }

  func rewrite(_ path: String, _ bytes: [UInt8]) throws(DiskError) {
    _ = try read(path)
    files[path] = bytes
    change(path)
  }

  // MARK: Locking

  private final class Lock: FolderLock {
    private let release: () -> Void

    init(release: @escaping () -> Void) { self.release = release }

    deinit { release() }
  }

  func lock(_ directory: String) throws(DiskError) -> (any FolderLock)? {
    guard lockedFolders.insert(directory).inserted else { return nil }
    return Lock { self.lockedFolders.remove(directory) }
  }
}
