/// Maps the spellings of names to dense ``Symbol``s and back.
///
/// ```swift
/// var names = NameTable()
/// let hero = names.intern("hero")
/// print(names.symbol(for: "hero") == hero)  // true
/// print(names[hero])  // hero
/// ```
///
/// A table is a value that only grows: a symbol of a table is valid in every later copy of it. A
/// schema keeps the table of its documents, and the operations against it continue from a copy.
///
/// The table is a hash table with open addressing. Each slot holds half of the hash next to the
/// symbol, so a probe of the wrong slot nearly always ends without reading the name.
public struct NameTable: Sendable {
  /// The UTF-8 text of all names, followed by at least fifteen more bytes, so that two words can be
  /// read at any position.
  private var text: [UInt8] = Array(repeating: 0, count: 2048)
  /// The start of each name in `text`, followed by the end of the last name.
  private var starts: [UInt32] = [0]
  /// The hash table: `tag << 32 | symbol + 1` for each symbol, and zero for each empty slot. The
  /// count is a power of two.
  private var slots: [UInt64]

  private static let padding = 15
  private static let standard = NameTable(wellKnown: wellKnownSpellings)

  /// Creates a table with the names of the GraphQL language.
  public init() {
    self = .standard
  }

  private init(wellKnown spellings: [StaticString]) {
    slots = Array(repeating: 0, count: 256)
    for spelling in spellings {
      intern(spelling.description)
    }
  }

  /// The number of names in the table.
  public var count: Int { starts.count - 1 }
}

extension NameTable {
  /// Returns the symbol for `spelling`, adding it to the table if it is new.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the length of the name.
  @discardableResult
  public mutating func intern(_ spelling: String) -> Symbol {
    withPaddedUTF8(of: spelling) { pointer, count, hash in
      intern(pointer, count: count, hash: hash)
    }
  }

  /// Returns the symbol for `spelling`, or `nil` if the table does not contain it.
  public func symbol(for spelling: String) -> Symbol? {
    withPaddedUTF8(of: spelling) { pointer, count, hash in
      find(pointer, count: count, hash: hash).symbol
    }
  }

  /// Accesses the spelling of `symbol`, which must belong to this table or to one that it
  /// continues.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the name. Names of up to 15 bytes need no
  ///   allocation.
  public subscript(symbol: Symbol) -> String {
    withUTF8(of: symbol) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the UTF-8 bytes of `symbol`.
  public func withUTF8<Result>(of symbol: Symbol, _ body: (UnsafeBufferPointer<UInt8>) -> Result)
    -> Result
  {
    let range = Int(starts[symbol.index])..<Int(starts[symbol.index + 1])
    return text.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Returns the symbol of each name of `other` in this table, or `nil` if it does not contain the
  /// name. The indices are those of the symbols of `other`.
  ///
  /// - Complexity: O(*n*) on average, where *n* is the length of the names of `other`.
  package func counterparts(of other: NameTable) -> [Symbol?] {
    other.text.withUnsafeBufferPointer { text in
      // The reads are safe, because at least fifteen readable bytes follow each name.
      let base = text.baseAddress.unsafelyUnwrapped
      return (0..<other.count).map { index in
        let start = Int(other.starts[index])
        let length = Int(other.starts[index + 1]) - start
        let hash = NameHash.hash(base + start, count: length)
        return find(base + start, count: length, hash: hash).symbol
      }
    }
  }

  /// Returns whether `first` precedes `second` in the order of their UTF-8 bytes.
  public func areInIncreasingOrder(_ first: Symbol, _ second: Symbol) -> Bool {
    withUTF8(of: first) { first in
      withUTF8(of: second) { first.lexicographicallyPrecedes($0) }
    }
  }

  /// Returns whether `symbol` starts with two underscores, which are reserved for introspection.
  public func isReserved(_ symbol: Symbol) -> Bool {
    withUTF8(of: symbol) { $0.starts(with: [UInt8(ascii: "_"), UInt8(ascii: "_")]) }
  }
}

// MARK: - Interning bytes

extension NameTable {
  /// Returns the symbol for the `count` bytes at `name`, adding it to the table if it is new.
  ///
  /// Up to fifteen bytes after the name are read and ignored.
  @inline(__always)
  mutating func intern(_ name: UnsafePointer<UInt8>, count: Int, hash: UInt64) -> Symbol {
    let found = find(name, count: count, hash: hash)
    if let symbol = found.symbol { return symbol }
    return insert(name, count: count, hash: hash, slot: found.slot)
  }

  /// Returns the symbol of a name, or the empty slot where to insert it.
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
      // The reads are safe, because at least fifteen readable bytes follow both texts.
      let spelling = text.baseAddress.unsafelyUnwrapped + start
      var offset = 0
      while offset + 16 < count {
        let difference =
          (spelling.word(at: offset) ^ name.word(at: offset))
          | (spelling.word(at: offset + 8) ^ name.word(at: offset + 8))
        if difference != 0 { return false }
        offset += 16
      }
      // Most names end here. Masks compare them without a branch on their length.
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
    // The copy is safe, because the text has room for the name, and the name is not a part of the
    // text.
    text.withUnsafeMutableBufferPointer {
      ($0.baseAddress.unsafelyUnwrapped + start).update(from: name, count: count)
    }
    starts.append(UInt32(start + count))
    slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(symbol.rawValue + 1)
    if self.count * 2 > slots.count { makeSlots(slots.count * 2) }
    return symbol
  }

  /// Reserves slots for the names of a source with `byteCount` bytes.
  mutating func reserveCapacity(forSourceOf byteCount: Int) {
    // Schemas contain the most new names: about one in 120 bytes.
    let needed = byteCount / 64
    guard needed > slots.count else { return }
    var count = slots.count
    while count < needed { count *= 2 }
    makeSlots(count)
  }

  /// Replaces the slots by `count` new ones. All names are hashed again, because a slot keeps only
  /// half of its hash.
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

/// Calls `body` with the UTF-8 bytes of `string`, followed by readable zeros, and with their hash.
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
  /// Returns the eight bytes at `offset`, the first of them in the lowest bits.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(self + offset).loadUnaligned(as: UInt64.self))
  }
}
