internal import ApolloAPI
internal import ApolloCache

/// The records of a scope at one moment, loaded level by level.
///
/// What was loaded of a partition belongs to one version of it. If a later level finds a newer
/// version, everything is loaded again at that version, and the reading starts from its root. The
/// index of a root that is read whole is of the same version.
///
/// A server that does not respond counts as empty, also what was read of it before. The reading
/// starts from its root then, too, so that no record from before the failure is seen beside others
/// that are missing because of it.
///
/// One task uses it at a time.
final class RedisSnapshot: StoreSnapshot {
  private let scope: RedisScope
  private let allowsStale: Bool
  /// The records of the near cache, as long as they belong to ``metas``.
  private var near = NearRecords()
  private var metas: [Int: Meta] = [:]
  /// The states of the near cache's records, until something is loaded.
  private var nearMetas: [Meta] = []
  /// Indicates whether no reading has failed to find something in memory.
  private var mayHaveAllInMemory = false
  /// The version of memory, as long as nothing else was read.
  private(set) var version: UInt64?
  private var loaded: [Cell: StoredCell] = [:]
  /// The roots whose fields are all loaded, or that count as absent.
  private var wholeRoots: Set<RecordKey> = []
  /// The cells and roots that were asked for without waiting.
  private var requestedCells: Set<Cell> = []
  private var requestedRoots: Set<RecordKey> = []
  /// Indicates whether the server did not respond, so that there are no records.
  private var isUnavailable = false

  private static let mostAttempts = 16

  /// Opens a snapshot.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - allowsStale: Whether records may be read from the memory of this process, which may be
  ///     behind by the time that a message needs, and from replicas.
  init(_ scope: RedisScope, allowsStale: Bool) {
    self.scope = scope
    self.allowsStale = allowsStale
    if allowsStale, let contents = scope.near.contents() {
      near = contents.records
      nearMetas = contents.metas
      version = contents.version
      mayHaveAllInMemory = true
    }
  }

  // MARK: - Reading what is loaded

  func readLoaded(_ request: ReadRequest) throws -> ObjectReadResult {
    // Most readings find everything in memory, which is faster to read without looking elsewhere.
    if mayHaveAllInMemory {
      if let result = try readWhole(request, from: near.fields) { return result }
      mayHaveAllInMemory = false
    }
    return try read(request, withObjectsOf: near.fields)
  }

  func fields(of key: RecordKey) throws -> FieldMap? {
    guard !isUnavailable else {
      guard key.isRoot else { return absent([.record(key)]) }
      wholeRoots.insert(key)
      return nil
    }
    guard !key.isRoot else { return try allFields(ofRoot: key) }
    if let fields = near.fields.fields(of: key) { return fields }
    guard let cell = loaded[.record(key)] else {
      requestedCells.insert(.record(key))
      throw StoreError.requiresAsynchronousReading
    }
    return cell.fields
  }

  func fields(of key: RecordKey, among wanted: [FieldKey]) throws -> FieldMap? {
    guard !isUnavailable else {
      return absent(key.isRoot ? wanted.map { .field(key, $0) } : [.record(key)])
    }
    guard key.isRoot else { return try fields(of: key) }
    let known = near.fields.fields(of: key)
    var found: [(FieldKey, CacheValue)] = []
    var isComplete = true
    for field in wanted {
      if let value = known?[field] {
        found.append((field, value))
      } else if let cell = loaded[.field(key, field)] {
        if let value = cell.fields?[field] { found.append((field, value)) }
      } else if !wholeRoots.contains(key) {
        requestedCells.insert(.field(key, field))
        isComplete = false
      }
    }
    guard isComplete else { throw StoreError.requiresAsynchronousReading }
    return found.isEmpty ? nil : FieldMap(found)
  }

  /// Notes that cells were read while the server did not respond, and counted as absent. A commit
  /// checks that they are.
  private func absent(_ cells: [Cell]) -> FieldMap? {
    for cell in cells { loaded[cell] = .absent }
    return nil
  }

  private func allFields(ofRoot key: RecordKey) throws -> FieldMap? {
    guard wholeRoots.contains(key) else {
      requestedRoots.insert(key)
      throw StoreError.requiresAsynchronousReading
    }
    var fields: [(FieldKey, CacheValue)] = []
    for (cell, stored) in loaded {
      guard case .field(key, let field) = cell, let value = stored.fields?[field] else { continue }
      fields.append((field, value))
    }
    return fields.isEmpty ? nil : FieldMap(fields)
  }

