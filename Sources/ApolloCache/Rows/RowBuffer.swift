/// The bytes of a row, in memory that is used again and again.
///
/// Behind them are ``padding`` bytes that may be read, all of them zero.
package final class RowBuffer {
  private var memory: UnsafeMutableRawPointer
  /// How many bytes there is room for.
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

  /// Takes a copy of some bytes in the place of what was there.
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

  /// The bytes. Valid while the buffer lives and is not changed.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }
}
