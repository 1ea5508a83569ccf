internal import ApolloAPI
internal import ApolloCache
private import struct Foundation.Date

/// The cells after a write, computed from those that are there now.
///
/// 1. List the cells that the changes touch, and read them.
/// 2. Apply the changes in order.
/// 3. Send the cells that differ to their partitions, with the tokens of all cells that the result
///    depends on.
struct WritePlan {
  private let scope: RedisScope
  /// The cells as they were read.
  private var stored: [Cell: StoredCell]
  private var metas: [Int: Meta]
  /// The cells after the write, of those that differ. `nil` if a cell is removed.
  private var results: [Cell: FieldMap?] = [:]
  private var clears = false
  private var changes = ChangeSet()
  private let reads: RedisReads
  /// The write that the fields are from, or `nil` if they do not remember it.
  private let stamp: CellStamp?
  /// The writes of the fields of those results that remember them.
  private var writes: [Cell: CellWrites] = [:]
  /// The cells that are written again with equal values. Others must forget how old they were.
  private var refreshed = ChangeSet()
  /// The cells that stay as they are, although they were written again with equal values.
  private var unchanged: Set<Cell> = []
  /// Indicates whether cells with equal values get new tokens.
  private let writesUnchanged: Bool

  /// Computes a write.
  ///
  /// - Parameters:
  ///   - mutations: The changes.
  ///   - scope: The scope.
  ///   - reads: What the changes depend on, as it was read.
  ///   - stamp: The write that the fields are from.
  ///   - writesUnchanged: Whether cells with equal values get new tokens, so that an older write
  ///     which has read them finds them changed.
  /// - Throws: The failures of the server.
  init(
    _ mutations: [CacheMutation], in scope: RedisScope, after reads: RedisReads,
    stamp: CellStamp? = nil, writesUnchanged: Bool = false
  ) async throws(RedisError) {
    self.scope = scope
    self.stamp = stamp
    self.writesUnchanged = writesUnchanged
    var reads = reads
    reads.noteAbsentFields(of: mutations)
    self.reads = reads
    var patterns: Set<String> = []
    var touched: Set<Cell> = []
    var hasCleared = false
    for mutation in mutations {
      switch mutation {
      case .merge(let records):
        if !hasCleared { for record in records { touched.formUnion(record.cells) } }
      case .remove(let key) where key.isRoot:
        // All cells of a root that was read whole were read.
        if !hasCleared, !reads.wholeRoots.contains(key) {
          touched.formUnion(try await scope.cells(ofRoot: key))
        }
      case .remove(let key):
        if !hasCleared { touched.insert(.record(key)) }
      case .removeMatching(let pattern):
        guard !hasCleared, !pattern.isEmpty, patterns.insert(pattern).inserted else { continue }
        let matching = try await scope.cells(matching: pattern)
        touched.formUnion(matching.filter { !reads.wholeRoots.contains($0.record) })
      case .clear: hasCleared = true
      }
    }
    // Those that were read already are not read again: their tokens are checked.
    let fetched = try await scope.fetch(touched.subtracting(reads.cells.keys))
    stored = fetched.cells.merging(reads.cells) { $1 }
    metas = fetched.metas
    if hasCleared {
      let others = (0..<scope.keys.partitionCount).filter { fetched.metas[$0] == nil }
      for (partition, meta) in zip(others, try await scope.loadMetas(others)) {
        metas[partition] = meta
      }
    }
    var merger = RecordMerger()
    for mutation in mutations { apply(mutation, &merger) }
  }

  // MARK: - Applying changes

  private func fields(of cell: Cell) -> FieldMap? {
    if let result = results[cell] { return result }
    return clears ? nil : stored[cell]?.fields
  }

  private mutating func apply(_ mutation: CacheMutation, _ merger: inout RecordMerger) {
    switch mutation {
    case .merge(let records):
      for record in records { merge(record, &merger) }
    case .remove(let key):
      remove { $0.record == key }
    case .removeMatching(let pattern):
      guard !pattern.isEmpty else { return }
      let pattern = KeyPattern(pattern)
      remove { $0.record.identity.withBytes(pattern.isContained) }
    case .clear:
      clears = true
      results = [:]
      writes = [:]
      changes = .everything
    }
  }

  private mutating func merge(_ record: Record, _ merger: inout RecordMerger) {
    for (cell, incoming) in record.cellContents {
      guard var known = fields(of: cell) else {
        results[cell] = incoming
        writes[cell] = stamp?.writes(of: record.key, merging: incoming)
        changes.insert(cell.changes(incoming.allChanged), of: record.key)
        continue
      }
      let before = writes[cell] ?? (clears ? nil : stored[cell]?.writes)
      let old = known
      let outcome = merger.update(&known, with: incoming)
      if let changed = outcome.changed {
        changes.insert(changed, of: record.key)
      } else if let stamp, stamp.renews(incoming, writtenBy: before) {
        refreshed.insert(cell.changes(incoming.allChanged), of: record.key)
      } else if !writesUnchanged {
        unchanged.insert(cell)
        continue  // a newer object with equal values need not be written
      }
      results[cell] = known
      writes[cell] =
        stamp.map {
          $0.writes(
            of: record.key, after: before, of: old, merging: incoming, into: known,
            outcome.changed)
        } ?? before.map { .each($0.numbers(of: old)) }
    }
  }

