/// Finds frames in bytes that arrive in pieces of any size.
///
/// | state | bytes | next state | event |
/// | :-- | :-- | :-- | :-- |
/// | `header` | too few for a header | `header` | none |
/// | `header` | a header | `payload` | `.header` |
/// | `payload` | a part of the payload | `payload` | `.payload` |
/// | `payload` | the last part, which may be empty | `header` | `.payload`, `.end` |
struct FrameParser {
  enum Event {
    case header(FrameHeader)
    /// A part of the payload, which is not empty and was unmasked in place.
    case payload(UnsafeRawBufferPointer)
    /// The end of the frame.
    case end
  }

  private enum State {
    /// The first bytes of a header that is incomplete.
    case header
    case payload(left: Int)
  }

  private let rules: FrameRules
  private var state = State.header
  private var partialHeader: [UInt8] = []
  private var maskingKey: MaskingKey?

  init(rules: FrameRules) {
    self.rules = rules
    partialHeader.reserveCapacity(FrameHeader.maximumByteCount)
  }

  /// Takes bytes from the front of `input` and returns the next event, or `nil` if it needs more.
  mutating func next(
    _ input: inout UnsafeMutableRawBufferPointer.SubSequence
  ) throws(ProtocolViolation) -> Event? {
    switch state {
    case .header:
      guard let header = try header(&input) else { return nil }
      maskingKey = header.maskingKey
      state = .payload(left: header.payloadByteCount)
      return .header(header)
    case .payload(left: 0):
      state = .header
      return .end
    case .payload(let left):
      guard !input.isEmpty else { return nil }
      let part = UnsafeMutableRawBufferPointer(rebasing: input.prefix(left))
      input = input.dropFirst(part.count)
      if let maskingKey {
        maskingKey.apply(to: part)
        self.maskingKey = maskingKey.advanced(by: part.count)
      }
      state = .payload(left: left - part.count)
      return .payload(UnsafeRawBufferPointer(part))
    }
  }

  private mutating func header(
    _ input: inout UnsafeMutableRawBufferPointer.SubSequence
  ) throws(ProtocolViolation) -> FrameHeader? {
    guard partialHeader.isEmpty else { return try restOfHeader(&input) }
    let bytes = UnsafeRawBufferPointer(rebasing: input)
    guard let (header, byteCount) = try rules.header(in: bytes) else {
      partialHeader.append(contentsOf: bytes)
      input = input.dropFirst(bytes.count)
      return nil
    }
    input = input.dropFirst(byteCount)
    return header
  }

  private mutating func restOfHeader(
    _ input: inout UnsafeMutableRawBufferPointer.SubSequence
  ) throws(ProtocolViolation) -> FrameHeader? {
    let oldCount = partialHeader.count
    partialHeader.append(
      contentsOf: input.prefix(FrameHeader.maximumByteCount - partialHeader.count))
    let found = partialHeader.withUnsafeBytes { bytes in
      Result { () throws(ProtocolViolation) in try rules.header(in: bytes) }
    }
    guard let (header, byteCount) = try found.get() else {
      input = input.dropFirst(partialHeader.count - oldCount)
      return nil
    }
    input = input.dropFirst(byteCount - oldCount)
    partialHeader.removeAll(keepingCapacity: true)
    return header
  }
}
