internal import ApolloAPI
internal import ApolloCache
internal import Foundation

/// The cells of one scope: reads them level by level, and scans them.
final class RedisScope: Sendable {
  let client: RedisClient
  /// The replicas that may be read, if stale records are allowed.
  private let replicas: RedisClient?
  let keys: KeySpace
  let shapes = ShapeDirectory()
  let near: NearCache
  let changes = ForeignChanges()
  /// The lifetime of a cell, or `nil` if it has none.
  let lifetime: Duration?
  /// Indicates whether a cell that is written keeps the time at which it expires, if there is one.
  /// Otherwise ``lifetime`` and the maximum ages of its fields decide.
  let keepsExpiries: Bool
  /// The last known state of each partition. A key contains the epoch.
  private let metas: Lock<[Meta]>
  private let subscription = Lock<ChannelSubscription?>(nil)
  private let sweeps = Lock(Sweeps())

  private static let mostAttempts = 8

  init(
    client: RedisClient, replicas: RedisClient?, keys: KeySpace, lifetime: Duration?,
    nearRecordLimit: Int, keepsExpiries: Bool = false
  ) {
    self.client = client
    self.replicas = replicas
    self.keys = keys
    self.lifetime = lifetime
    self.keepsExpiries = keepsExpiries
    near = NearCache(
      partitionCount: keys.partitionCount, recordLimit: nearRecordLimit, changes: changes)
    metas = Lock(Array(repeating: .empty, count: keys.partitionCount))
    subscribe()
  }

  var coder: CellCoder { CellCoder(shapes) }

  func meta(_ partition: Int) -> Meta { metas.withLock { $0[partition] } }

  /// Notes the state of a partition in a response, unless a newer one has become known while the
  /// request was under way: a replica that lacks the newer one would be read.
  ///
  /// - Parameters:
  ///   - meta: The state.
  ///   - partition: The partition.
  ///   - before: The state that was known when the request was sent.
  func setMeta(_ meta: Meta, _ partition: Int, before: Meta) {
    metas.withLock { metas in
      if !meta.isOvertaken(by: metas[partition], since: before) { metas[partition] = meta }
    }
  }

  /// The states of a partition that are known when a request is sent.
  private struct KnownStates {
    /// The latest one of a response.
    let meta: Meta
    /// The state according to the messages, or `nil` if they do not arrive.
    let near: Meta?
  }

  private func knownStates(_ partition: Int) -> KnownStates {
    KnownStates(meta: meta(partition), near: near.meta(partition))
  }

  // MARK: - The subscription

  private func subscribe() {
    // With the lock, because an event can come before the subscription is returned.
    subscription.withLock { subscription in
      subscription = client.subscribe(to: keys.channel) { [weak self] event in
        guard let self else { return }
        switch event {
        case .isLive:
          let session = near.session
          Task.detached { await self.startNearCache(session) }
        case .isChecked: Task.detached { await self.checkNearCache() }
        case .isLost: near.stop()
        case .message(let bytes):
          if !near.receive(bytes) { restartSubscription() }
        }
      }
    }
  }

  private nonisolated(nonsending) func startNearCache(_ session: Int) async {
    let partitions = Array(0..<keys.partitionCount)
    guard let metas = try? await loadMetas(partitions, isInBackground: true) else {
      // Without the states there is no near cache. The subscription tries again.
      return restartSubscription()
    }
    near.start(at: metas, in: session)
  }

  /// Compares the versions of the near cache with those of the server.
  private nonisolated(nonsending) func checkNearCache() async {
    // If the server does not respond, the next check follows.
    _ = try? await loadMetas(Array(0..<keys.partitionCount), isInBackground: true)
  }

  private func restartSubscription() {
    near.stop()
    subscription.get()?.restart()
  }

  /// Notes the state of a partition in a response, and checks that messages arrive.
  private func observe(_ meta: Meta, _ partition: Int, since known: KnownStates) {
    setMeta(meta, partition, before: known.meta)
    if !near.observe(meta, partition, before: known.near) { restartSubscription() }
  }

  // MARK: - Reading cells

  /// Cells as they were read. Those of one partition are of one moment, the partition's state.
  struct Fetched {
    var cells: [Cell: StoredCell] = [:]
    var metas: [Int: Meta] = [:]
  }

