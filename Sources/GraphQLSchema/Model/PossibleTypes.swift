import GraphQLSyntax

/// The object types that values of each interface and union can have.
///
/// Each abstract type has a row: a bit set over the range from its first object type to its last.
/// If the bit set would be much larger than a list, the row has only a sorted list. Memory is
/// therefore linear in the size of the schema.
///
/// Spec: 5.5.2.3, `GetPossibleTypes`.
struct PossibleTypes: Sendable {
  private struct Row {
    /// The indices in `members` of the row's object types, which are ascending and unique.
    var members: Range<Int>
    /// The index in `words` of the first word of the bit set, or -1 for a row without one.
    var firstWord: Int
    /// The type of the lowest bit in the first word, a multiple of 64.
    var base: UInt32
    /// The number of words in the bit set.
    var wordCount: UInt32
  }

  private var rows: [Row] = []
  private var members: [Schema.NamedType.ID] = []
  private var words: [UInt64] = []
  /// The row of each type, or -1 for a type that is not abstract.
  private var rowOfType: [Int32]

  /// Creates a table without rows for `typeCount` types.
  init(typeCount: Int) {
    rowOfType = Array(repeating: -1, count: typeCount)
  }

  /// Adds the row of `type`.
  ///
  /// - Parameters:
  ///   - objects: The possible types of `type`. They can be unordered and repeated.
  ///   - type: The abstract type.
  /// - Complexity: O(*n* log *n*), where *n* is the number of `objects`, or O(*n*) if they are
  ///   ascending.
  mutating func append(
    _ objects: some Collection<Schema.NamedType.ID>, for type: Schema.NamedType.ID
  ) {
    let start = members.count
    members.append(contentsOf: objects)
    normalizeMembers(from: start)
    rowOfType[type.index] = Int32(truncatingIfNeeded: rows.count)
    rows.append(makeRow(start..<members.count))
  }

  /// Returns the possible types of `type` in ascending order, or nothing if `type` is not abstract.
  func members(of type: Schema.NamedType.ID) -> ArraySlice<Schema.NamedType.ID> {
    let row = rowOfType[type.index]
    guard row >= 0 else { return [] }
    return members[rows[Int(row)].members]
  }

  /// Returns whether values of the abstract `type` can have the type `object`.
  ///
  /// - Complexity: O(1), or O(log *n*) for a row that is only a list.
  func contains(_ object: Schema.NamedType.ID, in type: Schema.NamedType.ID) -> Bool {
    let index = rowOfType[type.index]
    guard index >= 0 else { return false }
    let row = rows[Int(index)]
    guard row.firstWord >= 0 else { return search(object, in: row.members) }
    guard object.rawValue >= row.base else { return false }
    let bit = object.rawValue &- row.base
    guard bit >> 6 < row.wordCount else { return false }
    return words[row.firstWord &+ Int(bit >> 6)] >> UInt64(bit & 63) & 1 == 1
  }

  /// Returns whether two abstract types have a possible type in common.
  ///
  /// - Complexity: O(*n* / 64), where *n* is the range of types that both rows span. If one of the
  ///   rows is only a list, O(*m*), where *m* is the length of the shorter row.
  func overlap(_ first: Schema.NamedType.ID, _ second: Schema.NamedType.ID) -> Bool {
    if let shared = sharedWords(first, second) {
      return shared.contains { words[$0.0] & words[$0.1] != 0 }
    }
    let (left, right) = (members(of: first), members(of: second))
    let (fewer, other) = left.count <= right.count ? (left, second) : (right, first)
    return fewer.contains { contains($0, in: other) }
  }

  /// Returns the indices of the words for types that both rows span, or `nil` unless both have a
  /// bit set.
  private func sharedWords(
    _ first: Schema.NamedType.ID, _ second: Schema.NamedType.ID
  ) -> Zip2Sequence<Range<Int>, Range<Int>>? {
    let indices = (rowOfType[first.index], rowOfType[second.index])
    guard indices.0 >= 0, indices.1 >= 0 else { return nil }
    let (left, right) = (rows[Int(indices.0)], rows[Int(indices.1)])
    guard left.firstWord >= 0, right.firstWord >= 0 else { return nil }
    let base = max(left.base, right.base)
    let end = min(left.base + left.wordCount * 64, right.base + right.wordCount * 64)
    guard base < end else { return zip(0..<0, 0..<0) }
    func words(of row: Row) -> Range<Int> {
      let start = row.firstWord + Int(base - row.base) / 64
      return start..<start + Int(end - base) / 64
    }
    return zip(words(of: left), words(of: right))
  }
}

// MARK: - Rows

extension PossibleTypes {
  private mutating func normalizeMembers(from start: Int) {
    let isAscending = zip(members[start...], members[start...].dropFirst()).allSatisfy {
      $0.rawValue < $1.rawValue
    }
    guard !isAscending else { return }
    members[start...].sort { $0.rawValue < $1.rawValue }
    var end = start
    for index in start..<members.count where index == start || members[index] != members[end - 1] {
      members[end] = members[index]
      end += 1
    }
    members.removeSubrange(end...)
  }

  private mutating func makeRow(_ range: Range<Int>) -> Row {
    guard let first = members[range].first, let last = members[range].last else {
      return Row(members: range, firstWord: -1, base: 0, wordCount: 0)
    }
    let base = first.index / 64 * 64
    let wordCount = (last.index - base) / 64 + 1
    guard wordCount <= 4 * range.count + 8 else {
      return Row(members: range, firstWord: -1, base: 0, wordCount: 0)
    }
    let firstWord = words.count
    words.append(contentsOf: repeatElement(0, count: wordCount))
    for member in members[range] {
      let bit = member.index - base
      words[firstWord + bit / 64] |= 1 << UInt64(bit % 64)
    }
    return Row(
      members: range, firstWord: firstWord, base: UInt32(base), wordCount: UInt32(wordCount))
  }

  /// Returns whether `object` is among the ascending `members[range]`.
  private func search(_ object: Schema.NamedType.ID, in range: Range<Int>) -> Bool {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if members[middle].rawValue < object.rawValue { low = middle + 1 } else { high = middle }
    }
    return low < range.upperBound && members[low] == object
  }
}