  private mutating func remove(_ isRemoved: (Cell) -> Bool) {
    for cell in Set(stored.keys).union(results.keys) where isRemoved(cell) {
      guard fields(of: cell) != nil || !(stored[cell]?.token.isEmpty ?? true) else { continue }
      results[cell] = .some(nil)
      writes[cell] = nil
      changes.insert(cell.changes(.all), of: cell.record)
    }
  }

  // MARK: - Committing

  /// Sends the write to its partitions.
  ///
  /// If it ends between two partitions, no commit will contain the changes of those that were
  /// written. They are reported to the stores like the changes of others.
  ///
  /// - Parameter hasWritten: Becomes `true` when a partition was written, or may have been.
  /// - Returns: The changes, or `nil` if something that the write depends on has changed. A write
  ///   to several partitions may have changed some of them then.
  /// - Throws: The failures of the server.
  nonisolated(nonsending) func commit(noting hasWritten: inout Bool) async throws -> ChangeSet? {
    var partitions: [Int: [Cell]] = [:]
    if clears { for partition in 0..<scope.keys.partitionCount { partitions[partition] = [] } }
    for cell in results.keys {
      partitions[scope.keys.partition(of: cell), default: []].append(cell)
    }
    // A transaction that changes nothing needs no check: what it has read was of one moment.
    guard !partitions.isEmpty else {
      renewUnchanged()
      return changes
    }
    for cell in reads.cells.keys where results[cell] == nil {
      partitions[scope.keys.partition(of: cell), default: []].append(cell)
    }
    let order = partitions.sorted { $0.key < $1.key }
    for (index, (partition, cells)) in order.enumerated() {
      do {
        guard try await commit(cells, partition) else {
          reportChanges(of: order.prefix(index).map(\.value))
          return nil
        }
        hasWritten = true
      } catch {
        reportChanges(of: order.prefix(index).map(\.value))
        if !((error as? RedisError)?.meansUnchanged ?? false) { hasWritten = true }
        throw error
      }
    }
    renewUnchanged()
    return changes
  }

  /// Reports what was written in some partitions to the stores. The messages of these writes do
  /// not, because they are messages of this process.
  private func reportChanges(of partitions: [[Cell]]) {
    guard !partitions.isEmpty else { return }
    scope.changes.add(message(of: Array(partitions.joined())))
  }

  /// Returns the changes that others must know when some cells are written.
  private func message(of cells: [Cell]) -> ChangeSet {
    var message = changes
    message.formUnion(refreshed)
    return message.of(cells)
  }

  /// Lets the server keep the unchanged cells for longer, up to the maximum ages of their fields.
  private func renewUnchanged() {
    guard let lifetime = scope.lifetime, !clears else { return }
    let now = stamp?.write.time ?? Date().timeIntervalSince1970
    var lifetimes: [Cell: Duration] = [:]
    for cell in unchanged where results[cell] == nil {
      guard let known = stored[cell], let fields = known.fields else { continue }
      let limit = known.writes.flatMap { CellWrite.lifetime(of: fields, $0, from: now) }
      lifetimes[cell] = min(lifetime, limit ?? lifetime)
    }
    if !lifetimes.isEmpty { scope.renew(lifetimes) }
  }

  private nonisolated(nonsending) func commit(
    _ cells: [Cell], _ partition: Int
  ) async throws -> Bool {
    let known =
      reads.wholeRoots.isEmpty
      ? metas[partition] ?? scope.meta(partition) : reads.metas[partition] ?? .empty
    var write = PartitionWrite(
      scope, partition, known, clears: clears, wholeRoots: reads.wholeRoots,
      at: stamp?.write.time)
    for cell in cells {
      let isRead = reads.cells[cell] != nil
      let expected = clears && !isRead ? nil : stored[cell]?.token ?? []
      try write.add(cell, expected: expected, result: results[cell], writes[cell])
    }
    return try await write.send(message(of: cells))
  }
}

extension Cell {
  /// Returns the changes of the cell: one field of a root, or those of a record.
  fileprivate func changes(_ fields: ChangedFields) -> ChangedFields {
    switch self {
    case .record: fields
    case .field(_, let field): .listed([field])
    }
  }
}

extension ChangeSet {
  /// Returns the changes of the records of some cells.
  fileprivate func of(_ cells: [Cell]) -> ChangeSet {
    guard !includesEverything else { return self }
    let records = Set(cells.map(\.record))
    var changes = ChangeSet()
    for entry in entries where records.contains(entry.record) {
      changes.insert(entry.fields, of: entry.record)
    }
    return changes
  }
}

extension Record {
  fileprivate var cells: [Cell] {
    key.isRoot ? fields.keys.map { .field(key, $0) } : [.record(key)]
  }

  fileprivate var cellContents: [(Cell, FieldMap)] {
    guard key.isRoot else { return [(.record(key), fields)] }
    return fields.map { (.field(key, $0.key), FieldMap(distinct: [$0.key], values: [$0.value])) }
  }
}
