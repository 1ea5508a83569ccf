internal import ApolloAPI
internal import ApolloRecording
internal import ApolloTransport
internal import Foundation

/// The latest events of calls, numbered from 1.
///
/// `entries` is a ring: the event *n* is at the index *n* modulo the capacity.
final class CallLog: Sendable {
  private struct Entry {
    var event: CallEvent
    var date: Date
  }

  private struct State {
    var entries: [Entry] = []
    var latest = 0
  }

  private let capacity: Int
  private let redaction: RecordingRedaction
  private let state = Lock(State())

  init(capacity: Int, _ redaction: RecordingRedaction) {
    self.capacity = max(capacity, 1)
    self.redaction = redaction
  }

  /// The number of the latest event, or 0.
  var latest: Int { state.withLock { $0.latest } }

  func append(_ event: CallEvent) {
    let entry = Entry(event: event, date: Date())
    let replaced = state.withLock { state -> Entry? in
      state.latest += 1
      // The first event is at the index 0.
      let index = (state.latest - 1) % capacity
      guard index < state.entries.count else {
        state.entries.append(entry)
        return nil
      }
      defer { state.entries[index] = entry }
      return state.entries[index]
    }
    withExtendedLifetime(replaced) {}  // an error of the program is released outside of the lock
  }

  /// Returns the events after one, the earliest first, as far as they are kept.
  func events(after number: Int, atMost count: Int) -> (events: [JSONValue], latest: Int) {
    let (kept, latest) = state.withLock { state in
      // `number` can be any: it is from the address of a request.
      let first = min(max(number, state.latest - state.entries.count), state.latest)
      let numbers = first..<(first + min(count, state.latest - first))
      return (numbers.map { ($0 + 1, state.entries[$0 % capacity]) }, state.latest)
    }
    return (kept.map { json($0, $1) }, latest)
  }

  private func json(_ number: Int, _ entry: Entry) -> JSONValue {
    let event = entry.event
    let (call, kind) = (event.call, event.kind)
    var members: [String: JSONValue] = [
      "number": .int(Int64(number)), "call": .string("\(call.id)"),
      "operation": .string(call.spanName), "at": .double(entry.date.timeIntervalSince1970),
      "milliseconds": .double(milliseconds(event.time)), "kind": .string(kind.name),
      "text": .string("\(kind)".dropFirst(kind.name.count).trimmingCharacters(in: .whitespaces)),
    ]
    if kind.isTerminal { members["isLast"] = true }
    switch kind {
    case .began: members["variables"] = variables(of: call).map(JSONValue.string)
    case .requestBuilt(let request): members["headers"] = lines(request.headers)
    case .firstByte(let response): members["headers"] = lines(response.headers)
    default: break
    }
    return .object(members)
  }

  private func milliseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return (Double(seconds) * 1e4 + Double(attoseconds) / 1e14).rounded() / 10
  }

  private func lines(_ headers: [LoggedHeader]) -> JSONValue? {
    headers.isEmpty ? nil : .array(headers.map { .string("\($0)") })
  }

  /// The greatest number of bytes of variables that the page shows.
  private static let mostBytes = 20_000

  /// Returns the variables as JSON text, without secrets, or `nil` if there are none.
  private func variables(of call: CallEvent.Call) -> String? {
    let variables = call.variables
    guard !variables.isEmpty else { return nil }
    var writer = JSONWriter()
    writer.writeObject(variables.map { ($0.name, $0.value.reveal()) })
    let bytes = redaction.variables(writer.bytes)
    guard bytes.count > Self.mostBytes else { return String(decoding: bytes, as: UTF8.self) }
    return String(decoding: bytes.prefix(Self.mostBytes), as: UTF8.self) + " …"
  }
}
