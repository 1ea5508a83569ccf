internal import Foundation
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Lines that are kept for later: in memory, and from some size on in a temporary file, which has
/// no name and ends with the spool.
struct LineSpool {
  private var bytes: [UInt8] = []
  private var file: FileHandle?
  private let memoryLimit: Int

  /// Creates an empty spool.
  ///
  /// - Parameter memoryLimit: The number of bytes in memory from which on they go to the file.
  init(memoryLimit: Int = 16 << 20) { self.memoryLimit = memoryLimit }

  private static let newline = UInt8(ascii: "\n")

  /// Adds a line, which contains no line break.
  ///
  /// - Throws: ``InspectionError`` if there is no temporary file, and the errors of writing.
  mutating func append(_ line: String) throws {
    bytes += line.utf8
    bytes.append(Self.newline)
    guard bytes.count >= memoryLimit else { return }
    let file = try file ?? Self.temporaryFile()
    self.file = file
    try file.write(contentsOf: bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Calls `body` with each line, in order.
  ///
  /// - Throws: The errors of reading and of `body`.
  func forEach(_ body: (String) throws -> Void) throws {
    /// The beginning of a line that the next part continues.
    var rest: [UInt8] = []
    func split(_ part: some Sequence<UInt8>) throws {
      rest += part
      var start = 0
      while let end = rest[start...].firstIndex(of: Self.newline) {
        try body(String(decoding: rest[start..<end], as: UTF8.self))
        start = end + 1
      }
      rest.removeFirst(start)
    }
    if let file {
      try file.seek(toOffset: 0)
      while let part = try file.read(upToCount: 1 << 20), !part.isEmpty { try split(part) }
      _ = try file.seekToEnd()
    }
    try split(bytes)
  }

  /// Creates a file that only this process can reach: it has no name any more.
  private static func temporaryFile() throws(InspectionError) -> FileHandle {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("apollo-cli-\(UUID().uuidString)").path
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw InspectionError(
        "A temporary file '\(path)' cannot be made: \(String(cString: strerror(errno))). Set TMPDIR "
          + "to a folder that can be written to.")
    }
    unlink(path)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