  /// Reads cells, those of each partition with one command.
  ///
  /// One round trip, and another one for shapes that this process does not know, or after the
  /// partition was cleared.
  ///
  /// - Parameters:
  ///   - cells: The cells.
  ///   - roots: The roots of which all fields are read as well, from the primary server.
  ///   - allowsStale: Whether the cells may be those of a replica.
  /// - Returns: The cells, and the states of their partitions. With roots, those of all partitions.
  /// - Throws: ``RedisError``
  nonisolated(nonsending) func fetch(
    _ cells: some Sequence<Cell>, wholeRoots roots: Set<RecordKey> = [], allowsStale: Bool = false
  ) async throws(RedisError) -> Fetched {
    var fetched = Fetched()
    var rest = Dictionary(grouping: Set(cells)) { keys.partition(of: $0) }
    if !roots.isEmpty {
      for partition in 0..<keys.partitionCount {
        try await fetch(
          Set(rest[partition] ?? []), andAllOf: Array(roots), partition, into: &fetched)
      }
      return fetched
    }
    if allowsStale, let replicas {
      do throws(RedisError) {
        try await fetch(&rest, into: &fetched, from: replicas)
      } catch {}  // the primary server has the cells too
    }
    if !rest.isEmpty { try await fetch(&rest, into: &fetched, from: client) }
    return fetched
  }

  /// Reads cells of partitions. A replica leaves those of which this process knows a newer state:
  /// a watch that was notified of it would show the one before, and would not be notified again.
  private nonisolated(nonsending) func fetch(
    _ rest: inout [Int: [Cell]], into fetched: inout Fetched, from server: RedisClient
  ) async throws(RedisError) {
    let isReplica = server !== client
    for _ in 0..<Self.mostAttempts {
      let reads = rest.map { partition, cells in
        PartitionRead(partition, cells, knownStates(partition), keys)
      }
      let responses = await server.send(reads.map(\.request))
      for (read, response) in zip(reads, responses) {
        let values = try read.values(in: response.get())
        let found = Meta(values[0].bytes)
        if isReplica, !isCurrent(found, read.partition) { continue }
        observe(found, read.partition, since: read.known)
        guard found.epoch == read.epoch else { continue }  // again, under the other epoch
        fetched.metas[read.partition] = found
        let stored = try await decode(values.dropFirst().map(\.bytes), of: read, server)
        fetched.cells.merge(zip(read.cells, stored)) { $1 }
        rest[read.partition] = nil
      }
      if rest.isEmpty || isReplica { return }
    }
    throw RedisError(.contended, detail: "the scope is cleared again and again")
  }

  /// Reads cells of a partition, and all fields that some roots have in it.
  ///
  /// 1. Send together: one command that reads the state and the cells that are known so far, one
  ///    for the index of each root, and one that reads the state again.
  /// 2. If both states are equal, the cells and the indices are of one moment. Otherwise start
  ///    again.
  /// 3. If an index has other fields than were read, start again with these.
  private nonisolated(nonsending) func fetch(
    _ cells: Set<Cell>, andAllOf roots: [RecordKey], _ partition: Int,
    into fetched: inout Fetched
  ) async throws(RedisError) {
    var wanted = cells
    // The fields of the roots whose indices the server has lost in part, by the names of the keys.
    var scanned: [RecordKey: [Cell]] = [:]
    for _ in 0..<Self.mostAttempts {
      let read = PartitionRead(partition, Array(wanted), knownStates(partition), keys)
      var commands = roots.map { root in
        RedisCommand("SMEMBERS", [keys.index(of: root, read.epoch, partition)])
      }
      commands.append(RedisCommand("GET", [keys.meta(partition)]))
      let responses = await client.send(
        [read.request]
          + commands.map { RedisClient.Request(command: $0, slot: keys.slots[partition]) })
      let values = try read.values(in: responses[0].get())
      let found = Meta(values[0].bytes)
      observe(found, partition, since: read.known)
      guard found.epoch == read.epoch else {
        scanned = [:]
        continue  // again, under the other epoch
      }
      var listed: Set<Cell> = []
      var hasScanned = false
      for (root, response) in zip(roots, responses.dropFirst()) {
        let fields = try response.get().elements?.compactMap(\.text) ?? []
        for field in fields where !field.isEmpty { listed.insert(.field(root, FieldKey(field))) }
        guard !fields.contains(""), !read.epoch.isEmpty else { continue }
        if scanned[root] == nil {
          scanned[root] = try await scanCells(ofRoot: root, read.epoch, partition)
          hasScanned = true
        }
        listed.formUnion(scanned[root] ?? [])
      }
      let isComplete = listed.isSubset(of: wanted)
      wanted.formUnion(listed)
      let last = Meta(try responses[commands.count].get().bytes)
      // What was scanned later than the cells were read may lack some of their fields.
      guard isComplete, !hasScanned, last == found else { continue }
      let stored = try await decode(values.dropFirst().map(\.bytes), of: read, client)
      fetched.metas[partition] = found
      fetched.cells.merge(zip(read.cells, stored)) { $1 }
      return
    }
    throw RedisError(.contended, detail: "a partition changes faster than a root of it can be read")
  }

