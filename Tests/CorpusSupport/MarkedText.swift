/// A text with markers (`1️⃣`, `2️⃣`, …), each of which names the position after it.
///
/// ```swift
/// let text = MarkedText("{ 1️⃣nmae }")
/// text.text           // "{ nmae }"
/// text.marker(at: 2)  // "1️⃣"
/// ```
package struct MarkedText: ExpressibleByStringLiteral, Sendable {
  /// The text without the markers.
  package private(set) var text = ""
  /// The byte offset in `text` of each marker.
  package private(set) var offsets: [Character: UInt32] = [:]

  package init(_ marked: String) {
    for character in marked {
      // A marker is a digit inside a keycap.
      if character.unicodeScalars.contains("\u{20E3}") {
        offsets[character] = UInt32(text.utf8.count)
      } else {
        text.append(character)
      }
    }
  }

  package init(stringLiteral value: String) {
    self.init(value)
  }

  /// All markers, in order.
  package var markers: [String] { offsets.keys.sorted().map(String.init) }

  /// Returns the marker of `offset`, or a description of an offset without a marker.
  package func marker(at offset: UInt32?) -> String {
    guard let offset else { return "nowhere" }
    let marker = offsets.filter { $0.value == offset }.keys.min()
    return marker.map(String.init) ?? "offset \(offset)"
  }
}
