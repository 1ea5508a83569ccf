package import ApolloAPI

/// The closure that makes the changes of an optimistic layer.
package typealias OptimisticUpdate = @Sendable (ReadWriteTransaction) throws -> Void

/// The position of a mutation among all that were requested, which is the identity of its layer.
///
/// Mutations that wait to be sent, such as those of an offline queue, have numbers of their own
/// above all others: the server receives them later than everything that has been sent.
package struct LayerID: Hashable, Comparable, Sendable {
  let number: UInt64

  static let firstWaiting: UInt64 = 1 << 63

  fileprivate init(number: UInt64) { self.number = number }

  /// The layer of a waiting mutation, whose number orders it among the waiting ones.
  package init(waiting number: Int64) {
    self.init(number: Self.firstWaiting + UInt64(number))
  }

  /// The number of numbers that each queue has for its waiting mutations.
  fileprivate static let queueSize: Int64 = 1 << 48

  var isWaiting: Bool { number >= Self.firstWaiting }

  package static func < (left: LayerID, right: LayerID) -> Bool { left.number < right.number }
}

/// The position of a response among the layers.
package enum ResponsePosition: Sendable {
  /// Above every layer that exists.
  case newest
  /// Above the layers that existed when it was requested, and below later ones.
  case requested(after: LayerID)
  /// In place of the optimistic data of its mutation.
  case layer(LayerID)

  /// The position if it is not that of a layer, which waits.
  var amongRequests: ResponsePosition? { if case .layer = self { nil } else { self } }
}

/// One mutation between its request and the commit of its response.
package struct OptimisticLayer: Sendable {
  /// | content | visible | next |
  /// | :-- | :-- | :-- |
  /// | `reserved` | nothing | `optimistic`, `settled`, removed |
  /// | `optimistic` | the changes of the closure | `settled`, removed |
  /// | `settled` | the response | removed, when it is the oldest: its changes are committed |
  package enum Content: Sendable {
    /// Only the position is taken.
    case reserved
    /// The closure runs again whenever something that it has read below has changed.
    case optimistic(OptimisticUpdate)
    /// The server has responded, but not to every older mutation.
    case settled(SettledResponse)
  }

  package let id: LayerID
  package fileprivate(set) var content: Content
  /// The number of times that the contents of layers had changed when this one's did.
  package fileprivate(set) var revision: UInt64 = 0
  /// `true` if the mutation is in a queue that sends it again if this request is in vain.
  fileprivate var isQueued = false
}

/// A response to a mutation, before it is committed.
package struct SettledResponse: Sendable {
  package var records: RecordSet
  /// The closure that makes further changes above the records, whenever the records below have
  /// changed, until the commit.
  package var update: OptimisticUpdate?
  /// The changes of lists that directives of the operation ask for. They are made before `update`.
  var listChanges: [ListChange] = []
  /// The fields that only these changes have written in the commit.
  var edited = EditedPages()
  /// The fields with pages that a directive was to change and has left as they are: they have the
  /// item already, or a newer write has brought them.
  var confirmed = EditedPages()
  /// The facts to remember with the fields, or `nil` if the store does not track their ages.
  package var facts: WriteFacts?
  /// The position of the request in the order of requests.
  package var moment: RequestMoment?
  /// Indicates whether the response takes the place of optimistic data.
  var replacesLayer = false
  /// The fields that newer writes have replaced while the response waited. Readers have seen them,
  /// so the response of a mutation that was sent earlier does not come after them.
  var replaced: [WrittenFields] = []
  /// The fields of the parts of the response but the first one, and the positions from which
  /// readers have seen them.
  var laterParts: [(position: UInt64, fields: [WrittenFields])] = []
  /// The latest comparison with the order of requests.
  var check: OrderCheck?
  /// The values that were left out of the response because newer ones were about to be committed.
  var leftOut = LeftOutValues()
  /// The place of the response among the layers, if it is below some of them.
  var position: ResponsePosition?
  /// Keeps the request under way while the response waits: what other stores write in the meantime
  /// overtakes it.
  private var sent: SentRequest.Hold?

  package init(
    _ records: RecordSet, update: OptimisticUpdate? = nil, facts: WriteFacts? = nil,
    sent: SentRequest? = nil, attempt: UInt64? = nil
  ) {
    self.records = records
    self.update = update
    self.facts = facts
    self.sent = sent?.hold()
    moment = sent.flatMap { RequestMoment($0, attempt) }
  }

  /// Returns the response with a later part of it.
  ///
  /// Readers have seen the earlier ones before, so the position of these counts for what replaces
  /// them. Of what the later part brings, its own is noted as well (``laterParts``).
  func followed(by part: SettledResponse) -> SettledResponse {
    var whole = self
    whole.records = RecordSet(Array(records) + Array(part.records))
    whole.listChanges += part.listChanges
    whole.update = part.update ?? update
    (whole.check, whole.position) = (part.check, part.position)
    // No field looks newer, or stays fresh for longer, than it is.
    if let maxAge = part.facts?.maxAge {
      whole.facts?.maxAge = min(facts?.maxAge ?? maxAge, maxAge)
    }
    if let position = part.moment?.visibility {
      whole.laterParts.append((position, part.records.map { WrittenFields($0) }))
    }
    return whole
  }
}

