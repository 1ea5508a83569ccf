/// A reusable buffer for the text of a key.
package final class KeyText {
  // Unsafe because an array of bytes would check bounds and ownership at each step of a key, and
  // each object of a response has one. The memory is allocated here and freed in `deinit`.
  private var memory = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 1)
  private var capacity = 256
  private var count = 0

  package init() {}

  deinit {
    memory.deallocate()
  }

  /// The text that was written last. Valid until the next write.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  /// Writes a whole key.
  func write(_ key: String) {
    count = 0
    append(key)
  }

  /// Writes `group:id`.
  func write(_ group: String, id: String) {
    count = 0
    append(group)
    reserve(1).storeBytes(of: UInt8(ascii: ":"), as: UInt8.self)
    append(id)
  }

  @inline(__always)
  private func append(_ text: String) {
    // Nearly every string is contiguous and needs no copy.
    guard text.utf8.withContiguousStorageIfAvailable({ append($0) }) == nil else { return }
    var text = text
    text.withUTF8 { append($0) }
  }

  @inline(__always)
  private func append(_ utf8: UnsafeBufferPointer<UInt8>) {
    guard let start = utf8.baseAddress else { return }
    reserve(utf8.count).copyMemory(from: start, byteCount: utf8.count)
  }

  /// Makes room for more bytes and returns their address.
  @inline(__always)
  private func reserve(_ more: Int) -> UnsafeMutableRawPointer {
    if capacity &- count < more { enlarge(more) }
    defer { count &+= more }
    return memory + count
  }

  @inline(never)
  private func enlarge(_ more: Int) {
    capacity = 2 * capacity + more
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    larger.copyMemory(from: memory, byteCount: count)
    memory.deallocate()
    memory = larger
  }
}
