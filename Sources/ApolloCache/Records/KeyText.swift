/// Where the text of one key after the other is written.
package final class KeyText {
  // Unsafe, because an array of bytes would check and count at each step of a key, and there is one
  // for each object of a response. The memory is allocated here and freed in `deinit`.
  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 1)
  private var count = 0

  package init() {}

  deinit {
    memory.deallocate()
  }

  /// The text that was written last. Valid until the next one.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Writes a whole key.
  func write(_ key: String) {
    count = 0
    append(key)
  }

  /// Writes `group:id`.
  func write(_ group: String, id: String) {
    count = 0
    append(group)
    reserve(1)
    memory[count] = UInt8(ascii: ":")
    count += 1
    append(id)
  }

  private func append(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      reserve(utf8.count)
      UnsafeMutableRawBufferPointer(rebasing: memory[count...])
        .copyMemory(from: UnsafeRawBufferPointer(utf8))
      count += utf8.count
    }
  }

  /// Makes room for more bytes.
  private func reserve(_ more: Int) {
    guard memory.count - count < more else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: 2 * memory.count + more, alignment: 1)
    larger.copyMemory(from: bytes)
    memory.deallocate()
    memory = larger
  }
}