  /// Returns whether a replica's state of a partition is no older than what this process knows.
  private func isCurrent(_ found: Meta, _ partition: Int) -> Bool {
    [meta(partition), near.meta(partition)].allSatisfy { known in
      known.map { found.epoch == $0.epoch && found.version >= $0.version } ?? true
    }
  }

  /// One command that reads cells of a partition.
  private struct PartitionRead {
    let partition: Int
    let cells: [Cell]
    let known: KnownStates
    let names: [[UInt8]]
    let request: RedisClient.Request

    init(_ partition: Int, _ cells: [Cell], _ known: KnownStates, _ keys: KeySpace) {
      self.partition = partition
      self.known = known
      self.cells = cells
      let epoch = known.meta.epoch
      // Without an epoch there are no cells, but a first command that learns it.
      names = epoch.isEmpty ? [] : keys.keys(of: cells, epoch, partition)
      request = RedisClient.Request(
        command: RedisCommand("MGET", [keys.meta(partition)] + names), slot: keys.slots[partition])
    }

    /// The epoch of the names.
    var epoch: String { known.meta.epoch }

    /// Returns the state of the partition and a value for each cell.
    func values(in response: RedisValue) throws(RedisError) -> [RedisValue] {
      if case .error(let message) = response { throw RedisError(.server, detail: message) }
      guard let values = response.elements, values.count == names.count + 1 else {
        throw RedisError(.malformedResponse)
      }
      return names.isEmpty ? values + cells.map { _ in .null } : values
    }
  }

  private nonisolated(nonsending) func decode(
    _ values: [[UInt8]?], of read: PartitionRead, _ server: RedisClient
  ) async throws(RedisError) -> [StoredCell] {
    guard !read.names.isEmpty else { return values.map { _ in .absent } }
    var unknown: Set<Int64> = []
    while true {
      var missing: Set<Int64> = []
      var cells: [StoredCell] = []
      for (bytes, name) in zip(values, read.names) {
        switch coder.decode(bytes, under: name) {
        case .cell(let cell): cells.append(cell)
        case .needsShape(let number):
          if unknown.contains(number) {
            cells.append(
              StoredCell(token: Array((bytes ?? []).prefix(CellCoder.tokenCount)), fields: nil))
          } else {
            missing.insert(number)
          }
        }
      }
      if missing.isEmpty { return cells }
      try await loadShapes(missing, read.partition, server)
      unknown.formUnion(missing)
    }
  }

  private nonisolated(nonsending) func loadShapes(
    _ numbers: Set<Int64>, _ partition: Int, _ server: RedisClient
  ) async throws(RedisError) {
    let numbers = Array(numbers)
    let command = RedisCommand("MGET", numbers.map { keys.shape($0, partition) })
    let response = try await server.send(
      RedisClient.Request(command: command, slot: keys.slots[partition]))
    // Without the shapes, the cells would count as damaged, and the next write would replace them.
    if case .error(let message) = response { throw RedisError(.server, detail: message) }
    guard let values = response.elements, values.count == numbers.count else {
      throw RedisError(.malformedResponse)
    }
    for (number, value) in zip(numbers, values) { shapes.insert(value.bytes, as: number) }
  }
}

// MARK: - Scanning

extension RedisScope {
  /// Returns the cells of a root, or of all roots and records that contain a pattern.
  ///
  /// - Complexity: O(*n*) in the number of all keys of the servers.
  nonisolated(nonsending) func cells(matching pattern: String) async throws(RedisError) -> [Cell] {
    let pattern = KeyPattern(pattern)
    var cells: [Cell] = []
    for partition in 0..<keys.partitionCount {
      guard let epoch = try await currentEpoch(partition) else { continue }
      let prefix = keys.recordPrefix(epoch, partition)
      for name in try await names(startingWith: prefix, partition) {
        let key = RecordKey(bytesOf: name.dropFirst(prefix.count))
        if key.identity.withBytes(pattern.isContained) { cells.append(.record(key)) }
      }
    }
    for root in [RecordKey.queryRoot, .mutationRoot, .subscriptionRoot]
    where root.identity.withBytes(pattern.isContained) {
      cells += try await self.cells(ofRoot: root)
    }
    return cells
  }

