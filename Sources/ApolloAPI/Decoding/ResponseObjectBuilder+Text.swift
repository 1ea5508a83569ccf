extension ResponseObjectBuilder {
  /// Sets a leaf to a text in memory, without making a `String` first where possible.
  ///
  /// Most texts are short and ASCII, or enum values.
  /// - Parameters:
  ///   - index: The index of the field in the layout.
  ///   - text: The text in UTF-8, which is repaired where it is invalid. Sixteen bytes must be
  ///     readable after it.
  /// - Returns: `false` if the field cannot hold a text.
  package mutating func set(_ index: Int, text: UnsafeRawBufferPointer) -> Bool {
    let field = field(index)
    switch field.pointee.slotType.kind {
    case .string, .id, .text:
      prepare(index).initializeSlot(as: String??.self, to: String(paddedBytes: text))
      didSet(index)
      return true
    case .enumeration:
      guard
        let slot = field.pointee.slotType.cases?._withUnsafeGuaranteedRef({ $0.slot(named: text) })
      else {
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
  /// Creates a string from UTF-8, which is repaired where it is invalid. Sixteen bytes must be
  /// readable after it.
  package init(paddedBytes bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, StringBits.areUnderstood else {
      self.init(decoding: bytes, as: UTF8.self)
      return
    }
    let first = start.assumingMemoryBound(to: UInt8.self)
    if bytes.count <= 15 {
      // Bytes after the text are masked out.
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
    // The check looks at whole characters: the next byte must not seem to complete the last one.
    if bytes.count > 15, first[bytes.count] < 0x80, UTF8Validation.isValid(text) {
      self = StringBits.longString(text)
    } else {
      self.init(decoding: bytes, as: UTF8.self)
    }
  }
}
