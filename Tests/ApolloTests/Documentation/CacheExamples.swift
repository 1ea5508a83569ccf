import Apollo
import ApolloAPI
import ApolloCache
import ApolloSQLite
import Foundation
import StarWarsAPI
import TestOperations

// The examples in the documentation of `ApolloCache`, word for word, so that the compiler
// checks them. `DocumentationExamplesTests` compares the two.

private typealias HeroQuery = HeroAndFriendsQuery
private typealias HeroLocalCacheMutation = HeroAPI.HeroLocalCacheMutation
private typealias CartQuery = ShopAPI.ItemsQuery
private typealias ShopsQuery = ShopAPI.ItemsQuery

private struct AddProductMutation: ListMutation {
  typealias Data = AppendEdge.Data
  static var __selections: Selections { AppendEdge.__selections }

  var name: String
  var lists: [ID]
}

// MARK: - Stores and caches

private func createAStore(file: URL, cache: any NormalizedCache) throws {
  do {
    let disk = try SQLiteNormalizedCache(fileURL: file)
    let store = ApolloStore(cache: ChainedNormalizedCache(disk))
    _ = store
    let cache = ChainedNormalizedCache(disk, memoryLimit: 10_000_000)
    _ = cache
  }
  do {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    store.cacheKeyForObject = { object in (object["id"]?.stringValue).map { "Object:\($0)" } }
  }
  do {
    var configuration = ApolloStore.Configuration()
    configuration.freshness.maxAges = ["Product": .seconds(300), "Product.price": .seconds(10)]
    let store = ApolloStore(cache: cache, configuration: configuration)
    _ = store
  }
  var configuration = ApolloStore.Configuration()
  configuration.onCacheFailure = { error in print("The cache failed: \(error)") }
  let store = ApolloStore(cache: cache, configuration: configuration)
  _ = store
}

private func useAStore(file: URL) async throws {
  let store = ApolloStore(cache: try SQLiteNormalizedCache(fileURL: file))

  try await store.withinReadWriteTransaction { transaction in
    try transaction.update(HeroLocalCacheMutation()) { $0.hero?.name = "Luke" }
  }
}

private final class Table: NormalizedCache {
  private let records = Lock<[RecordKey: Record]>([:])

  private var table: [RecordKey: Record] {
    get { records.withLock { $0 } }
    set { records.withLock { $0 = newValue } }
  }

  func loadRecords(forKeys keys: Set<RecordKey>) -> [RecordKey: Record] {
    table.filter { keys.contains($0.key) }
  }

  func merge(records: RecordSet) -> ChangeSet {
    var changes = ChangeSet()
    for record in records {
      if var known = table[record.key] {
        known.merge(record, noting: &changes)
        table[record.key] = known
      } else {
        table[record.key] = record
        changes.insert(record.key)
      }
    }
    return changes
  }

  func removeRecord(for key: RecordKey) -> ChangeSet {
    var changes = ChangeSet()
    changes.insert(FieldAddress(record: "Book:7", field: "title"))
    changes.insert("Book:8")
    return changes
  }

  func removeRecords(matching pattern: String) -> ChangeSet { ChangeSet() }
  func clear() { table = [:] }
}

private func change(_ cache: any NormalizedCache, _ store: ApolloStore) async throws {
  _ = try cache.apply([.remove("Droid:2001"), .merge(["Human:1000": ["name": "Luke"]])])
  let friends: CacheValue = [.reference("Human:1000"), .reference("Droid:2001"), .null]
  _ = friends
  let record = Record(key: "Human:1000", fields: ["name": "Luke", "height(unit:\"FOOT\")": 5.6])
  _ = record
  do {
    let records: RecordSet = ["Human:1000": ["name": "Luke"], "Droid:2001": ["name": "R2-D2"]]
    try await store.publish(records)
  }
  let records = try await store.readOnlyCache.loadRecords(forKeys: ["Human:1000"])
  print(records["Human:1000"]?["name"] ?? "not in the cache")
}

// MARK: - Reading

private func show(_ data: HeroQuery.Data) {}

