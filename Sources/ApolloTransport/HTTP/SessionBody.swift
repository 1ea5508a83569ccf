import Foundation

/// The body of a response to the user of a session. Reading it throws `CancellationError` once the
/// session has ended.
final class SessionBody: HTTPBody {
  private let base: any HTTPBody
  private let session: CallSession
  private let observer: CallSessionObserver

  init(_ base: any HTTPBody, _ session: CallSession) {
    self.base = base
    self.session = session
    observer = session.onEnd { base.cancel() }
  }

  func next() async throws -> Data? { try await checking { try await base.next() } }

  func rest() async throws -> Data { try await checking { try await base.rest() } }

  var hasBufferedBytes: Bool { base.hasBufferedBytes }

  func noteArrivals(_ arrivals: EventArrivals) { base.noteArrivals(arrivals) }

  func cancel() { base.cancel() }

  private func checking<Value>(_ read: () async throws -> Value) async throws -> Value {
    let value = try await read()
    // A body that has arrived as a whole cannot be cancelled.
    try session.check()
    return value
  }
}
