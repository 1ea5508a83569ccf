/// The tokens of JSON text that is known to be valid, without making values of them.
///
/// Positions stay within the text whatever it contains, so that text which is not valid makes wrong
/// tokens and no traps.
struct JSONText {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the position of the first byte from `position` on that is not white space.
  func skippingSpace(from position: Int) -> Int {
    var position = position
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    return position
  }

  /// Returns the position after the string that begins at `position`.
  func endOfString(at position: Int) -> Int {
    var position = position + 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(position + 1, bytes.count)
  }

  /// Returns the position after the value that begins at `position`.
  func endOfValue(at position: Int) -> Int {
    var position = position
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position = endOfString(at: position)
        if depth == 0 { return position }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth <= 1 { return depth == 1 ? position + 1 : position }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: return position
      case let byte where depth == 0 && Self.isSpace(byte): return position
      default: break
      }
      position += 1
    }
    return position
  }

  /// Returns the positions of the elements of the list that begins at `position`.
  func elements(at position: Int) -> [Int] {
    var positions: [Int] = []
    guard position < bytes.count, bytes[position] == UInt8(ascii: "[") else { return [] }
    var next = skippingSpace(from: position + 1)
    while next < bytes.count, bytes[next] != UInt8(ascii: "]") {
      let end = endOfValue(at: next)
      guard end > next else { break }
      positions.append(next)
      next = skippingSpace(from: end)
      if next < bytes.count, bytes[next] == UInt8(ascii: ",") {
        next = skippingSpace(from: next + 1)
      }
    }
    return positions
  }

  /// Returns the values of the members of the object that begins at `start` by their keys.
  ///
  /// Keys are taken as they are written, since those of a recording have no escapes.
  func members(at start: Int = 0) -> [String: ArraySlice<UInt8>] {
    var members: [String: ArraySlice<UInt8>] = [:]
    var position = skippingSpace(from: start) + 1
    while true {
      position = skippingSpace(from: position)
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return members }
      let keyEnd = endOfString(at: position)
      let key = String(
        decoding: bytes[(position + 1)..<max(position + 1, keyEnd - 1)], as: UTF8.self)
      let start = skippingSpace(from: min(skippingSpace(from: keyEnd) + 1, bytes.count))
      let end = endOfValue(at: start)
      members[key] = bytes[start..<end]
      position = skippingSpace(from: end) + 1
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
