/// The messages that wait until a connection has room for them.
///
/// They are not encoded yet, and there are never more of them than operations, besides one of each
/// other kind. So a server that does not read costs a bounded amount of memory, however many pings
/// it sends and however many subscriptions a program begins and drops.
///
/// | message | the waiting ones |
/// | :-- | :-- |
/// | `subscribe` | it waits behind them |
/// | `complete` | a `subscribe` with the same id is removed, and nothing is sent; else it waits |
/// | `ping`, `pong` | one that waits is replaced |
/// | `connection_init`, `connection_terminate` | it waits behind them |
struct Outbox<Request> {
  private var messages: [ClientMessage<Request>?] = []
  private var firstIndex = 0
  private var count = 0
  /// The indices of the messages of which one waits at most.
  private var indices: [Slot: Int] = [:]

  private enum Slot: Hashable {
    case subscribe(id: String)
    case ping, pong

    /// The slot of a message, or `nil` if any number of its kind can wait.
    init?(_ message: ClientMessage<Request>) {
      switch message {
      case .subscribe(let id, _): self = .subscribe(id: id)
      case .ping: self = .ping
      case .pong: self = .pong
      case .complete, .connectionInit, .connectionTerminate: return nil
      }
    }
  }

  mutating func append(_ message: ClientMessage<Request>) {
    switch message {
    case .subscribe(let id, _): append(message, .subscribe(id: id))
    case .ping: replace(.ping, by: message)
    case .pong: replace(.pong, by: message)
    case .complete(let id):
      if let index = indices.removeValue(forKey: .subscribe(id: id)) { return remove(at: index) }
      append(message, nil)
    case .connectionInit, .connectionTerminate: append(message, nil)
    }
  }

  /// Takes the message that has waited longest.
  mutating func removeFirst() -> ClientMessage<Request>? {
    while firstIndex < messages.count {
      let message = messages[firstIndex]
      messages[firstIndex] = nil
      firstIndex += 1
      guard let message else { continue }
      count -= 1
      if let slot = Slot(message) { indices[slot] = nil }
      compact()
      return message
    }
    return nil
  }

  private mutating func append(_ message: ClientMessage<Request>, _ slot: Slot?) {
    if let slot { indices[slot] = messages.count }
    messages.append(message)
    count += 1
  }

  private mutating func replace(_ slot: Slot, by message: ClientMessage<Request>) {
    if let index = indices[slot] { messages[index] = message } else { append(message, slot) }
  }

  private mutating func remove(at index: Int) {
    messages[index] = nil
    count -= 1
    compact()
  }

  /// Drops the places of messages that were taken or removed, when most places are empty.
  private mutating func compact() {
    guard messages.count > 64, count * 2 < messages.count else { return }
    messages = messages[firstIndex...].filter { $0 != nil }
    firstIndex = 0
    indices = [:]
    for (index, message) in messages.enumerated() {
      if let message, let slot = Slot(message) { indices[slot] = index }
    }
  }
}
