internal import ApolloAPI

/// A set of keys that may seem to contain others (a Bloom filter with two bits for each key).
///
/// It lies in the page itself, so that asking a thousand of them reads memory in one direction. A
/// page of 50 items seems to have one key in thirty that it does not have.
struct KeyFilter: Sendable {
  private var bits: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)

  mutating func insert(_ key: RecordKey) {
    set(key.identity.hash)
    set(key.identity.hash >> 20)
  }

  func mayContain(_ hash: UInt64) -> Bool { isSet(hash) && isSet(hash >> 20) }

  private mutating func set(_ hash: UInt64) {
    let bit: UInt64 = 1 << (hash & 63)
    switch hash >> 6 & 7 {
    case 0: bits.0 |= bit
    case 1: bits.1 |= bit
    case 2: bits.2 |= bit
    case 3: bits.3 |= bit
    case 4: bits.4 |= bit
    case 5: bits.5 |= bit
    case 6: bits.6 |= bit
    default: bits.7 |= bit
    }
  }

  private func isSet(_ hash: UInt64) -> Bool {
    let word: UInt64 =
      switch hash >> 6 & 7 {
      case 0: bits.0
      case 1: bits.1
      case 2: bits.2
      case 3: bits.3
      case 4: bits.4
      case 5: bits.5
      case 6: bits.6
      default: bits.7
      }
    return word & (1 << (hash & 63)) != 0
  }
}