  /// Returns the cells of a root, from its index. Some of them may have expired.
  ///
  /// An index that the server has lost in part does not say that it has all fields. The keys of the
  /// server are scanned then.
  nonisolated(nonsending) func cells(ofRoot root: RecordKey) async throws(RedisError) -> [Cell] {
    var cells: [Cell] = []
    for partition in 0..<keys.partitionCount {
      guard let epoch = try await currentEpoch(partition) else { continue }
      let command = RedisCommand("SMEMBERS", [keys.index(of: root, epoch, partition)])
      let index = try await client.send(
        RedisClient.Request(command: command, slot: keys.slots[partition]))
      let fields = index.elements?.compactMap(\.text) ?? []
      guard !fields.contains("") else {
        for field in fields where !field.isEmpty { cells.append(.field(root, FieldKey(field))) }
        continue
      }
      cells += try await scanCells(ofRoot: root, epoch, partition)
    }
    return cells
  }

  /// Returns the cells that a root has in a partition, from the names of the server's keys.
  private nonisolated(nonsending) func scanCells(
    ofRoot root: RecordKey, _ epoch: String, _ partition: Int
  ) async throws(RedisError) -> [Cell] {
    let prefix = keys.fieldPrefix(root, epoch, partition)
    var cells: [Cell] = []
    for name in try await names(startingWith: prefix, partition) {
      let field = String(decoding: name.dropFirst(prefix.count), as: UTF8.self)
      cells.append(.field(root, FieldKey(field)))
    }
    return cells
  }

  private nonisolated(nonsending) func currentEpoch(_ partition: Int) async throws(RedisError)
    -> String?
  {
    let epoch = try await loadMetas([partition])[0].epoch
    return epoch.isEmpty ? nil : epoch
  }

  /// Reads the states of partitions, and checks that messages arrive.
  nonisolated(nonsending) func loadMetas(
    _ partitions: [Int], isInBackground: Bool = false
  ) async throws(RedisError) -> [Meta] {
    let known = partitions.map(knownStates)
    let responses = await client.send(
      partitions.map {
        RedisClient.Request(
          command: RedisCommand("GET", [keys.meta($0)]), slot: keys.slots[$0],
          isInBackground: isInBackground)
      })
    var metas: [Meta] = []
    for (index, response) in responses.enumerated() {
      let value = try response.get()
      if case .error(let message) = value, !message.hasPrefix("WRONGTYPE") {
        throw RedisError(.server, detail: message)
      }
      let meta = Meta(value.bytes)
      observe(meta, partitions[index], since: known[index])
      metas.append(meta)
    }
    return metas
  }

  /// Removes the keys of all epochs that have ended.
  ///
  /// One task at a time does that for a partition, whose keys it reads in pages. Another request in
  /// the meantime lets it begin again at the end, once.
  func sweep(_ partition: Int) {
    guard sweeps.withLock({ $0.request(partition) }) else { return }
    Task.detached(priority: .utility) { [self] in
      repeat { await sweepOnce(partition) } while sweeps.withLock { $0.isRequestedAgain(partition) }
    }
  }

  /// The state is read after the keys of a page: an epoch that begins later has none among them.
  private nonisolated(nonsending) func sweepOnce(_ partition: Int) async {
    let prefixes = keys.prefixesOfEpochs(partition)
    func isOld(_ name: [UInt8], except epoch: String) -> Bool {
      let current = Array("\(epoch):".utf8)
      return prefixes.contains {
        name.starts(with: $0) && !name.dropFirst($0.count).starts(with: current)
      }
    }
    // Keys that remain are never read again, so a failure costs memory only.
    try? await scan(keys.prefix(partition), partition, isInBackground: true) {
      page throws(RedisError) in
      let epoch = meta(partition).epoch
      guard page.contains(where: { isOld($0, except: epoch) }) else { return }
      let current = try await loadMetas([partition], isInBackground: true)[0].epoch
      let old = page.filter { isOld($0, except: current) }
      guard !old.isEmpty else { return }
      _ = await client.send([
        RedisClient.Request(
          command: RedisCommand("UNLINK", old), slot: keys.slots[partition], isWrite: true,
          isInBackground: true)
      ])
    }
  }

  // MARK: - Lifetimes

