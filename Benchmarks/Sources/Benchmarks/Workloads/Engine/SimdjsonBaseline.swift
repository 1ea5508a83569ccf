import CSimdjson
import Foundation

extension Workload {
  /// The work of a C++ program that uses simdjson; `nil` when the library was not installed.
  static func simdjson(
    _ bytes: Data, _ decode: @escaping (OpaquePointer) -> Bool
  ) -> Workload? {
    guard let input = simdjsonInput(bytes) else { return nil }
    return Workload("C++, simdjson into structs") {
      guard decode(input) else { throw SimdjsonFailure() }
    }
  }
}

/// Returns whether the C++ program reads the contents with a digest from `bytes`; `true` when the
/// library was not installed.
func simdjsonDigestMatches(
  _ bytes: Data, _ digestOf: (OpaquePointer) -> UInt64, _ digest: UInt64
) -> Bool {
  guard let input = simdjsonInput(bytes) else { return true }
  return digestOf(input) == digest
}

private func simdjsonInput(_ bytes: Data) -> OpaquePointer? {
  guard simdjson_is_available() else { return nil }
  return bytes.withUnsafeBytes {
    simdjson_input_make($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
  }
}

/// The error for a response that the C++ program cannot read.
struct SimdjsonFailure: Error {}