private func read(_ store: ApolloStore, _ apollo: ApolloClient) async throws {
  do {
    _ = try await store.withinReadTransaction { try $0.read(query: HeroQuery()) }
  } catch let miss as CacheMiss where miss.code == .noField {
    print("\(miss.address) was never fetched.")
  }
  do {
    _ = try await apollo.fetch(query: HeroQuery(), cachePolicy: .cacheOnly)
  } catch let error as CacheMissError {
    for miss in error.misses { print(miss) }
  }
  do {
    try await store.withinReadTransaction { _ in try await store.clearCache() }
  } catch let error as StoreError where error.code == .reentrantTransaction {
    print(error)
  }
  for (field, write) in store.provenance(of: "Product:7") {
    print(field, write.operationName ?? "the program", write.date)
  }
  do {
    let reading = try await store.load(HeroQuery())
    if let hero = reading.data?.hero { print(hero.name) }
  }
  do {
    let reading = try await store.load(HeroQuery(), ttlEnforcement: .permissive)
    if reading.freshness?.containsStaleFields == true { print("This may be outdated.") }
  }
  do {
    let reading = try await store.load(HeroQuery())
    if let data = reading.data {
      show(data)
    } else {
      for miss in reading.misses { print(miss) }
    }
  }
  let hero = try await store.withinReadTransaction { try $0.read(query: HeroQuery()).hero }
  _ = hero
  let name = try await store.withinReadTransaction { transaction in
    try transaction.read(query: HeroQuery()).hero?.name
  }
  _ = name
  let response = try await apollo.fetch(query: HeroNameQuery())
  for address in response.dependentKeys ?? [] { print(address.record, address.field) }
}

private func readWithACallback(_ store: ApolloStore) {
  store.load(HeroQuery(), callbackQueue: .main) { result in
    print((try? result.get().data?.hero?.name) ?? "no hero")
  }
}

private func watch(_ store: ApolloStore) async throws {
  do {
    let watch = store.subscribe { change in
      print(change.changes.records.count, "records changed")
    }
    _ = watch
  }
  do {
    let watch = store.watch { _ in print("The hero has changed.") }
    var reading = try await store.load(HeroQuery())
    while !watch.depend(on: reading.trace) { reading = try await store.load(HeroQuery()) }
  }
  let watch = store.subscribe { change in print(change.changes.records) }
  watch.cancel()
}

// MARK: - Writing

private func write(_ store: ApolloStore, bundledResponse: URL) async throws {
  try await store.publish(body: Data(contentsOf: bundledResponse), of: HeroQuery())
  try await store.withinReadWriteTransaction { transaction in
    try transaction.removeObject(for: "Droid:2001")
    try transaction.update(HeroLocalCacheMutation()) { $0.hero?.name = "Luke" }
  }
  try await store.withinReadWriteTransaction { transaction in
    try transaction.update(HeroLocalCacheMutation()) { $0.hero?.name = "Luke" }
    try transaction.removeObject(for: "Droid:2001")
  }
}

private func changeLists(_ store: ApolloStore, _ apollo: ApolloClient) async throws {
  do {
    let toys = ListID(field: "products", arguments: ["category": "toys"])
    let mutation = AddProductMutation(name: "Kite", lists: [toys.rawValue])
    let response = try await apollo.perform(mutation: mutation)
    _ = response
  }
  do {
    let cart = ListID(path: ["viewer", "cart", "products"], of: CartQuery())
    let toys = ListID(path: ["shops", "products"], of: ShopsQuery(), in: "Shop:7")
    _ = (cart, toys)
  }
  let toys = ListID(field: "products", arguments: ["category": "toys"])
  if try await !store.contains(toys) { print("No query has fetched this list.") }
}

// MARK: - Removing

private func remove(_ store: ApolloStore) async throws {
  try await store.removeObject(for: "Character:1000")
  let result = try await store.collectGarbage()
  print("Removed \(result.removedCount) records.")
  try await store.removeObject(for: "Album:7", cascades: true)  // and its photos
  try await store.trim(to: 50_000_000)
  try await store.invalidate(["Product:7", "Product:8"])
  let retention = store.retain(["Human:1000"])
  try await store.collectGarbage()  // keeps `Human:1000` and what it refers to
  retention.release()
}