  /// The state that was read so far, which a commit checks.
  var reads: RedisReads {
    RedisReads(cells: loaded, wholeRoots: wholeRoots, metas: wholeRoots.isEmpty ? [:] : metas)
  }

  // MARK: - Writes

  var keepsWrites: Bool { true }

  /// Returns the writes of what this snapshot has loaded or found in memory.
  func writes(of key: RecordKey, among fields: [FieldKey]) -> [FieldKey: WriteID] {
    var writes: [FieldKey: WriteID] = [:]
    let inMemory = near.writes[key]
    for field in fields {
      let cell = loaded[key.isRoot ? .field(key, field) : .record(key)]
      writes[field] = cell.map { $0.writes?[field] } ?? inMemory?[field]
    }
    return writes
  }

  func facts(about write: WriteID) -> WriteFacts? { CellWrite(write)?.facts }

  // MARK: - Loading

  var loadsInBatches: Bool { true }

  /// `true` for a root, whose fields are asked for one by one.
  func isLoaded(_ key: RecordKey) -> Bool {
    key.isRoot || isUnavailable || loaded[.record(key)] != nil
      || near.fields.fields(of: key) != nil
  }

  func loadNow(_ keys: [RecordKey]) -> Bool {
    guard !isUnavailable else { return true }
    for key in keys { requestedCells.insert(.record(key)) }
    return keys.isEmpty
  }

  nonisolated(nonsending) func load(_ keys: [RecordKey]) async throws {
    _ = loadNow(keys)
    _ = try await loadRequested()
  }

  nonisolated(nonsending) func loadRequested() async throws -> Bool {
    guard !requestedCells.isEmpty || !requestedRoots.isEmpty else { return false }
    version = nil
    do throws(RedisError) {
      try await load(requestedCells, requestedRoots)
    } catch {
      guard error.code == .suspended else { throw error }
      // The failure that led to this was reported. Nothing is cached until the server is back.
      isUnavailable = true
      mayHaveAllInMemory = false
      near = NearRecords()
      loaded = [:]
      metas = [:]
      wholeRoots = []
    }
    requestedCells = []
    requestedRoots = []
    return true
  }

  private nonisolated(nonsending) func load(
    _ cells: Set<Cell>, _ requested: Set<RecordKey>
  ) async throws(RedisError) {
    var wanted = cells
    var roots = requested
    for (partition, meta) in nearMetas.enumerated() { metas[partition] = meta }
    nearMetas = []
    for _ in 0..<Self.mostAttempts {
      let fetched = try await scope.fetch(wanted, wholeRoots: roots, allowsStale: allowsStale)
      let isOfOtherVersion = fetched.metas.contains { partition, meta in
        metas[partition].map { $0 != meta } ?? false
      }
      if isOfOtherVersion {
        near = NearRecords()
        metas = [:]
        guard loaded.isEmpty, wholeRoots.isEmpty else {
          wanted.formUnion(loaded.keys)
          roots.formUnion(wholeRoots)
          loaded = [:]
          wholeRoots = []
          continue
        }
      }
      for (partition, meta) in fetched.metas {
        metas[partition] = meta
        keep(fetched.cells, partition, at: meta)
      }
      loaded.merge(fetched.cells) { $1 }
      wholeRoots.formUnion(roots)
      return
    }
    throw RedisError(.contended, detail: "records change faster than they can be read")
  }

  /// Lets the near cache keep what was read.
  private func keep(_ cells: [Cell: StoredCell], _ partition: Int, at meta: Meta) {
    var read: [(Cell, CellContents)] = []
    var expiring: [(Cell, CellContents)] = []
    for (cell, stored) in cells where scope.keys.partition(of: cell) == partition {
      guard let contents = stored.contents else { continue }
      if scope.lifetime != nil || contents.mayExpire {
        expiring.append((cell, contents))
      } else {
        read.append((cell, contents))
      }
    }
    if !read.isEmpty { scope.near.keep(read, partition, at: meta) }
    if !expiring.isEmpty { scope.keepExpiring(expiring, partition, at: meta) }
  }
}
