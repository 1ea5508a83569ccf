internal import ApolloAPI
package import ApolloCache
package import SeededRandom

/// The rules of merging, written a second time as simply as possible, to compare the caches with.
package struct NaiveCache {
  package private(set) var records: [RecordKey: [FieldKey: CacheValue]] = [:]

  package init() {}

  package mutating func apply(_ mutation: CacheMutation) {
    switch mutation {
    case .merge(let incoming):
      for record in incoming {
        for (field, value) in record.fields {
          records[record.key, default: [:]][field] = merged(records[record.key]?[field], value)
        }
        if records[record.key] == nil { records[record.key] = [:] }
      }
    case .remove(let key): records[key] = nil
    case .removeMatching(let pattern):
      for key in records.keys
      where !pattern.isEmpty && key.rawValue.asciiLowercased.contains(pattern.asciiLowercased) {
        records[key] = nil
      }
    case .clear: records = [:]
    }
  }

  private func merged(_ known: CacheValue?, _ incoming: CacheValue) -> CacheValue {
    guard let known else { return incoming }
    switch incoming {
    case .failure: return known
    case .object(let new):
      guard case .object(let old) = known else { return incoming }
      if let oldType = old["__typename"], let newType = new["__typename"], oldType != newType {
        return incoming
      }
      var fields: [FieldKey: CacheValue] = [:]
      for (field, value) in old { fields[field] = value }
      for (field, value) in new { fields[field] = merged(fields[field], value) }
      return .object(FieldMap(fields.map { ($0.key, $0.value) }))
    case .list(let new):
      guard case .list(let old) = known else { return incoming }
      return .list(
        new.enumerated().map { index, value in
          guard index < old.count else { return value }
          switch value {
          case .failure where !isFailure(old[index]) && mayHaveMoved(new, from: old): return value
          case .object, .list, .failure: return merged(old[index], value)
          default: return value
          }
        })
    default: return incoming
    }
  }

  /// Returns whether an element that failed can be another one than the known one at its index.
  private func mayHaveMoved(_ new: [CacheValue], from old: [CacheValue]) -> Bool {
    let shared = min(new.count, old.count)
    if new.count != old.count {
      guard let last = new.prefix(shared).last, !isFailure(last), last == old[shared - 1] else {
        return true
      }
    }
    for (index, value) in new.enumerated() where index < shared && !isFailure(old[index]) {
      switch (value, old[index]) {
      case (.failure, .reference):
        // The known item has another index now.
        let isElsewhere = new.indices.contains {
          new[$0] == old[index] && ($0 >= shared || isFailure(old[$0]))
        }
        if isElsewhere { return true }
      case (.failure, _): continue
      case (.object(let value), .object(let known)):
        if let type = value["__typename"], let other = known["__typename"], type != other {
          return true
        }
      case (.list(let value), .list(let known)): if mayHaveMoved(value, from: known) { return true }
      default: if value != old[index] { return true }
      }
    }
    return false
  }

  private func isFailure(_ value: CacheValue) -> Bool {
    if case .failure = value { true } else { false }
  }
}

extension String {
  fileprivate var asciiLowercased: String {
    String(unicodeScalars.map { $0.isASCII ? Character($0).lowercased() : String($0) }.joined())
  }
}

/// Makes random records and changes to them, of few enough keys and fields that they meet often.
package struct RandomMutations {
  package var random: SeededGenerator

  package init(random: SeededGenerator) { self.random = random }

  private static let keys: [RecordKey] = [
    "QUERY_ROOT", "Hero:1", "Hero:2", "hero:2", "Ship:%", "Ship:_", "Ship:a\"b", "Nul:\u{0}",
    "Emoji:🚀", "é:1", "e\u{301}:1", ":", "",
  ]
  private static let fields: [FieldKey] = [
    "__typename", "id", "name", "friends(first:10)", #"title(language:"fr.)\",")"#, "größe", "hero",
  ]
  private static let patterns = ["hero", "SHIP:%", "_", "\u{0}", "🚀", "É", "zzz", "\"", ":", ""]

  package mutating func next() -> CacheMutation {
    switch Int.random(in: 0..<100, using: &random) {
    case 0: .clear
    case 1..<5: .removeMatching(Self.patterns.randomElement(using: &random)!)
    case 5..<20: .remove(Self.keys.randomElement(using: &random)!)
    default: .merge(records())
    }
  }

  package mutating func records() -> RecordSet {
    RecordSet(
      (0..<Int.random(in: 1...4, using: &random)).map { _ in
        let key = Self.keys.randomElement(using: &random)!
        return Record(key: key, fields: fields(depth: 0, isRoot: key == .queryRoot))
      })
  }

  private mutating func fields(depth: Int, isRoot: Bool = false) -> FieldMap {
    var map = FieldMap()
    if isRoot && Int.random(in: 0..<10, using: &random) == 0 {
      for number in 0..<Int.random(in: 0..<90, using: &random) {
        map[FieldKey("hero(id:\(number))")] = value(depth: 3)
      }
    }
    for field in Self.fields.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
    {
      map[field] = value(depth: depth)
    }
    return map
  }

  private mutating func value(depth: Int) -> CacheValue {
    switch Int.random(in: 0..<(depth < 3 ? 14 : 9), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .int([0, 1, -1, .max, .min, 300].randomElement(using: &random)!)
    case 3: return .double([0, -0.5, 1e300, 1e-300, 3].randomElement(using: &random)!)
    case 4:
      return .string(
        ["", "a", "Luke 🚀 \u{0} é", String(repeating: "x", count: 300)].randomElement(
          using: &random)!)
    case 5: return .reference(Self.keys.randomElement(using: &random)!)
    case 6:
      return .json(
        [.decimal("1e999"), ["x": [1, nil, "y"]], [], [:]].randomElement(using: &random)!)
    case 7:
      return .failure(
        FieldFailure(
          message: ["no", "not yet"].randomElement(using: &random)!, extensions: ["code": 7]))
    case 8: return .list([])
    case 9, 10:
      return .list((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth: depth + 1) })
    default: return .object(fields(depth: depth + 1))
    }
  }
}
