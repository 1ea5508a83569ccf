extension ResponseObjectBuilder {
  /// Sets a leaf to the text that lies in memory, without making a value of it on the way.
  ///
  /// Most texts are short and ASCII, or enum values.
  /// - Parameters:
  ///   - index: of the field in the layout.
  ///   - text: what should be UTF-8; where it is not, it is repaired. Sixteen bytes must be readable behind it.
  /// - Returns: false where the field cannot hold a text.
  package mutating func set(_ index: Int, text: UnsafeRawBufferPointer) -> Bool {
    let field = field(index)
    switch field.pointee.slotType.kind {
    case .string, .id, .text:
      prepare(index).initializeSlot(as: String??.self, to: String(paddedBytes: text))
      didSet(index)
      return true
    case .enumeration:
      guard let slot = field.pointee.slotType.cases?._withUnsafeGuaranteedRef({ $0.slot(named: text) }) else {
        return set(index, .string(String(paddedBytes: text)))
      }
      prepare(index).initializeMemory(as: Slot.self, to: slot)
      didSet(index)
      return true
    default: return set(index, .string(String(paddedBytes: text)))
    }
  }
}

extension String {
  /// A string of bytes that should be UTF-8; where they are not, they are repaired. Sixteen bytes must be readable behind them.
  package init(paddedBytes bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, StringBits.areUnderstood else {
      self.init(decoding: bytes, as: UTF8.self)
      return
    }
    let first = start.assumingMemoryBound(to: UInt8.self)
    if bytes.count <= 15 {
      // What follows the text is cut off.
      let low = loadWord(first), high = loadWord(first + 8)
      let own: (UInt64, UInt64) =
        bytes.count < 8
        ? (low & ~(~0 << UInt64(bytes.count * 8)), 0)
        : (low, high & ~(~0 << UInt64(bytes.count * 8 - 64)))
      if (own.0 | own.1) & Bytes.all(0x80) == 0 {
        self = StringBits.shortString(own.0, own.1, count: bytes.count)
        return
      }
    }
    let text = UnsafeBufferPointer(start: first, count: bytes.count)
    // The check looks at whole characters: what follows must not seem to complete the last one.
    if bytes.count > 15, first[bytes.count] < 0x80, UTF8Validation.isValid(text) {
      self = StringBits.longString(text)
    } else {
      self.init(decoding: bytes, as: UTF8.self)
    }
  }
}
