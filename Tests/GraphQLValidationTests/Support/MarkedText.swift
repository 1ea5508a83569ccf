import Testing

/// A text with fingers pointing at places: `1️⃣`, `2️⃣`, … stand before what they mean.
struct MarkedText {
  /// The text without the markers.
  private(set) var text = ""
  private var offsets: [Character: Int] = [:]

  init(_ marked: String) {
    for character in marked {
      if Self.markers.contains(character) {
        offsets[character] = text.utf8.count
      } else {
        text.append(character)
      }
    }
  }

  private static let markers: Set<Character> = ["1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣", "9️⃣"]

  /// The marker at a byte offset, or the offset itself where there is none.
  func marker(at offset: UInt32?) -> String {
    guard let offset else { return "nowhere" }
    let marker = offsets.filter { $0.value == Int(offset) }.keys.sorted().first
    return marker.map(String.init) ?? "offset \(offset)"
  }
}
