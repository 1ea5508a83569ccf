/// A reusable copy of the bytes of a row.
///
/// They are followed by ``padding`` zero bytes, which may be read.
package final class RowBuffer {
  private var memory: UnsafeMutableRawPointer
  /// The number of bytes that fit without new memory.
  private(set) var capacity: Int
  private var count = 0

  package static let padding = 16

  package init() {
    capacity = 1_024
    memory = .allocate(byteCount: capacity + Self.padding, alignment: 16)
    pad()
  }

  deinit {
    memory.deallocate()
  }

  /// Replaces the contents by a copy of `bytes`.
  package func replace(with bytes: UnsafeRawBufferPointer) {
    if bytes.count > capacity {
      memory.deallocate()
      capacity = max(bytes.count, capacity * 2)
      memory = .allocate(byteCount: capacity + Self.padding, alignment: 16)
    }
    if let start = bytes.baseAddress { memory.copyMemory(from: start, byteCount: bytes.count) }
    count = bytes.count
    pad()
  }

  private func pad() {
    (memory + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
  }

  /// The bytes. Valid while the buffer lives and is unchanged.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }
}
