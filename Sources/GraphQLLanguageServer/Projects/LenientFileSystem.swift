import ApolloCodegenLib

/// Files of which those that cannot be read are left out: a language server shows what there is.
/// The errors are noted for the user.
struct LenientFileSystem: FileSystem {
  private final class Failures {
    var new: [String] = []
    var known: Set<String> = []
  }

  let base: any FileSystem
  private let failures = Failures()

  init(_ base: any FileSystem) { self.base = base }

  /// Returns the errors since the last call, each of them once.
  func takeFailures() -> [String] {
    defer { failures.new = [] }
    return failures.new
  }

  private func note(_ error: DiskError) {
    let text = "\(error)"
    if failures.known.insert(text).inserted { failures.new.append(text) }
  }

  func entries(of directory: String) throws(DiskError) -> [DirectoryEntry] {
    do throws(DiskError) {
      return try base.entries(of: directory)
    } catch {
      note(error)
      return []
    }
  }

  func read(_ path: String, limit: Int) throws(DiskError) -> [UInt8] {
    do throws(DiskError) {
      return try base.read(path, limit: limit)
    } catch {
      // A file that was there a moment ago is one that was deleted.
      if base.kind(of: path, followingLinks: true) != nil { note(error) }
      return []
    }
  }

  func kind(of path: String, followingLinks: Bool) -> FileKind? {
    base.kind(of: path, followingLinks: followingLinks)
  }

  func contents(of path: String, equal bytes: [UInt8]) -> Bool {
    base.contents(of: path, equal: bytes)
  }

  func resolved(_ path: String) -> String? { base.resolved(path) }
  func stamp(of path: String) -> String? { base.stamp(of: path) }

  // MARK: Writing, which a language server leaves to the editor

  func createDirectory(_ path: String) throws(DiskError) { try base.createDirectory(path) }
  func create(_ path: String, _ bytes: [UInt8]) throws(DiskError) { try base.create(path, bytes) }
  func link(_ path: String, as name: String) throws(DiskError) { try base.link(path, as: name) }
  func move(_ path: String, to target: String) throws(DiskError) { try base.move(path, to: target) }
  func remove(_ path: String) throws(DiskError) { try base.remove(path) }
  func removeDirectory(_ path: String) throws(DiskError) { try base.removeDirectory(path) }
  func touch(_ path: String) throws(DiskError) { try base.touch(path) }
  func rewrite(_ path: String, _ bytes: [UInt8]) throws(DiskError) { try base.rewrite(path, bytes) }
  func lock(_ directory: String) throws(DiskError) -> (any FolderLock)? { try base.lock(directory) }
}
