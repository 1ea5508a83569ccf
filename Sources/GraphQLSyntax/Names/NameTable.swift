/// Maps the spellings of names to dense ``Symbol``s and back.
///
/// A table is a value that grows by appending: a symbol stays valid in every later state of the
/// table that made it. A schema keeps the table its documents made, and the operations that use it
/// continue from a copy.
///
/// Lookup is a hash table with open addressing whose slots hold half of the hash next to the
/// symbol, so that almost every probe that does not match ends without reading the name.
public struct NameTable: Sendable {
  /// The UTF-8 of all names, one after the other, and fifteen bytes more at least, so that two words
  /// can be read anywhere.
  private var text: [UInt8] = Array(repeating: 0, count: 2048)
  /// Where each name starts in `text`, and where the last one ends.
  private var starts: [UInt32] = [0]
  /// Power of two many; `tag << 32 | symbol + 1`, or zero when empty.
  private var slots: [UInt64]

  private static let padding = 15
  private static let standard = NameTable(wellKnown: wellKnownSpellings)

  /// A table of the language's own names.
  public init() {
    self = .standard
  }

  private init(wellKnown spellings: [StaticString]) {
    slots = Array(repeating: 0, count: 256)
    for spelling in spellings {
      intern(spelling.description)
    }
  }

  /// How many names the table holds: one more than the greatest symbol's index.
  public var count: Int { starts.count - 1 }
}

extension NameTable {
  /// The symbol for `spelling`, which is added if it is new.
  ///
  /// - Complexity: O(length of the name), amortized.
  @discardableResult
  public mutating func intern(_ spelling: String) -> Symbol {
    withPaddedUTF8(of: spelling) { pointer, count, hash in
      intern(pointer, count: count, hash: hash)
    }
  }

  /// The symbol for `spelling`, or nil if the table has no such name.
  public func symbol(for spelling: String) -> Symbol? {
    withPaddedUTF8(of: spelling) { pointer, count, hash in
      find(pointer, count: count, hash: hash).symbol
    }
  }

