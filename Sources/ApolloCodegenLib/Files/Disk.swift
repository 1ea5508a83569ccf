public import protocol Foundation.LocalizedError

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A failure of the file system: the action, the path, and the system's error code.
public struct DiskError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The action that failed, such as "write".
  public var action: String
  /// The file or folder.
  public var path: String
  /// The `errno` of the system.
  public var code: Int32

  package init(action: String, path: String, code: Int32) {
    self.action = action
    self.path = path
    self.code = code
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The failure as one sentence.
  public var description: String {
    "Cannot \(action) '\(path)': \(String(cString: strerror(code)))."
  }

  /// The way to fix the failure, as a sentence.
  package var advice: String {
    switch code {
    case ENOSPC, EDQUOT: "Free some space there, then run again."
    case EACCES, EPERM: "Permit writing there, or change the output path."
    case EROFS: "Choose an output path on a disk that can be written to."
    case ENOTDIR, EISDIR, EEXIST, ENOTEMPTY: "Move away the file or folder in its place."
    default: "Fix that, then run again."
    }
  }

  /// Creates the failure that the last system call left in `errno`.
  static func last(_ action: String, _ path: String) -> DiskError {
    DiskError(action: action, path: path, code: errno)
  }
}

/// The file system of this computer.
///
/// It calls POSIX directly. That avoids the start-up cost of Foundation, and determines exactly
/// which calls follow symbolic links.
package struct Disk: FileSystem {
  package init() {}

  package static var currentDirectory: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  // MARK: - Looking

  package func kind(of path: String, followingLinks: Bool) -> FileKind? {
    var status = stat()
    let result = followingLinks ? stat(path, &status) : lstat(path, &status)
    return result == 0 ? Self.kind(ofMode: status.st_mode) : nil
  }

  package func stamp(of path: String) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let (time, change) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (time, change) = (status.st_mtim, status.st_ctim)
    #endif
    // Programs can set the modification time (`mtime`), but not the change time (`ctime`).
    return "\(status.st_size)-\(time.tv_sec).\(time.tv_nsec)-\(change.tv_sec).\(change.tv_nsec)"
      + "-\(status.st_ino)"
  }

  private static func kind(ofMode mode: mode_t) -> FileKind {
    switch mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .directory
    case S_IFLNK: .symbolicLink
    default: .other
    }
  }

  package func entries(of directory: String) throws(DiskError) -> [DirectoryEntry] {
    guard let stream = opendir(directory) else { throw .last("read the folder", directory) }
    defer { closedir(stream) }
    var result: [DirectoryEntry] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        // Because `d_name` is a C string inside a fixed buffer, which Swift imports as a tuple.
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      let kind: FileKind? =
        switch Int(entry.pointee.d_type) {
        case Int(DT_REG): .file
        case Int(DT_DIR): .directory
        case Int(DT_LNK): .symbolicLink
        case Int(DT_UNKNOWN): kind(of: "\(directory)/\(name)")
        default: .other
        }
      if let kind { result.append(DirectoryEntry(name: name, kind: kind)) }
    }
    return result.sorted { $0.name < $1.name }
  }

  package func resolved(_ path: String) -> String? {
    guard let result = realpath(path, nil) else { return nil }
    defer { free(result) }
    return String(cString: result)
  }

  // MARK: - Reading

  package func read(_ path: String, limit: Int) throws(DiskError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("read", path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last("read", path) }
    guard Self.kind(ofMode: status.st_mode) != .directory else {
      throw DiskError(action: "read", path: path, code: EISDIR)
    }
    guard status.st_size <= limit else {
      throw DiskError(action: "read", path: path, code: EFBIG)
    }
    var bytes: [UInt8] = []
    var failed = false
    // One byte more than expected: a file of the expected size then takes one call to read and one
    // to detect its end.
    var room = Int(status.st_size) + 1
    while true {
      let count = bytes.count
      let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
        let got = Self.read(descriptor, buffer.baseAddress, room)
        failed = got < 0
        initialized = max(got, 0)
      }
      if failed { throw .last("read", path) }
      if chunk.isEmpty { return bytes }
      if count == 0 { bytes = chunk } else { bytes += chunk }
      guard bytes.count <= limit else {
        throw DiskError(action: "read", path: path, code: EFBIG)
      }
      room = 65_536
      if bytes.count == Int(status.st_size), Self.kind(ofMode: status.st_mode) == .file {
        return bytes
      }
    }
  }

  /// Calls `read(2)`, again if a signal interrupts it.
  private static func read(
    _ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int
  ) -> Int {
    while true {
      #if canImport(Darwin)
        let got = Darwin.read(descriptor, buffer, count)
      #elseif canImport(Musl)
        let got = Musl.read(descriptor, buffer, count)
      #else
        let got = Glibc.read(descriptor, buffer, count)
      #endif
      if got >= 0 || errno != EINTR { return got }
    }
  }

  package func contents(of path: String, equal bytes: [UInt8]) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, Self.kind(ofMode: status.st_mode) == .file,
      Int(status.st_size) == bytes.count
    else { return false }
    // A file that cannot be read counts as different. The attempt to write it reports the reason.
    return (try? read(path)) == bytes
  }

  // MARK: - Changing

  /// The number of this process, which is in the names of the files of a transaction.
  package static var processIdentifier: Int32 { getpid() }

  /// Returns the path of a file that does not exist, in the folder of `path`.
  ///
  /// The name is random. In containers, a process often has the number of an earlier one, whose
  /// file remains if it was killed.
  static func temporaryPath(beside path: String) -> String {
    "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
  }

  /// Suspends the thread for some milliseconds.
  static func pause() { usleep(20_000) }

  package func create(_ path: String, _ bytes: [UInt8]) throws(DiskError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw .last("write", path) }
    if let failure = Self.write(bytes, to: descriptor) {
      unlink(path)
      throw DiskError(action: "write", path: path, code: failure)
    }
  }

  /// Writes bytes, and closes the descriptor.
  ///
  /// - Returns: The code of the first error, or `nil` if there is none.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var failure: Int32?
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty, failure == nil {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        #if canImport(Darwin)
          let count = Darwin.write(descriptor, part.baseAddress, part.count)
        #elseif canImport(Musl)
          let count = Musl.write(descriptor, part.baseAddress, part.count)
        #else
          let count = Glibc.write(descriptor, part.baseAddress, part.count)
        #endif
        if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { failure = errno }
      }
    }
    if close(descriptor) != 0, failure == nil { failure = errno }
    return failure
  }

  package func move(_ path: String, to target: String) throws(DiskError) {
    guard rename(path, target) == 0 else { throw .last("write", target) }
  }

  package func remove(_ path: String) throws(DiskError) {
    guard unlink(path) == 0 else { throw .last("remove", path) }
  }

  package func removeDirectory(_ path: String) throws(DiskError) {
    guard rmdir(path) == 0 else { throw .last("remove the folder", path) }
  }

  package func link(_ path: String, as name: String) throws(DiskError) {
    guard linkat(AT_FDCWD, path, AT_FDCWD, name, 0) == 0 else { throw .last("link", path) }
  }

  package func createDirectory(_ path: String) throws(DiskError) {
    guard mkdir(path, 0o777) == 0 else { throw .last("create the folder", path) }
  }

  // MARK: - Locking

  /// A lock on a directory against other generators. It ends with the object or with the process.
  package final class Lock: FolderLock {
    /// The descriptor of the directory, which is opened for this lock.
    package let descriptor: Int32

    /// Locks a directory.
    ///
    /// - Returns: `nil` if another lock is held.
    package init?(directory: String) throws(DiskError) {
      let opened = open(directory, O_RDONLY | O_CLOEXEC)
      guard opened >= 0 else { throw .last("open the folder", directory) }
      guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
        let code = errno
        close(opened)
        if code == EWOULDBLOCK { return nil }
        throw DiskError(action: "lock the folder", path: directory, code: code)
      }
      descriptor = opened
    }

    deinit {
      // Closing is not enough. A process that another thread has just forked has a copy of every
      // descriptor until it executes its program, and with it the lock.
      _ = flock(descriptor, LOCK_UN)
      close(descriptor)
    }
  }

  package func lock(_ directory: String) throws(DiskError) -> (any FolderLock)? {
    try Lock(directory: directory)
  }
}

extension Disk {
  package func touch(_ path: String) throws(DiskError) {
    guard utimes(path, nil) == 0 else { throw .last("change the time of", path) }
  }

  /// Writes a new file beside the old one and renames it. Writes to a device or a pipe directly.
  package func rewrite(_ path: String, _ bytes: [UInt8]) throws(DiskError) {
    let target = resolved(path) ?? path
    var status = stat()
    guard stat(target, &status) == 0, access(target, W_OK) == 0 else { throw .last("write", path) }
    if Self.kind(ofMode: status.st_mode) == .other {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .last("write", path) }
      guard let failure = Self.write(bytes, to: descriptor) else { return }
      throw DiskError(action: "write", path: path, code: failure)
    }
    let temporary = Self.temporaryPath(beside: target)
    try create(temporary, bytes)
    do throws(DiskError) {
      guard chmod(temporary, status.st_mode & 0o7777) == 0 else {
        throw DiskError.last("write", path)
      }
      try move(temporary, to: target)
    } catch {
      unlink(temporary)
      throw error
    }
  }
}
