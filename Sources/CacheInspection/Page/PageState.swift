internal import ApolloAPI
internal import ApolloCache
internal import Foundation

/// The data of a page, which reads all records again after the cache has changed.
actor PageState {
  private let contents: any CacheContents
  private var latest: (version: String, index: Task<CacheIndex, any Error>)?
  /// Indicates whether the latest index is being made.
  private var isReading = false
  /// The time that the latest index has taken.
  private(set) var readingTime = Duration.zero

  init(_ contents: any CacheContents) { self.contents = contents }

  /// Returns the index of the records as they are now, or as they were when an index was begun that
  /// is being made: a cache that changes all the time is not read several times at once.
  private func index() async throws -> (CacheIndex, version: String) {
    let version = try await contents.version()
    if let latest, isReading || latest.version == version {
      return (try await latest.index.value, latest.version)
    }
    let index = Task { [contents] in try await CacheIndex(of: contents) }
    latest = (version, index)
    isReading = true
    let start = ContinuousClock.now
    defer { isReading = false }
    do {
      let result = try await index.value
      readingTime = start.duration(to: .now)
      return (result, version)
    } catch {
      latest = nil
      throw error
    }
  }

  /// Returns a text that is another one after each commit of others.
  func version() async throws -> String { try await contents.version() }

  /// Returns the sums, and the types and operations to choose from.
  func summary() async throws -> JSONValue {
    let (index, version) = try await index()
    let statistics = Statistics(index, contents)
    func groups(_ groups: [Statistics.Group]) -> JSONValue {
      .array(
        groups.map {
          [
            "name": .string($0.name), "records": .int(Int64($0.count)),
            "bytes": .int(Int64($0.byteCount)),
          ]
        })
    }
    return [
      "version": .string(version), "whole": statistics.whole.json,
      "types": groups(statistics.types),
      "operations": groups(statistics.operations), "now": .double(Date().timeIntervalSince1970),
    ]
  }

  /// The records that a list shows.
  struct Choice {
    enum Kind: String { case all, dangling, unreachable, unreadable }
    enum Order: String { case key, bytes, age }

    var kind = Kind.all
    var order = Order.key
    var type: String?
    var operation: String?
    var text = ""
    /// Indicates whether the text is looked for in fields and values too.
    var searchesValues = false
    var offset = 0
    var count = 200

    /// The greatest number of records in one response.
    static let greatestCount = 5_000
  }

  /// Returns a part of the list of records.
  func records(_ choice: Choice) async throws -> JSONValue {
    let (index, _) = try await index()
    let matching = try await keys(matching: choice)
    var entries = index.entries.filter { entry in
      switch choice.kind {
      case .all: break
      case .dangling: guard entry.danglingCount > 0 else { return false }
      case .unreachable: guard !entry.isReachable else { return false }
      case .unreadable: guard !entry.isReadable else { return false }
      }
      if let type = choice.type, entry.typename ?? "" != type { return false }
      if let operation = choice.operation, !entry.operations.contains(operation) { return false }
      return matching?.contains(entry.key) ?? true
    }
    switch choice.order {
    case .key: break
    case .bytes: entries.sort { ($1.byteCount, $0.key) < ($0.byteCount, $1.key) }
    case .age:
      entries.sort {
        ($1.times?.upperBound ?? 0, $0.key) < ($0.times?.upperBound ?? 0, $1.key)
      }
    }
    let description = RecordDescription()
    let shown = entries.dropFirst(choice.offset).prefix(choice.count)
    return [
      "total": .int(Int64(entries.count)),
      "records": .array(shown.map { description.summary($0).json }),
    ]
  }

  /// Returns the keys of records that contain the text of a choice, or `nil` without one.
  private func keys(matching choice: Choice) async throws -> Set<RecordKey>? {
    guard !choice.text.isEmpty else { return nil }
    var keys: Set<RecordKey> = []
    if choice.searchesValues {
      let search = ValueSearch(choice.text)
      try await contents.forEachRecord {
        if !search.matches(in: $0).isEmpty { keys.insert($0.key) }
      }
    } else {
      let (index, _) = try await index()
      for entry in index.entries where entry.key.contains(ignoringCase: choice.text) {
        keys.insert(entry.key)
      }
    }
    return keys
  }

  /// Returns everything about a record, or the fields that refer to one that does not exist.
  func record(_ key: String) async throws -> JSONValue {
    let (index, _) = try await index()
    guard let record = try await contents.record(of: RecordKey(key)) else {
      var line = JSONLine()
      line.add("key", key)
      line.add("isMissing", JSONValue.bool(true))
      line.add("near", .array(index.keys(near: key).map(JSONValue.string)))
      line.add(
        "referrers",
        .array(
          index.references(to: RecordKey(key)).map {
            ["key": .string($0.record.rawValue), "field": .string($0.field.rawValue)]
          }))
      return line.json
    }
    return Self.shown(RecordDescription().whole(record, in: index).json)
  }

  /// Returns a description whose values and arguments a browser shows as they are.
  private static func shown(_ record: JSONValue) -> JSONValue {
    guard case .object(var members) = record, let fields = members["fields"]?.arrayValue else {
      return record
    }
    members["fields"] = .array(
      fields.map { field in
        guard case .object(var members) = field else { return field }
        members["value"] = members["value"].map(PageValue.json)
        if case .object(let arguments)? = members["arguments"] {
          members["arguments"] = .object(arguments.mapValues { .string($0.description) })
        }
        return .object(members)
      })
    return .object(members)
  }
}
