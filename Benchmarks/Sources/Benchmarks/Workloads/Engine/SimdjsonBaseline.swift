import CSimdjson
import Foundation

extension Workload {
  /// The work of a C++ program that uses simdjson; `nil` when the library was not installed.
  static func simdjson(
    _ bytes: Data, _ decode: @escaping (OpaquePointer) -> Bool
  ) -> Workload? {
    guard simdjson_is_available() else { return nil }
    let input = bytes.withUnsafeBytes {
      simdjson_input_make($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    guard let input else { return nil }
    return Workload("C++, simdjson into structs") {
      guard decode(input) else { throw SimdjsonFailure() }
    }
  }
}

/// The error for a response that the C++ program cannot read.
struct SimdjsonFailure: Error {}