/// The layers of a store in the order in which their mutations were requested. It decides which
/// responses can be committed.
///
/// A settled layer waits for an older mutation that has not ended. If it is the first,
/// ``takeFirstSettled(_:)`` removes it, to be committed.
package struct LayerStack: Sendable {
  package private(set) var layers: [OptimisticLayer] = []
  /// The latest layer of all times.
  package private(set) var latest = LayerID(number: 0)
  /// The number of times that the contents of layers have changed.
  private var revision: UInt64 = 0
  private var queueCount: Int64 = 0

  package init() {}

  package var isEmpty: Bool { layers.isEmpty }

  /// Indicates whether a layer has something to show.
  package var hasContents: Bool { layers.contains { !$0.isReserved } }

  package func contains(_ id: LayerID) -> Bool { index(of: id) != nil }

  private func index(of id: LayerID) -> Int? {
    let index = position(of: id)
    return index < layers.endIndex && layers[index].id == id ? index : nil
  }

  /// The index of a layer, or the one at which it would be: the layers are in ascending order.
  private func position(of id: LayerID) -> Int {
    var (low, high) = (layers.startIndex, layers.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if layers[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Adds a layer above all others but those that wait.
  package mutating func reserve() -> LayerID {
    latest = LayerID(number: latest.number + 1)
    insert(OptimisticLayer(id: latest, content: .reserved))
    return latest
  }

  private mutating func insert(_ layer: OptimisticLayer) {
    layers.insert(layer, at: position(of: layer.id))
  }

  /// Adds the layer of a mutation that waits to be sent, or replaces its content.
  ///
  /// - Returns: The content before. A caller with a lock releases it outside of the lock.
  @discardableResult
  package mutating func showWaiting(
    _ number: Int64, _ update: @escaping OptimisticUpdate
  ) -> OptimisticLayer.Content? {
    let id = LayerID(waiting: number)
    if index(of: id) == nil { insert(OptimisticLayer(id: id, content: .reserved)) }
    return set(id, to: .optimistic(update))
  }

  /// Returns the first of the numbers that no other queue of waiting mutations has.
  package mutating func addQueue() -> Int64 {
    defer { queueCount += 1 }
    return queueCount * LayerID.queueSize
  }

  /// Replaces the layer of a waiting mutation by one among those that have been sent.
  package mutating func beginSending(_ number: Int64, _ update: OptimisticUpdate?) -> LayerID {
    remove(LayerID(waiting: number))
    let id = reserve()
    if let update { set(id, to: .optimistic(update)) }
    if let index = index(of: id) { layers[index].isQueued = true }
    return id
  }

  /// Replaces the content of a layer, unless the layer was removed.
  ///
  /// - Returns: The content before. A caller with a lock releases it outside of the lock.
  @discardableResult
  package mutating func set(
    _ id: LayerID, to content: OptimisticLayer.Content
  ) -> OptimisticLayer.Content? {
    guard let index = index(of: id) else { return nil }
    defer { setContent(of: index, to: content) }
    return layers[index].content
  }

  private mutating func setContent(of index: Int, to content: OptimisticLayer.Content) {
    revision += 1
    layers[index].content = content
    layers[index].revision = revision
  }

  /// Removes a layer that has no content.
  ///
  /// - Returns: `false` if it has content, or was removed before.
  package mutating func removeReserved(_ id: LayerID) -> Bool {
    guard let index = index(of: id), layers[index].isReserved else { return false }
    layers.remove(at: index)
    return true
  }

  /// Removes a layer, unless it was settled.
  ///
  /// - Returns: The layer, or `nil` if it was settled or removed before.
  @discardableResult
  package mutating func remove(_ id: LayerID) -> OptimisticLayer? {
    guard let index = index(of: id), layers[index].response == nil else { return nil }
    return layers.remove(at: index)
  }

  /// Indicates whether the mutation of a layer has not ended.
  package func isPending(_ id: LayerID) -> Bool {
    index(of: id).map { layers[$0].response == nil } ?? false
  }

  /// Removes and returns every layer of a mutation that has been sent. Those that wait remain, and
  /// those that a queue sends as long as there is no response.
  @discardableResult
  package mutating func removeAll() -> [OptimisticLayer] {
    let removed = layers.filter { !$0.survivesClearing }
    layers.removeAll { !$0.survivesClearing }
    return removed
  }

  /// Removes the layers of waiting mutations.
  ///
  /// - Parameter queue: The first number of their queue.
  /// - Returns: The layers.
  package mutating func removeWaiting(of queue: Int64) -> [OptimisticLayer] {
    let ids = LayerID(waiting: queue)..<LayerID(waiting: queue + LayerID.queueSize)
    let removed = layers.filter { ids.contains($0.id) }
    layers.removeAll { ids.contains($0.id) }
    return removed
  }

  /// Indicates whether a layer is that of a mutation in a queue, which was sent.
  func isQueued(_ id: LayerID) -> Bool { index(of: id).map { layers[$0].isQueued } ?? false }

  /// Removes the first layer if it is settled, and is the one that is asked for.
  ///
  /// - Parameter id: The layer, or `nil` for any.
  /// - Returns: Its response, which waits for no other mutation.
  package mutating func takeFirstSettled(_ id: LayerID? = nil) -> SettledResponse? {
    guard let first = layers.first, id == nil || first.id == id, let response = first.response
    else { return nil }
    layers.removeFirst()
    return response
  }

  /// Indicates whether ``takeFirstSettled(_:)`` has a response to return.
  package var isFirstSettled: Bool { layers.first?.response != nil }

  /// Returns the response of a layer, if it has settled.
  func response(of id: LayerID) -> SettledResponse? {
    index(of: id).flatMap { layers[$0].response }
  }

  /// Indicates whether a layer shows optimistic data.
  func isOptimistic(_ id: LayerID) -> Bool {
    guard let index = index(of: id), case .optimistic = layers[index].content else { return false }
    return true
  }

  /// Indicates whether a settled layer waits for an older mutation.
  package var hasSettled: Bool { layers.contains { $0.response != nil } }

  /// Takes newer data over into the settled layers, which would hide it otherwise, and replace it
  /// when they are committed.
  ///
  /// - Parameters:
  ///   - mutations: The changes of a commit below the layers.
  ///   - position: Layers above this one are newer than the data.
  ///   - maxAge: The maximum age in seconds that the server has sent with the data.
  package mutating func update(
    with mutations: [CacheMutation], at position: ResponsePosition, maxAge: Double? = nil
  ) {
    for index in layers.indices {
      if case .requested(let latest) = position, latest < layers[index].id { continue }
      guard var response = layers[index].response else { continue }
      var isChanged = false
      for mutation in mutations where response.update(with: mutation, maxAge: maxAge) {
        isChanged = true
      }
      if isChanged { setContent(of: index, to: .settled(response)) }
    }
  }
}

extension SettledResponse {
  /// Replaces the values of fields that a newer change has, and removes records that it removes.
  ///
  /// Newer values count as old as the response, and expire with whichever expires first.
  ///
  /// - Returns: Whether the change concerns the response.
  fileprivate mutating func update(with mutation: CacheMutation, maxAge: Double?) -> Bool {
    var isChanged = false
    let count = records.count
    switch mutation {
    case .merge(let newer):
      let newer = Dictionary(grouping: newer, by: \.key)
      records.update { record in
        for incoming in newer[record.key] ?? [] {
          for (field, value) in incoming.fields {
            guard let own = record.fields[field] else { continue }
            record.fields[field] = own.takingOver(value)
            isChanged = true
          }
        }
      }
      if isChanged, let maxAge {
        let own = facts?.maxAge ?? maxAge
        facts?.maxAge = min(own, maxAge)
      }
    case .remove(let key): remove { $0 == key }
    case .removeMatching(let pattern):
      remove { !pattern.isEmpty && $0.contains(ignoringCase: pattern) }
    case .clear: records = RecordSet()
    }
    return isChanged || records.count != count
  }

  /// Removes records that a newer change removes. Their fields count as replaced: readers have seen
  /// them.
  private mutating func remove(where isRemoved: (RecordKey) -> Bool) {
    let removed = records.filter { isRemoved($0.key) }
    guard !removed.isEmpty else { return }
    replaced += removed.map { WrittenFields($0) }
    records = RecordSet(records.filter { !isRemoved($0.key) })
  }
}

extension OptimisticLayer {
  /// Indicates whether there is nothing to show.
  var isReserved: Bool {
    if case .reserved = content { true } else { false }
  }

  /// Indicates whether the layer stays when the cache is cleared.
  fileprivate var survivesClearing: Bool {
    if id.isWaiting { return true }
    if case .optimistic = content { return isQueued }
    return false
  }

  var response: SettledResponse? {
    if case .settled(let response) = content { response } else { nil }
  }
}
