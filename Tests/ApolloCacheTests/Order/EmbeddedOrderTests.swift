import ApolloAPI
import ApolloSQLite
import Foundation
import SeededRandom
import Testing

@testable import ApolloCache

/// The fields of embedded objects take part in the order of requests as those of records do.
///
/// Each random schedule of requests, responses, layers and writes runs twice: with embedded
/// objects, and with a record that has the same values side by side, as numbers. After each step
/// both caches have the same values, with and without layers.
@Suite(.timeLimit(.minutes(10)))
struct EmbeddedOrderTests {
  /// The caches of the two stores.
  enum Kind: CaseIterable { case oneStore, memory, disk, file }

  /// The number of schedules; `APOLLO_EMBEDDED_SCHEDULES` sets another one.
  private static let scheduleCount =
    ProcessInfo.processInfo.environment["APOLLO_EMBEDDED_SCHEDULES"].flatMap(UInt64.init) ?? 400
  private static let firstSeed =
    ProcessInfo.processInfo.environment["APOLLO_EMBEDDED_SEED"].flatMap(UInt64.init) ?? 1

  @Test(arguments: Kind.allCases)
  func aFieldOfAnEmbeddedObjectIsAsNewAsOneOfTheRecord(kind: Kind) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("order-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Nothing depends on the removal.
    defer { try? FileManager.default.removeItem(at: folder) }
    let share: UInt64 = [.oneStore: 1, .memory: 1, .disk: 10, .file: 40][kind] ?? 1
    for seed in Self.firstSeed..<(Self.firstSeed + max(1, Self.scheduleCount / share)) {
      var schedule = EmbeddedSchedule(seed: seed, stores: try stores(kind, folder, seed))
      if let difference = try await schedule.run(stepCount: 25) {
        Issue.record("\(kind), seed \(seed): \(difference)")
        return
      }
    }
  }

  /// Returns two caches for each store, which the stores share.
  private func stores(_ kind: Kind, _ folder: URL, _ seed: UInt64) throws -> [[ApolloStore]] {
    switch kind {
    case .oneStore: return [(0..<2).map { _ in ApolloStore(cache: InMemoryNormalizedCache()) }]
    case .memory:
      let caches = (0..<2).map { _ in InMemoryNormalizedCache() }
      return (0..<2).map { _ in caches.map { ApolloStore(cache: $0) } }
    case .disk:
      let caches = try (0..<2).map { _ in try SQLiteNormalizedCache.inMemory() }
      return (0..<2).map { _ in caches.map { ApolloStore(cache: $0) } }
    case .file:
      let files = (0..<2).map { folder.appendingPathComponent("\(seed)-\($0).sqlite") }
      return try (0..<2).map { _ in
        try files.map { ApolloStore(cache: try SQLiteNormalizedCache(fileURL: $0)) }
      }
    }
  }
}

/// One random schedule, on two caches.
private struct EmbeddedSchedule {
  /// The contents of a response, a layer or a write: numbers by their paths.
  typealias Values = [String: Int64]

  private struct Request {
    var name: String
    var isMutation: Bool
    var store: Int
    var sent: [SentRequest]
    var positions: [ResponsePosition]
    var layers: [LayerID]
  }

  private static let paths = [
    "a", "b", "c.d", "c.e", "l.0.a", "l.0.b", "l.1.a", "l.1.b",
  ]

  private var random: SeededGenerator
  /// For each of the stores of one cache: that with embedded objects, and that without.
  private let stores: [[ApolloStore]]
  private var requests: [Request] = []
  private var latest: Int64 = 0
  /// Indicates whether the objects have their type.
  private let hasTypes: Bool
  private var steps: [String] = []

  init(seed: UInt64, stores: [[ApolloStore]]) {
    random = SeededGenerator(seed: seed)
    hasTypes = seed.isMultiple(of: 2)
    self.stores = stores
  }

  /// Returns the first difference with the steps that have led to it.
  mutating func run(stepCount: Int) async throws -> String? {
    for _ in 0..<stepCount {
      try await step()
      if let difference = try await difference() { return report(difference) }
    }
    while !requests.isEmpty {
      try await answer(Int.random(in: requests.indices, using: &random), isLast: true)
      if let difference = try await difference() { return report(difference) }
    }
    for store in stores.joined() where store.order.noteCount != 0 {
      return report("Notes remain without a request.")
    }
    return nil
  }

  private func report(_ difference: String) -> String {
    difference + "\n" + steps.joined(separator: "\n")
  }

  // MARK: Steps

  private mutating func step() async throws {
    let store = Int.random(in: stores.indices, using: &random)
    let request = requests.indices.randomElement(using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: try await begin(.query, in: store)
    case 2, 3: try await begin(.mutation, in: store)
    case 4: try await begin(.mutation, in: store, isOptimistic: true)
    case 5, 6, 7, 8: if let request { try await answer(request, isLast: true) }
    case 9: if let request { try await answer(request, isLast: false) }
    case 10:
      let values = someValues()
      steps.append("write \(values) in \(store)")
      for (store, records) in zip(stores[store], records(values)) {
        try await store.publish(records)
      }
    default:
      guard let request, Int.random(in: 0..<2, using: &random) == 0 else {
        guard Int.random(in: 0..<4, using: &random) == 0 else { return }
        let clears = Int.random(in: 0..<3, using: &random) == 0
        steps.append("\(clears ? "clear" : "remove") in \(store)")
        for store in stores[store] {
          if clears {
            try await store.clearCache()
          } else {
            try await store.removeObject(for: "Me")
          }
        }
        return
      }
      steps.append("\(requests[request].name) fails")
      await end(request)
    }
  }