  /// The spelling of `symbol`, which must be of this table or of one that this table continues.
  ///
  /// - Complexity: O(length of the name). Names of up to 15 bytes are not allocated.
  public subscript(symbol: Symbol) -> String {
    withUTF8(of: symbol) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of the spelling of `symbol`.
  public func withUTF8<Result>(of symbol: Symbol, _ body: (UnsafeBufferPointer<UInt8>) -> Result)
    -> Result
  {
    let range = Int(starts[symbol.index])..<Int(starts[symbol.index + 1])
    return text.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Whether the spelling of `first` is before that of `second`, by the values of their bytes.
  public func areInIncreasingOrder(_ first: Symbol, _ second: Symbol) -> Bool {
    withUTF8(of: first) { first in
      withUTF8(of: second) { first.lexicographicallyPrecedes($0) }
    }
  }

  /// Whether `symbol` starts with two underscores, which is reserved for introspection.
  public func isReserved(_ symbol: Symbol) -> Bool {
    withUTF8(of: symbol) { $0.starts(with: [UInt8(ascii: "_"), UInt8(ascii: "_")]) }
  }
}

// MARK: - Interning bytes

extension NameTable {
  /// The symbol for the `count` bytes at `name`, whose hash is `hash`.
  ///
  /// Up to fifteen bytes after the name are read and ignored.
  @inline(__always)
  mutating func intern(_ name: UnsafePointer<UInt8>, count: Int, hash: UInt64) -> Symbol {
    let found = find(name, count: count, hash: hash)
    if let symbol = found.symbol { return symbol }
    return insert(name, count: count, hash: hash, slot: found.slot)
  }

  /// The symbol of a name, or the slot where it belongs.
  @inline(__always)
  private func find(
    _ name: UnsafePointer<UInt8>, count: Int, hash: UInt64
  ) -> (symbol: Symbol?, slot: Int) {
    let mask = slots.count - 1
    let tag = hash & 0xFFFF_FFFF_0000_0000
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = slots[slot]
      if entry == 0 { return (nil, slot) }
      if entry & 0xFFFF_FFFF_0000_0000 == tag {
        let symbol = Symbol(rawValue: UInt32(truncatingIfNeeded: entry) - 1)
        if isSpelled(symbol, name, count: count) { return (symbol, slot) }
      }
      slot = (slot + 1) & mask
    }
  }

  @inline(__always)
  private func isSpelled(_ symbol: Symbol, _ name: UnsafePointer<UInt8>, count: Int) -> Bool {
    let start = Int(starts[symbol.index])
    guard Int(starts[symbol.index + 1]) - start == count else { return false }
    return text.withUnsafeBufferPointer { text in
      // Because: both sides are followed by fifteen readable bytes.
      let spelling = text.baseAddress.unsafelyUnwrapped + start
      var offset = 0
      while offset + 16 < count {
        let difference =
          (spelling.word(at: offset) ^ name.word(at: offset))
          | (spelling.word(at: offset + 8) ^ name.word(at: offset + 8))
        if difference != 0 { return false }
        offset += 16
      }
      // Nearly all names end here; so they are compared without asking how long they are.
      let rest = count - offset
      let low = ~(UInt64.max << UInt64(rest * 8))
      let high = ~(UInt64.max << UInt64(max(0, rest - 8) * 8))
      let difference =
        (spelling.word(at: offset) ^ name.word(at: offset)) & low
        | (spelling.word(at: offset + 8) ^ name.word(at: offset + 8)) & high
      return difference == 0
    }
  }

  @inline(never)
  private mutating func insert(
    _ name: UnsafePointer<UInt8>, count: Int, hash: UInt64, slot: Int
  ) -> Symbol {
    let symbol = Symbol(rawValue: UInt32(self.count))
    let start = Int(starts[self.count])
    let missing = start + count + Self.padding - text.count
    if missing > 0 {
      text.append(contentsOf: repeatElement(0, count: max(missing, text.count)))
    }
    // Because: there is room for the name, and no name is a part of the text that grows.
    text.withUnsafeMutableBufferPointer {
      ($0.baseAddress.unsafelyUnwrapped + start).update(from: name, count: count)
    }
    starts.append(UInt32(start + count))
    slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(symbol.rawValue + 1)
    if self.count * 2 > slots.count { makeSlots(slots.count * 2) }
    return symbol
  }

  /// Makes room for as many new names as a source of `byteCount` bytes usually has.
  mutating func reserveCapacity(forSourceOf byteCount: Int) {
    // Schemas, which have most, have a name that is new in 120 bytes.
    let needed = byteCount / 64
    guard needed > slots.count else { return }
    var count = slots.count
    while count < needed { count *= 2 }
    makeSlots(count)
  }

  /// Makes `count` slots. The names are hashed again, because a slot keeps only half of a hash.
  private mutating func makeSlots(_ count: Int) {
    slots = Array(repeating: 0, count: count)
    for index in 0..<self.count {
      let symbol = Symbol(rawValue: UInt32(index))
      let start = Int(starts[index])
      let length = Int(starts[index + 1]) - start
      let hash = text.withUnsafeBufferPointer {
        NameHash.hash($0.baseAddress.unsafelyUnwrapped + start, count: length)
      }
      var slot = Int(truncatingIfNeeded: hash) & (count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
      slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(symbol.rawValue + 1)
    }
  }
}

/// Calls `body` with the UTF-8 of `string`, followed by readable zeros, and its hash.
private func withPaddedUTF8<Result>(
  of string: String, _ body: (UnsafePointer<UInt8>, Int, UInt64) -> Result
) -> Result {
  var bytes = Array(string.utf8)
  let count = bytes.count
  bytes.append(contentsOf: repeatElement(0, count: Source.padding))
  return bytes.withUnsafeBufferPointer {
    let start = $0.baseAddress.unsafelyUnwrapped
    return body(start, count, NameHash.hash(start, count: count))
  }
}

extension UnsafePointer<UInt8> {
  /// The eight bytes at `offset`, the first one lowest.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(self + offset).loadUnaligned(as: UInt64.self))
  }
}
