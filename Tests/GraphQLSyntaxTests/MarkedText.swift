/// A text with fingers (1️⃣ to 9️⃣) in it that point at places.
struct MarkedText: ExpressibleByStringLiteral {
  /// The text without the fingers.
  private(set) var text = ""
  /// The byte offset of each finger, by its number.
  private(set) var offsets: [Int: UInt32] = [:]

  init(stringLiteral value: String) {
    for character in value {
      if let number = character.finger {
        offsets[number] = UInt32(text.utf8.count)
      } else {
        text.append(character)
      }
    }
  }

  /// The number of the finger that points at `offset`.
  func finger(at offset: UInt32?) -> Int? {
    offsets.first { $0.value == offset }?.key
  }
}

extension Character {
  /// The number on it, if it is a digit in a keycap.
  fileprivate var finger: Int? {
    let scalars = Array(unicodeScalars)
    guard scalars.count == 3, scalars[2] == "\u{20E3}" else { return nil }
    return Int(String(scalars[0]))
  }
}
