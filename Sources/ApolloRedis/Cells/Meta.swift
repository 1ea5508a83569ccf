/// The state of one partition: its epoch, which changes when it is cleared, and the number of
/// writes.
///
/// The text is `<epoch>:<version>|<epoch>:<version>`, twice the same, so that a damaged one is
/// noticed. The digits of the epoch are hexadecimal, those of the version decimal.
struct Meta: Hashable, Sendable {
  var epoch: String
  var version: UInt64

  /// The state of a partition that was never written.
  static let empty = Meta(epoch: "", version: 0)

  /// Reads the text. Anything that is not a state counts as none.
  ///
  /// ``WriteScript`` reads it by the same rules. No write would succeed over a text that is a state
  /// for one of both only.
  init(_ bytes: [UInt8]?) {
    self = .empty
    guard let bytes else { return }
    let halves = String(decoding: bytes, as: UTF8.self).split(
      separator: "|", omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0] == halves[1] else { return }
    let parts = halves[0].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(\.isHexadecimalDigit),
      parts[1].utf8.allSatisfy(\.isDigit), let version = UInt64(parts[1]),
      version < Self.firstUncountable
    else { return }
    self = Meta(epoch: String(parts[0]), version: version)
  }

  init(epoch: String, version: UInt64) {
    self.epoch = epoch
    self.version = version
  }

  /// The first version that the script cannot count, because its numbers are floating-point.
  static let firstUncountable: UInt64 = 1 << 53

  /// Returns whether a response with this state is older than what is known by now.
  ///
  /// A version below the one that was known when the request was sent is news: the server has lost
  /// its state, or another one has taken its place.
  ///
  /// - Parameters:
  ///   - known: The state that is known when the response arrives.
  ///   - before: The state that was known when the request was sent.
  /// - Returns: Whether another response has overtaken this one.
  func isOvertaken(by known: Meta, since before: Meta) -> Bool {
    guard version >= before.version else { return false }
    return version < known.version || (epoch == before.epoch && epoch != known.epoch)
  }

  /// Returns an epoch that was never used.
  static func newEpoch() -> String {
    String(UInt64.random(in: 1 << 60 ... .max), radix: 16)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isHexadecimalDigit: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}
