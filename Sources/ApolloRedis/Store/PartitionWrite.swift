internal import ApolloAPI
internal import ApolloCache

/// The part of a write that belongs to one partition: one run of ``WriteScript``.
struct PartitionWrite {
  private let scope: RedisScope
  private let partition: Int
  private let known: Meta
  /// The epoch that begins with the write, or an empty text.
  private let newEpoch: String
  /// The time of the write in seconds since 1970, or `nil` if it is not remembered.
  private let time: Double?
  private let token: [UInt8] = (0..<CellCoder.tokenCount).map { _ in .random(in: .min ... .max) }

  private var names: [[UInt8]] = []
  private var arguments: [[UInt8]] = []
  private var shapes: [Int64: RecordShape] = [:]
  private var written: [(Cell, CellContents?)] = []

  init(
    _ scope: RedisScope, _ partition: Int, _ known: Meta, clears: Bool, at time: Double? = nil
  ) {
    self.time = time
    self.scope = scope
    self.partition = partition
    self.known = known
    newEpoch = clears || known.epoch.isEmpty ? Meta.newEpoch() : ""
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
    _ cell: Cell, expected: [UInt8]?, result: FieldMap??, _ writes: FieldMap? = nil
  ) throws {
    let isOfOldEpoch = expected != nil && !known.epoch.isEmpty
    let name = scope.keys.key(of: cell, isOfOldEpoch ? known.epoch : epoch, partition)
    if isOfOldEpoch, !newEpoch.isEmpty {
      // Checked in the epoch that ends, written in the one that begins.
      names.append(name)
      arguments += [expected ?? [], [UInt8(ascii: "=")], []]
      if let result { try add(cell, expected: nil, result: result, writes) }
      return
    }
    names.append(name)
    arguments.append(expected ?? [UInt8(ascii: "*")])
    switch result {
    case nil: arguments += [[UInt8(ascii: "=")], []]
    case .some(nil):
      arguments += [[], []]
      written.append((cell, nil))
    case .some(let fields?):
      arguments.append(
        try scope.coder.encode(fields, writes, under: name, token: token, shapes: &shapes))
      arguments.append(lifetime(of: fields, writes))
      written.append((cell, CellContents(fields: fields, writes: writes)))
    }
  }

  /// The lifetime of a cell in milliseconds, as text: that of all cells, or until the server's
  /// maximum ages of all its fields have passed. Empty if there is none.
  private func lifetime(of fields: FieldMap, _ writes: FieldMap?) -> [UInt8] {
    var lifetime = scope.lifetime
    if let writes, let time, let limit = CellWrite.lifetime(of: fields, writes, from: time) {
      lifetime = min(lifetime ?? limit, limit)
    }
    guard let lifetime else { return [] }
    return Array("\(max(1, Int(lifetime / .milliseconds(1))))".utf8)
  }

  /// Runs the script. Sends the shapes that the server lacks in a second run.
  ///
  /// - Returns: `false` if something has changed meanwhile.
  /// - Throws: ``RedisError``
  nonisolated(nonsending) func send(_ changes: ChangeSet) async throws(RedisError) -> Bool {
    let numbers = shapes.keys.sorted()
    var lacking: Set<Int> = []
    for _ in 0..<3 {
      let value = try await scope.client.run(
        command(numbers, lacking, changes), slot: scope.keys.slots[partition])
      if case .error(let message) = value { throw RedisError(.server, detail: message) }
      switch WriteScript.Outcome(value) {
      case .committed(let meta):
        scope.setMeta(meta, partition)
        scope.near.recordOwnWrite(written, partition, meta)
        sweepOldEpoch()
        return true
      case .wrongEpoch, .conflict: return false
      case .lacksShapes(let positions): lacking.formUnion(positions)
      case nil: throw RedisError(.malformedResponse)
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
    var texts: [[UInt8]] = ["\(names.count)", "\(numbers.count)", known.epoch, newEpoch].map {
      Array($0.utf8)
    }
    texts.append(scope.keys.channel)
    texts.append(ChangeMessage.prefix(partition))
    texts.append(ChangeMessage.suffix(changes, from: scope.near.writer, partition))
    texts += arguments
    for (index, number) in numbers.enumerated() {
      let isSent = lacking.contains(index + 1)
      let shape = isSent ? scope.shapes.shape(numbered: number) : nil
      texts.append(shape.map(ShapeDirectory.bytes) ?? [])
    }
    return (keys, texts)
  }

  private func sweepOldEpoch() {
    guard !newEpoch.isEmpty, !known.epoch.isEmpty else { return }
    let (scope, partition, old) = (scope, partition, known.epoch)
    Task.detached(priority: .utility) { await scope.sweep(old, partition) }
  }
}
