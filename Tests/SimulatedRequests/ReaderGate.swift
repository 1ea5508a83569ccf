import ApolloAPI

/// Keeps the reader of a subscription from the next event, as a program does that is still busy
/// with the last one.
final class ReaderGate: Sendable {
  private struct State {
    var isClosed = false
    var reader: CheckedContinuation<Void, Never>?
  }
  private let state = Lock(State())

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Indicates whether the reader waits: it still reads one event after the gate was closed.
  var holdsReader: Bool { state.withLock { $0.reader != nil } }

  /// Waits until the gate is open.
  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if state.isClosed { state.reader = continuation }
        return !state.isClosed
      }
      if isOpen { continuation.resume() }
    }
  }

  func close() { state.withLock { $0.isClosed = true } }

  func open() {
    let reader = state.withLock { state in
      defer { state = State() }
      return state.reader
    }
    reader?.resume()
  }
}
