import CMemoryUse
import Foundation

/// The resources that this process has at a moment.
struct ProcessUsage {
  var residentByteCount: Int
  /// The bytes that the allocator has handed out, or 0 where it cannot be asked.
  var heapByteCount: Int
  var descriptorCount: Int
  var threadCount: Int

  /// Reads them from `/proc`.
  static func current() throws -> ProcessUsage {
    let files = FileManager.default
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      .split(separator: " ").compactMap { Int($0) }
    return ProcessUsage(
      residentByteCount: pages[1] * Int(sysconf(Int32(_SC_PAGESIZE))),
      heapByteCount: allocated_byte_count(),
      // Without the one that lists them.
      descriptorCount: try files.contentsOfDirectory(atPath: "/proc/self/fd").count - 1,
      threadCount: try files.contentsOfDirectory(atPath: "/proc/self/task").count)
  }
}
