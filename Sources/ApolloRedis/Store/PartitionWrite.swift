internal import ApolloAPI
internal import ApolloCache

/// The part of a write that belongs to one partition: one run of ``WriteScript``.
struct PartitionWrite {
  private let scope: RedisScope
  private let partition: Int
  private let known: Meta
  /// The epoch that begins with the write, or an empty text.
  private let newEpoch: String
  private let clears: Bool
  /// The roots that were read whole in the known state. They must have got no other fields.
  private let wholeRoots: [RecordKey]
  /// The time of the write in seconds since 1970, or `nil` if it is not remembered.
  private let time: Double?
  private let token: [UInt8] = (0..<CellCoder.tokenCount).map { _ in .random(in: .min ... .max) }

  private var names: [[UInt8]] = []
  private var arguments: [[UInt8]] = []
  private var shapes: [Int64: RecordShape] = [:]
  private var written: [(Cell, CellContents?)] = []
  /// The times at which the server removes some of these cells, at the earliest.
  private var expiries: [Cell: ContinuousClock.Instant] = [:]
  /// The roots whose fields are written, each of which has an index.
  private var roots: [RecordKey] = []

  init(
    _ scope: RedisScope, _ partition: Int, _ known: Meta, clears: Bool,
    wholeRoots: Set<RecordKey> = [], at time: Double? = nil
  ) {
    self.time = time
    self.clears = clears
    self.wholeRoots = Array(wholeRoots)
    self.scope = scope
    self.partition = partition
    self.known = known
    newEpoch = clears || known.epoch.isEmpty ? Meta.newEpoch() : ""
    // An epoch begins with complete indices.
    if !newEpoch.isEmpty { roots = [.queryRoot, .mutationRoot, .subscriptionRoot] }
  }

  private var epoch: String { newEpoch.isEmpty ? known.epoch : newEpoch }

  /// Adds a cell.
  ///
  /// - Parameters:
  ///   - cell: The cell.
  ///   - expected: The token that it must still have, or `nil` if that does not matter.
  ///   - result: The new contents, `.some(nil)` if it is removed, or `nil` if it is only checked.
  ///   - writes: The writes that the new contents are from, as far as they are known.
  /// - Throws: `DamagedRow` never: every value can be written.
  mutating func add(
    _ cell: Cell, expected: [UInt8]?, result: FieldMap??, _ writes: CellWrites? = nil
  ) throws {
    let isOfOldEpoch = expected != nil && !known.epoch.isEmpty
    let name = scope.keys.key(of: cell, isOfOldEpoch ? known.epoch : epoch, partition)
    if isOfOldEpoch, !newEpoch.isEmpty {
      // Checked in the epoch that ends, written in the one that begins.
      names.append(name)
      arguments += [expected ?? [], [UInt8(ascii: "=")], [], []]
      if let result { try add(cell, expected: nil, result: result, writes) }
      return
    }
    names.append(name)
    arguments.append(expected ?? [UInt8(ascii: "*")])
    switch result {
    case nil: arguments += [[UInt8(ascii: "=")], [], []]
    case .some(nil):
      arguments += [[], [], indexEntry(of: cell)]
      written.append((cell, nil))
    case .some(let fields?):
      arguments.append(
        try scope.coder.encode(fields, writes, under: name, token: token, shapes: &shapes))
      let lifetime = scope.keepsExpiries ? nil : lifetime(of: fields, writes)
      let text = scope.keepsExpiries ? "=" : lifetime.map { "\($0)" } ?? ""
      arguments.append(Array(text.utf8))
      arguments.append(indexEntry(of: cell))
      written.append((cell, CellContents(fields: fields, writes: writes)))
      expiries[cell] = lifetime.map { .now + .milliseconds($0) }
    }
  }

  /// The lifetime of a cell in milliseconds: that of all cells, or until the server's maximum ages
  /// of all its fields have passed. `nil` if there is none.
  private func lifetime(of fields: FieldMap, _ writes: CellWrites?) -> Int64? {
    var lifetime = scope.lifetime
    if let writes, let time, let limit = CellWrite.lifetime(of: fields, writes, from: time) {
      lifetime = min(lifetime ?? limit, limit)
    }
    return lifetime?.expiryMilliseconds
  }

