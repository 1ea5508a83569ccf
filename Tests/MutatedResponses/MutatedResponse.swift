import SeededRandom

/// The response to one numbered request: an original one, changed in ways that its number decides.
package struct MutatedResponse: Sendable {
  /// The number of the request.
  package let number: Int
  package let original: OriginalResponse
  package private(set) var bytes: [UInt8]
  /// The names of the changes, in their order.
  package private(set) var changes: [String] = []
  /// The sizes of the pieces in which the bytes are sent, without the last one.
  package private(set) var pieces: [Int] = []
  /// The server closes the connection behind the response, whatever it says.
  package private(set) var isClosedBehind = true

  package init(number: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed ^ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    self.number = number
    original = OriginalResponse(
      kind: Int.random(in: 0..<OriginalResponse.kindCount, using: &random),
      stamp: Self.stamp(number, seed))
    bytes = original.bytes
    isClosedBehind = !original.isKept || Int.random(in: 0..<3, using: &random) == 0
    let sizes = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
      Int.random(in: 1..<200, using: &random)
    }
    // One of eight stays whole, so that connections are used again.
    let count = [0, 1, 1, 1, 1, 2, 2, 4].randomElement(using: &random) ?? 1
    for _ in 0..<count { change(&random) }
    pieces = isClosedBehind || changes.isEmpty ? sizes : []
  }

  /// `true` if bytes may follow the response after the client has taken it for complete.
  ///
  /// Once the next request was sent, such bytes are its response by the rules of HTTP. The request
  /// has to have a connection that no other uses.
  package var mayHaveLateBytes: Bool {
    // The loopback interface delivers a small response as one.
    !changes.isEmpty && (!pieces.isEmpty || bytes.count > 32_000)
  }

  // MARK: Stamps

  /// A number with its checksum, such as `s00000017-1c9e0f3a`.
  package static func stamp(_ number: Int, _ seed: UInt64) -> String {
    "s\(padded(UInt32(truncatingIfNeeded: number)))-\(padded(checksum(number, seed)))"
  }

  /// The number of a stamp, unless it was damaged.
  package static func number(of stamp: Substring, _ seed: UInt64) -> Int? {
    let parts = stamp.dropFirst().split(separator: "-", omittingEmptySubsequences: false)
    guard stamp.utf8.count == 18, parts.count == 2, let number = Int(parts[0], radix: 16),
      UInt32(parts[1], radix: 16) == checksum(number, seed)
    else { return nil }
    return number
  }

  private static func checksum(_ number: Int, _ seed: UInt64) -> UInt32 {
    var random = SeededGenerator(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xA24B_AED4)
    return UInt32(truncatingIfNeeded: random.next())
  }

  private static func padded(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }

  // MARK: Changes

  /// `true` if a part of the end is missing and nothing else was changed.
  package var isOnlyCut: Bool { changes == ["cut"] }

  private mutating func change(_ random: inout SeededGenerator) {
    let range = target(&random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0...1: flip(range, &random)
    case 2:
      bytes.removeSubrange(range.lowerBound...)
      changes.append("cut")
    case 3: double(range, &random)
    case 4...5: insert(range, &random)
    case 6: remove(range, &random)
    case 7: replaceNumber(range, &random)
    case 8: swapParts(range, &random)
    default: overwrite(range, &random)
    }
  }

  /// A part of a layer, every layer with the same probability.
  private func target(_ random: inout SeededGenerator) -> Range<Int> {
    let layers = Set(original.parts.map(\.layer))
    let layer = OriginalResponse.Layer.allCases.filter(layers.contains)
      .randomElement(using: &random)
    var ranges: [Range<Int>] = []
    var start = 0
    for part in original.parts {
      if part.layer == layer { ranges.append(start..<start + part.bytes.count) }
      start += part.bytes.count
    }
    let part = (ranges.randomElement(using: &random) ?? 0..<start).clamped(to: 0..<bytes.count)
    guard !part.isEmpty else { return part }
    let first = Int.random(in: part, using: &random)
    return first..<min(part.upperBound, first + Int.random(in: 1...40, using: &random))
  }

  private mutating func flip(_ range: Range<Int>, _ random: inout SeededGenerator) {
    for index in range.prefix(Int.random(in: 1...3, using: &random)) {
      bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    changes.append("flip")
  }

  private mutating func double(_ range: Range<Int>, _ random: inout SeededGenerator) {
    let whole = Int.random(in: 0..<4, using: &random) == 0
    let part = whole ? bytes : Array(bytes[range])
    let count = [1, 1, 2, 30].randomElement(using: &random) ?? 1
    let copies = part.count > 1_000 ? 1 : count
    bytes.insert(
      contentsOf: Array(repeating: part, count: copies).joined(),
      at: whole ? bytes.count : range.upperBound)
    changes.append("double")
  }

  private static let tokens: [[UInt8]] = [
    [0], [0, 0, 0], [10], [13], [13, 10], [13, 10, 13, 10], [10, 10], [32], [9], [58], [0xFF],
    Array("Content-Length: 5\r\n".utf8), Array("Content-Length: 99999\r\n".utf8),
    Array("Transfer-Encoding: chunked\r\n".utf8), Array("Content-Encoding: gzip\r\n".utf8),
    Array("Content-Encoding: br\r\n".utf8), Array("Connection: close\r\n".utf8),
    Array("HTTP/1.1 200 OK\r\n\r\n".utf8), Array("HTTP/1.1 100 Continue\r\n\r\n".utf8),
    Array("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n".utf8),
    Array("0\r\n\r\n".utf8), Array("ffffffffffffffff\r\n".utf8), Array("-1".utf8),
    Array("Location: http://127.0.0.1:1/\r\n".utf8), Array(" folded\r\n".utf8),
    Array("WWW-Authenticate: Negotiate\r\n".utf8), Array("Trailer: X\r\n".utf8),
    Array("Alt-Svc: h2=\":1\"\r\n".utf8), Array("Set-Cookie: a\r\n".utf8),
  ]

  private mutating func insert(_ range: Range<Int>, _ random: inout SeededGenerator) {
    if Int.random(in: 0..<200, using: &random) == 0 {
      // Far beyond the limits of a head.
      let line = Array("X-Flood: 1\r\n".utf8)
      bytes.insert(
        contentsOf: Array(repeating: line, count: 10_000).joined(), at: range.lowerBound)
      changes.append("flood")
      return
    }
    let token = Self.tokens.randomElement(using: &random) ?? []
    bytes.insert(contentsOf: token, at: range.lowerBound)
    changes.append("insert")
  }

  private mutating func remove(_ range: Range<Int>, _ random: inout SeededGenerator) {
    bytes.removeSubrange(range)
    changes.append("remove")
  }

  private mutating func replaceNumber(_ range: Range<Int>, _ random: inout SeededGenerator) {
    guard let digit = bytes[range.lowerBound...].firstIndex(where: { (0x30...0x39).contains($0) })
    else { return flip(range, &random) }
    let end = bytes[digit...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
    let numbers = ["", "0", "-1", "1", "7fffffffffffffff", "18446744073709551616", "1e3", "0x10"]
    bytes.replaceSubrange(digit..<end, with: (numbers.randomElement(using: &random) ?? "").utf8)
    changes.append("number")
  }

  private mutating func swapParts(_ range: Range<Int>, _ random: inout SeededGenerator) {
    guard bytes.count > 1 else { return }
    let other = Int.random(in: bytes.indices, using: &random)
    for (offset, index) in range.enumerated() where other + offset < bytes.count {
      bytes.swapAt(index, other + offset)
    }
    changes.append("swap")
  }

  private mutating func overwrite(_ range: Range<Int>, _ random: inout SeededGenerator) {
    for index in range { bytes[index] = UInt8.random(in: .min ... .max, using: &random) }
    changes.append("overwrite")
  }
}