  private mutating func begin(
    _ type: GraphQLOperationType, in number: Int, isOptimistic: Bool = false
  ) async throws {
    guard requests.count < 5 else { return }
    let stores = stores[number]
    var request = Request(
      name: "\(type) \(steps.count)", isMutation: type == .mutation, store: number, sent: [],
      positions: [], layers: [])
    let values = someValues()
    steps.append(
      "begin \(request.name) in \(number)" + (isOptimistic ? ", expecting \(values)" : ""))
    for (store, records) in zip(stores, records(values)) {
      let layer =
        isOptimistic
        ? store.layers.reserve() : type == .mutation ? store.layers.reserveIfNeeded() : nil
      if let layer {
        request.layers.append(layer)
        request.positions.append(.layer(layer))
      } else {
        request.positions.append(.requested(after: store.layers.latest))
      }
      if let layer, isOptimistic { try await store.showLayer(layer) { try $0.merge(records) } }
      request.sent.append(store.begin(type))
    }
    requests.append(request)
  }

  private mutating func answer(_ index: Int, isLast: Bool) async throws {
    let request = requests[index]
    let values = someValues()
    let hasClosure = request.isMutation && Int.random(in: 0..<3, using: &random) == 0
    let more = hasClosure ? someValues() : [:]
    steps.append(
      "\(request.name) brings \(values)" + (hasClosure ? ", its closure \(more)" : "")
        + (isLast ? "" : ", and goes on"))
    let (brought, changed) = (records(values), records(more))
    for (number, store) in stores[request.store].enumerated() {
      var response = NormalizedResponse(records: brought[number])
      response.sent = request.sent[number]
      let records = changed[number]
      let update: OptimisticUpdate = { try $0.merge(records) }
      try await store.publish(
        response, at: request.positions[number], update: hasClosure ? update : nil)
    }
    if isLast { await end(index) }
  }

  private mutating func end(_ index: Int) async {
    let request = requests.remove(at: index)
    for (store, layer) in zip(stores[request.store], request.layers) {
      await store.removeLayer(layer)
    }
  }

  /// New numbers at some paths.
  private mutating func someValues() -> Values {
    latest += 1
    let share = Int.random(in: 1...3, using: &random)
    var values: Values = [:]
    for path in Self.paths where Int.random(in: 0..<4, using: &random) < share {
      values[path] = latest
    }
    if values.isEmpty { values["a"] = latest }
    return values
  }

  // MARK: Forms

  /// Returns the values as embedded objects, and as fields of the record.
  private func records(_ values: Values) -> [RecordSet] {
    func object(_ prefix: String, _ names: [String]) -> FieldMap {
      var fields = FieldMap(
        names.compactMap { name in values[prefix + name].map { (FieldKey(name), .int($0)) } })
      if hasTypes { fields[.typename] = "Object" }
      return fields
    }
    let emptyCount = hasTypes ? 1 : 0
    var nested = object("", ["a", "b"])
    let inner = object("c.", ["d", "e"])
    if inner.count > emptyCount { nested["c"] = .object(inner) }
    let elements = [object("l.0.", ["a", "b"]), object("l.1.", ["a", "b"])]
    if elements.contains(where: { $0.count > emptyCount }) {
      nested["l"] = .list(elements.map { .object($0) })
    }
    let flat = FieldMap(values.map { (FieldKey($0), .int($1)) })
    return [["Me": ["f": .object(nested)]], ["Me": flat]]
  }

  private static func values(of record: FieldMap?, isNested: Bool) -> Values {
    var found: Values = [:]
    func add(_ value: CacheValue, at path: String) {
      switch value {
      case .int(let number): found[path] = number
      case .object(let fields):
        for (field, value) in fields {
          add(value, at: path.isEmpty ? field.rawValue : "\(path).\(field.rawValue)")
        }
      case .list(let elements):
        for (index, element) in elements.enumerated() { add(element, at: "\(path).\(index)") }
      case .string("Object"): break
      default: found["\(path) = \(value)"] = -1
      }
    }
    if isNested {
      if let value = record?["f"] { add(value, at: "") }
    } else {
      for (field, value) in record ?? [:] { add(value, at: field.rawValue) }
    }
    return found
  }

  private func difference() async throws -> String? {
    for (number, stores) in stores.enumerated() {
      var shown: [Values] = []
      var stored: [Values] = []
      for (store, isNested) in zip(stores, [true, false]) {
        let visible = try await store.withinReadTransaction { try $0.record(for: "Me")?.fields }
        shown.append(Self.values(of: visible, isNested: isNested))
        stored.append(
          Self.values(of: try await store.record(of: "Me")?.fields, isNested: isNested))
      }
      if stored[0] != stored[1] {
        return "The cache has \(Self.changes(stored)) without layers."
      }
      if shown[0] != shown[1] { return "Store \(number) shows \(Self.changes(shown))." }
    }
    return nil
  }

  private static func changes(_ values: [Values]) -> String {
    Set(values[0].keys).union(values[1].keys).sorted().filter { values[0][$0] != values[1][$0] }
      .map { "\($0): \(values[0][$0] as Any) in place of \(values[1][$0] as Any)" }
      .joined(separator: ", ")
  }
}