  /// The entry of a cell in the index of its root: the number of the index and the name of the
  /// field. Empty for a record.
  private mutating func indexEntry(of cell: Cell) -> [UInt8] {
    guard case .field(let root, let field) = cell else { return [] }
    let number =
      roots.firstIndex(of: root)
      ?? {
        roots.append(root)
        return roots.count - 1
      }()
    return Array("\(number + 1):\(field.rawValue)".utf8)
  }

  /// Runs the script. Sends the shapes that the server lacks in a second run.
  ///
  /// - Returns: `false` if something has changed meanwhile.
  /// - Throws: ``RedisError``
  nonisolated(nonsending) func send(_ changes: ChangeSet) async throws(RedisError) -> Bool {
    let numbers = shapes.keys.sorted()
    // A damaged shape is written again. The server has it, and would not ask for it.
    var lacking = Set(numbers.indices.filter { scope.shapes.isDamaged(numbers[$0]) }.map { $0 + 1 })
    let damagedCount = lacking.count
    for _ in 0..<3 {
      let value: RedisValue
      do throws(RedisError) {
        value = try await scope.client.run(
          command(numbers, lacking, changes), slot: scope.keys.slots[partition])
      } catch {
        if !error.meansUnchanged { scope.near.recordLostWrite(token, changes) }
        throw error
      }
      if case .error(let message) = value { throw RedisError(.server, detail: message) }
      switch WriteScript.Outcome(value, shapeCount: numbers.count) {
      case .committed(let meta):
        scope.setMeta(meta, partition, before: known)
        scope.near.recordOwnWrite(written, partition, meta, expiries: expiries)
        scope.shapes.noteWritten(lacking.map { numbers[$0 - 1] })
        // A server with shapes of this scope has lost its state, but maybe not its cells.
        sweepOldEpochs(ifStateWasLost: lacking.count < numbers.count || damagedCount > 0)
        return true
      case .wrongEpoch, .conflict: return false
      case .lacksShapes(let positions): lacking.formUnion(positions)
      case nil:
        scope.near.recordLostWrite(token, changes)
        throw RedisError(.malformedResponse)
      }
    }
    return false
  }

  /// The keys and arguments of the script.
  private func command(
    _ numbers: [Int64], _ lacking: Set<Int>, _ changes: ChangeSet
  ) -> (keys: [[UInt8]], arguments: [[UInt8]]) {
    var keys = [scope.keys.meta(partition)] + names
    keys += numbers.map { scope.keys.shape($0, partition) }
    keys += roots.map { scope.keys.index(of: $0, epoch, partition) }
    keys += wholeRoots.map { scope.keys.index(of: $0, known.epoch, partition) }
    var texts: [[UInt8]] = ["\(names.count)", "\(numbers.count)", known.epoch, newEpoch].map {
      Array($0.utf8)
    }
    texts.append(scope.keys.channel)
    texts.append(ChangeMessage.prefix(partition))
    let writer = scope.near.writer.prefix(ChangeMessage.cacheCount) + token
    texts.append(ChangeMessage.suffix(changes, from: Array(writer), partition))
    texts.append(Array("\(wholeRoots.count)".utf8))
    texts.append(Array("\(known.version)".utf8))
    texts += arguments
    for (index, number) in numbers.enumerated() {
      let isSent = lacking.contains(index + 1)
      let shape = isSent ? scope.shapes.shape(numbered: number) : nil
      texts.append(shape.map(ShapeDirectory.bytes) ?? [])
    }
    texts += wholeRoots.map { scope.keys.fieldPrefix($0, known.epoch, partition) }
    return (keys, texts)
  }

  /// Removes what is left of earlier epochs, if there may be any.
  private func sweepOldEpochs(ifStateWasLost hasLostState: Bool) {
    guard !newEpoch.isEmpty, clears || !known.epoch.isEmpty || hasLostState else { return }
    scope.sweep(partition)
  }
}

extension Duration {
  /// The most milliseconds after which a server is asked to remove a cell. It adds the time of day,
  /// and refuses a sum that it cannot count.
  private static let longestExpiry: Int64 = 1 << 53

  /// The milliseconds after which a server removes a cell with this lifetime, at least one.
  var expiryMilliseconds: Int64 {
    Int64(max(1, min(self / .milliseconds(1), Double(Self.longestExpiry))))
  }
}
