internal import ApolloAPI
internal import ApolloCache

/// The sums of a cache.
struct Statistics {
  /// The records of one type, or those that one operation has written fields of.
  struct Group {
    var name: String
    var count = 0
    var byteCount = 0
    /// The time of the latest write in seconds since 1970.
    var latest: Double?

    fileprivate mutating func add(_ entry: CacheIndex.Entry) {
      count += 1
      byteCount += entry.byteCount
      if let time = entry.times?.upperBound { latest = max(latest ?? time, time) }
    }
  }

  private(set) var whole = JSONLine()
  private(set) var types: [Group] = []
  private(set) var operations: [Group] = []

  init(_ index: CacheIndex, _ contents: any CacheContents) {
    var typesByName: [String: Group] = [:]
    var operationsByName: [String: Group] = [:]
    for entry in index.entries {
      let type = entry.typename ?? ""
      typesByName[type, default: Group(name: type)].add(entry)
      for name in entry.operations {
        operationsByName[name, default: Group(name: name)].add(entry)
      }
    }
    types = Self.sorted(typesByName)
    operations = Self.sorted(operationsByName)
    let unreachable = index.entries.filter { !$0.isReachable }
    whole.add("cache", contents.name)
    whole.add("tableVersion", contents.formVersion)
    whole.add("storedBytes", contents.storedByteCount)
    whole.add("records", index.entries.count)
    whole.add("recordBytes", index.entries.reduce(0) { $0 + $1.byteCount })
    whole.add("fields", index.entries.reduce(0) { $0 + $1.fieldCount })
    whole.add("references", index.entries.reduce(0) { $0 + $1.references.count })
    whole.add("dangling", index.entries.reduce(0) { $0 + $1.danglingCount })
    whole.add("unreachable", unreachable.count)
    whole.add("unreachableBytes", unreachable.reduce(0) { $0 + $1.byteCount })
    whole.add("unreadable", index.entries.count { !$0.isReadable })
    let times = index.entries.compactMap(\.times)
    let oldest = times.map(\.lowerBound).min(), newest = times.map(\.upperBound).max()
    whole.add("oldestWrite", oldest.map { .string(RecordDescription.text(ofTime: $0)) })
    whole.add("latestWrite", newest.map { .string(RecordDescription.text(ofTime: $0)) })
  }

  private static func sorted(_ groups: [String: Group]) -> [Group] {
    groups.values.sorted { ($1.byteCount, $0.name) < ($0.byteCount, $1.name) }
  }

  var lines: [JSONLine] {
    [whole] + types.map { line("type", $0) } + operations.map { line("operation", $0) }
  }

  private func line(_ kind: String, _ group: Group) -> JSONLine {
    var line = JSONLine()
    line.add(kind, group.name.isEmpty ? .null : .string(group.name))
    line.add("records", group.count)
    line.add("bytes", group.byteCount)
    line.add("latestWrite", group.latest.map { .string(RecordDescription.text(ofTime: $0)) })
    return line
  }
}
