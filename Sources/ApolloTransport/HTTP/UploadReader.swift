import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads a body from its beginning to its end, once. One file is open at a time.
///
/// Reading blocks for as long as the disk takes. Not `Sendable`: a reader has one user.
final class UploadReader {
  private let body: UploadBody
  private var index = 0
  /// The number of bytes of the current piece that have been read.
  private var offset = 0
  private var file: OpenFile?
  /// The number of bytes of all pieces that have been read.
  private var readByteCount = 0
  private let progress: UploadProgressReporter?

  init(_ body: UploadBody, progress: UploadProgressReporter? = nil) {
    self.body = body
    self.progress = progress
  }

  /// Fills a buffer, or as much of it as the body has left. Returns the number of bytes.
  ///
  /// A file that has changed fails before its last bytes are returned: the body stays incomplete,
  /// so the server cannot take it for a whole one.
  ///
  /// - Throws: ``GraphQLHTTPRequestError`` with the code `unreadableFile` or `changedFile`. The
  ///   reader is of no use then.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(GraphQLHTTPRequestError) -> Int {
    var count = 0
    while count < buffer.count, index < body.pieces.count {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let (read, isEnd) =
        switch body.pieces[index] {
        case .bytes(let bytes): copy(bytes, to: room)
        case .file(let file): try read(file, to: room)
        }
      count += read
      offset += read
      if isEnd { advance() }
    }
    readByteCount += count
    progress?.note(readByteCount, of: body.byteCount)
    return count
  }

  private func advance() {
    index += 1
    offset = 0
    file = nil
  }

  private func copy(_ bytes: Data, to buffer: UnsafeMutableRawBufferPointer) -> (Int, isEnd: Bool) {
    let rest = bytes.dropFirst(offset).prefix(buffer.count)
    rest.copyBytes(to: buffer)
    return (rest.count, offset + rest.count == bytes.count)
  }

  private func read(
    _ piece: UploadBody.File, to buffer: UnsafeMutableRawBufferPointer
  ) throws(GraphQLHTTPRequestError) -> (Int, isEnd: Bool) {
    if file == nil { file = try OpenFile(piece) }
    guard let open = file else { preconditionFailure("The file was just opened.") }
    let room = UnsafeMutableRawBufferPointer(
      rebasing: buffer.prefix(piece.byteCount - offset))
    let count = room.isEmpty ? 0 : try open.read(to: room)
    let isEnd = offset + count == piece.byteCount
    if isEnd { try open.checkThatNothingChanged() }
    return (count, isEnd)
  }
}

/// A file that is open for reading, and its state at that moment.
final class OpenFile {
  private let descriptor: Int32
  private let piece: UploadBody.File
  private let status: stat

  /// - Throws: ``GraphQLHTTPRequestError`` if there is no such file, or it has another size.
  init(_ piece: UploadBody.File) throws(GraphQLHTTPRequestError) {
    self.piece = piece
    (descriptor, status) = try Self.open(piece.url, name: piece.name)
    // After `descriptor` is set, `deinit` closes it.
    try Self.check(piece, Int64(status.st_size), isSame: true)
  }

  deinit { close(descriptor) }

  /// The current size of a file that can be read.
  static func byteCount(at url: URL, name: String) throws(GraphQLHTTPRequestError) -> Int {
    let (descriptor, status) = try open(url, name: name)
    close(descriptor)
    guard let byteCount = Int(exactly: status.st_size) else {
      throw .unreadableFile(name: name, reason: "It is too large for this platform.")
    }
    return byteCount
  }

  /// Opens a file. Other things, such as a pipe, have no size, and opening one may wait for ever.
  private static func open(
    _ url: URL, name: String
  ) throws(GraphQLHTTPRequestError) -> (Int32, stat) {
    let descriptor = url.withUnsafeFileSystemRepresentation { path -> Int32 in
      guard let path else {
        errno = ENOENT
        return -1
      }
      #if canImport(Darwin)
        return Darwin.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      #elseif canImport(Glibc)
        return Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      #else
        return Musl.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      #endif
    }
    guard descriptor >= 0 else { throw .unreadableFile(name: name, reason: lastError()) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      defer { close(descriptor) }
      throw .unreadableFile(name: name, reason: lastError())
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .unreadableFile(name: name, reason: "It is not a regular file.")
    }
    return (descriptor, status)
  }

  /// Reads the next bytes: at least one.
  func read(
    to buffer: UnsafeMutableRawBufferPointer
  ) throws(GraphQLHTTPRequestError) -> Int {
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Glibc)
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count > 0 { return count }
      if count == 0 {
        try checkThatNothingChanged()
        throw .changedFile(name: piece.name, reason: "its end came too early")
      }
      guard errno == EINTR else {
        throw .unreadableFile(name: piece.name, reason: Self.lastError())
      }
    }
  }

  /// Compares the file's size and time of modification with those when it was opened.
  ///
  /// A file that was removed is still there for those who have opened it.
  func checkThatNothingChanged() throws(GraphQLHTTPRequestError) {
    var now = stat()
    guard fstat(descriptor, &now) == 0 else {
      throw .unreadableFile(name: piece.name, reason: Self.lastError())
    }
    #if canImport(Darwin)
      let (time, was) = (now.st_mtimespec, status.st_mtimespec)
    #else
      let (time, was) = (now.st_mtim, status.st_mtim)
    #endif
    try Self.check(piece, Int64(now.st_size), isSame: Self.areEqual(time, was))
  }

  /// Compares bytes: the compiler attributes the members to another C module in release builds than
  /// in debug builds.
  private static func areEqual(_ lhs: timespec, _ rhs: timespec) -> Bool {
    withUnsafeBytes(of: lhs) { lhs in withUnsafeBytes(of: rhs) { lhs.elementsEqual($0) } }
  }

  private static func check(
    _ piece: UploadBody.File, _ byteCount: Int64, isSame: Bool
  ) throws(GraphQLHTTPRequestError) {
    guard byteCount == piece.byteCount else {
      throw .changedFile(
        name: piece.name, reason: "it had \(piece.byteCount) bytes and now has \(byteCount)")
    }
    if !isSame {
      throw .changedFile(name: piece.name, reason: "it was written to")
    }
  }

  private static func lastError() -> String { String(cString: strerror(errno)) + "." }
}
