import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The identity of a process for others that use the same file.
struct ProcessIdentity: Sendable {
  let number: Int64
  /// The space of numbers to which this one belongs. On Linux, each container has one of its own.
  let space: String

  static let current = ProcessIdentity(
    number: Int64(getpid()),
    // There is no such file elsewhere.
    space: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? "")
}