  /// Lets the near cache keep cells that the server removes after a time, of which it is asked.
  ///
  /// The reading does not wait for it.
  func keepExpiring(_ cells: [(Cell, CellContents)], _ partition: Int, at meta: Meta) {
    guard near.keepsRecords else { return }
    Task.detached { [self] in
      let now = ContinuousClock.now
      let names = keys.keys(of: cells.map(\.0), meta.epoch, partition)
      let responses = await client.send(
        names.map {
          RedisClient.Request(
            command: RedisCommand("PTTL", [$0]), slot: keys.slots[partition], isInBackground: true)
        })
      var kept: [(Cell, CellContents)] = []
      var expiries: [Cell: ContinuousClock.Instant] = [:]
      for ((cell, contents), response) in zip(cells, responses) {
        guard case .integer(let milliseconds)? = try? response.get(), milliseconds >= -1 else {
          continue
        }
        kept.append((cell, contents))
        if milliseconds >= 0 { expiries[cell] = now + .milliseconds(milliseconds) }
      }
      near.keep(kept, partition, at: meta, expiries: expiries)
    }
  }

  /// Lets the server keep cells for longer that were written again with equal values.
  ///
  /// Cells with more than three quarters of their lifetime left stay as they are.
  ///
  /// - Parameter lifetimes: The cells, with the times from now on.
  func renew(_ lifetimes: [Cell: Duration]) {
    let now = ContinuousClock.now
    for (lifetime, cells) in Dictionary(grouping: lifetimes.keys, by: { lifetimes[$0] ?? .zero }) {
      let due = near.cells(cells, expiringBefore: now + lifetime * 3 / 4)
      guard !due.isEmpty else { continue }
      Task.detached { [self] in
        let requests = due.map { cell in
          let partition = keys.partition(of: cell)
          let expiry = Array("\(lifetime.expiryMilliseconds)".utf8)
          return RedisClient.Request(
            command: RedisCommand(
              "PEXPIRE", [keys.key(of: cell, meta(partition).epoch, partition), expiry]),
            slot: keys.slots[partition], isWrite: true, isInBackground: true)
        }
        let responses = await client.send(requests)
        near.renew(
          zip(due, responses).lazy.filter { (try? $1.get()) == .integer(1) }.map(\.0),
          until: now + lifetime)
      }
    }
  }

  /// Returns the names that begin with a prefix, each once.
  private nonisolated(nonsending) func names(
    startingWith prefix: [UInt8], _ partition: Int
  ) async throws(RedisError) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    try await scan(prefix, partition) { names.formUnion($0) }
    return names
  }

  /// Reads the names that begin with a prefix in pages, which may have a name twice.
  private nonisolated(nonsending) func scan(
    _ prefix: [UInt8], _ partition: Int, isInBackground: Bool = false,
    _ body: nonisolated(nonsending) ([[UInt8]]) async throws(RedisError) -> Void
  ) async throws(RedisError) {
    var cursor = "0"
    repeat {
      let command = RedisCommand(
        "SCAN",
        [
          Array(cursor.utf8), Array("MATCH".utf8), Self.pattern(startingWith: prefix),
          Array("COUNT".utf8), Array("1000".utf8),
        ])
      let value = try await client.send(
        RedisClient.Request(
          command: command, slot: keys.slots[partition], isInBackground: isInBackground))
      if case .error(let message) = value { throw RedisError(.server, detail: message) }
      guard let parts = value.elements, parts.count == 2, let next = parts[0].text,
        let found = parts[1].elements
      else { throw RedisError(.malformedResponse) }
      try await body(found.compactMap(\.bytes).filter { $0.starts(with: prefix) })
      cursor = next
    } while cursor != "0"
  }

  /// Returns the glob pattern of all keys that begin with these bytes.
  private static func pattern(startingWith prefix: [UInt8]) -> [UInt8] {
    var pattern: [UInt8] = []
    for byte in prefix {
      if "*?[]\\^-".utf8.contains(byte) { pattern.append(UInt8(ascii: "\\")) }
      pattern.append(byte)
    }
    return pattern + [UInt8(ascii: "*")]
  }
}

/// The partitions whose old keys are being removed.
private struct Sweeps {
  /// The partitions, and whether that was requested again since it began.
  private var partitions: [Int: Bool] = [:]

  /// Returns `true` if a task must begin to sweep a partition.
  mutating func request(_ partition: Int) -> Bool {
    partitions.updateValue(partitions[partition] != nil, forKey: partition) == nil
  }

  /// Returns `true` if a partition is to be swept again, and `false` if its task ends.
  mutating func isRequestedAgain(_ partition: Int) -> Bool {
    partitions[partition] = partitions[partition] == true ? false : nil
    return partitions[partition] != nil
  }
}

extension RecordKey {
  fileprivate init(bytesOf bytes: some Sequence<UInt8>) {
    self = Array(bytes).withUnsafeBytes { RecordKey(bytes: $0) }
  }
}
