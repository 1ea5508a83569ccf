import ApolloAPI
import ApolloCache

/// A model of layers above records, in the simplest way: everything is computed anew each time.
struct LayerModel {
  enum Content {
    case reserved
    case optimistic(OptimisticChange)
    case settled(RecordSet)
  }
  struct Layer {
    let id: LayerID
    /// `true` for a mutation of a queue. Its response is in the base at once.
    let isQueued: Bool
    var content: Content

    var survivesClearing: Bool {
      if case .optimistic = content { isQueued } else { false }
    }
  }

  private(set) var base = RecordTable()
  private(set) var layers: [Layer] = []

  /// The base with the layers applied in order.
  var visible: RecordTable {
    var table = base
    for layer in layers {
      switch layer.content {
      case .reserved: break
      case .optimistic(let change): change.apply(to: &table)
      case .settled(let records): _ = table.merge(records)
      }
    }
    return table
  }

  mutating func reserve(_ id: LayerID, isQueued: Bool = false) {
    layers.append(Layer(id: id, isQueued: isQueued, content: .reserved))
  }

  mutating func show(_ id: LayerID, _ change: OptimisticChange) {
    if let index = index(of: id) { layers[index].content = .optimistic(change) }
  }

  mutating func settle(_ id: LayerID, _ records: RecordSet) {
    guard let index = index(of: id) else { return write([.merge(records)], newerThan: id) }
    // A later part of a response adds to the earlier ones.
    if case .settled(let earlier) = layers[index].content {
      layers[index].content = .settled(RecordSet(Array(earlier) + Array(records)))
    } else {
      layers[index].content = .settled(records)
    }
    if layers[index].isQueued { _ = base.merge(records) }
    commitSettled()
  }

  mutating func remove(_ id: LayerID) {
    guard let index = index(of: id) else { return }
    if case .settled = layers[index].content { return }
    layers.remove(at: index)
    commitSettled()
  }

  /// Changes the base. The change is newer than the layers up to `latest`, or than all if that is
  /// `nil`.
  mutating func write(_ mutations: [CacheMutation], newerThan latest: LayerID?) {
    _ = base.apply(mutations)
    for mutation in mutations {
      if case .clear = mutation { layers.removeAll { !$0.survivesClearing } }
    }
    for index in layers.indices where latest.map({ layers[index].id <= $0 }) ?? true {
      guard case .settled(let records) = layers[index].content else { continue }
      var table = RecordTable()
      _ = table.merge(records)
      for mutation in mutations { table.overwrite(with: mutation) }
      var left: [Record] = []
      table.forEach { left.append(Record(key: $0, fields: $1)) }
      layers[index].content = .settled(RecordSet(left))
    }
  }

  private mutating func commitSettled() {
    while case .settled(let records)? = layers.first?.content {
      _ = base.merge(records)
      layers.removeFirst()
    }
  }

  private func index(of id: LayerID) -> Int? { layers.firstIndex { $0.id == id } }
}

extension RecordTable {
  /// Lets a newer change replace the fields that are here, and remove records.
  fileprivate mutating func overwrite(with mutation: CacheMutation) {
    guard case .merge(let records) = mutation else {
      _ = apply([mutation])
      return
    }
    for record in records {
      guard let known = fields(of: record.key) else { continue }
      let common = record.fields.filter { known[$0.key] != nil }.map { ($0.key, $0.value) }
      _ = merge([Record(key: record.key, fields: FieldMap(common))])
    }
  }

  /// The records as a dictionary.
  var dictionary: [RecordKey: FieldMap] {
    var result: [RecordKey: FieldMap] = [:]
    forEach { result[$0] = $1 }
    return result
  }
}

/// A change that a layer makes, as data: the store runs it as a closure, the model applies it.
enum OptimisticChange {
  struct Failure: Error {}

  case merge(RecordSet)
  /// Adds to a number that is there. Throws, after another change, if it is not.
  case increment(RecordKey, FieldKey)
  case remove(RecordKey)
  case removeMatching(String)
  case clear

  var update: OptimisticUpdate {
    { transaction in
      switch self {
      case .merge(let records): try transaction.merge(records)
      case .increment(let key, let field):
        try transaction.merge([key: ["touched": true]])
        guard case .int(let number)? = try transaction.record(for: key)?[field] else {
          throw Failure()
        }
        try transaction.merge([key: FieldMap([(field, .int(number + 1))])])
      case .remove(let key): try transaction.removeObject(for: key)
      case .removeMatching(let pattern): try transaction.removeObjects(matching: pattern)
      case .clear: try transaction.clear()
      }
    }
  }

  func apply(to table: inout RecordTable) {
    switch self {
    case .merge(let records): _ = table.merge(records)
    case .increment(let key, let field):
      guard case .int(let number)? = table.fields(of: key)?[field] else { return }
      _ = table.merge([
        Record(key: key, fields: FieldMap([("touched", true), (field, .int(number + 1))]))
      ])
    case .remove(let key): _ = table.remove(key)
    case .removeMatching(let pattern): _ = table.apply([.removeMatching(pattern)])
    case .clear: table = RecordTable()
    }
  }
}
