import ApolloTransport

/// Reads the events of a subscription in one task, which the end of the session cancels.
///
/// The task waits for the events, and reads one when it is wanted. So the program's task, which may
/// do other things as well, is never cancelled, and an event needs no task of its own.
///
/// | state | event | next state |
/// | :-- | :-- | :-- |
/// | `resting` | the call wants an event | `wanted` |
/// | `resting` | the task is ready | `ready` |
/// | `ready` | the call wants an event | `reading` |
/// | `wanted` | the task is ready | `reading` |
/// | `reading` | the event | `resting` |
/// | any but `reading` and `wanted` | the release of the reader | `ended` |
///
/// Isolation: `state` is guarded by a lock. Continuations are resumed outside of it.
final class EventReader: Sendable {
  typealias Event = Result<NetworkResponse?, any Error>

  // `indirect`: the layout of a continuation is unknown to the compiler.
  fileprivate enum State {
    case resting
    indirect case ready(CheckedContinuation<Bool, Never>)
    indirect case wanted(CheckedContinuation<Event, Never>)
    indirect case reading(CheckedContinuation<Event, Never>)
    case ended
  }

  /// The responses, which the task of the reader uses while an event is wanted.
  // `@unchecked Sendable` because of that, and because they are released when none is: `state` says
  // so.
  private final class Responses: @unchecked Sendable {
    private var iterator: NetworkResponses.Iterator?

    init(_ iterator: NetworkResponses.Iterator) { self.iterator = iterator }

    func next() async -> Event {
      do { return .success(try await iterator?.next()) } catch { return .failure(error) }
    }

    func release() { iterator = nil }
  }

  private let state: Lock<State>
  private let responses: Responses
  private let task: Task<Void, Never>
  /// Cancels the task at the end of the session.
  private let sessionObserver: CallSessionObserver

  init(_ iterator: NetworkResponses.Iterator, in session: CallSession) {
    let (responses, state) = (Responses(iterator), Lock(State.resting))
    let task = Task {
      while await state.isWanted { state.deliver(await responses.next()) }
    }
    (self.state, self.responses, self.task) = (state, responses, task)
    sessionObserver = session.onEnd { task.cancel() }
  }

  deinit {
    task.cancel()
    let before = state.exchange(.ended)
    // At once: the subscription ends with its iterator, and not when the task has noticed it.
    // Nobody reads, because who waits for an event keeps the reader.
    responses.release()
    if case .ready(let task) = before { task.resume(returning: false) }
  }

  /// Returns the next event. Cancelling the current task cancels all later ones too.
  func next() async -> Event {
    await withTaskCancellationHandler {
      await withCheckedContinuation { call in
        let ready = state.withLock { state -> CheckedContinuation<Bool, Never>? in
          guard case .ready(let task) = state else {
            state = .wanted(call)
            return nil
          }
          state = .reading(call)
          return task
        }
        ready?.resume(returning: true)
      }
    } onCancel: {
      task.cancel()
    }
  }
}

extension Lock<EventReader.State> {
  /// Waits until an event is wanted. Returns `false` when the reader was released.
  fileprivate var isWanted: Bool {
    get async {
      await withCheckedContinuation { task in
        let isWanted = withLock { state -> Bool? in
          switch state {
          case .resting, .ready, .reading:
            state = .ready(task)
            return nil
          case .wanted(let call):
            state = .reading(call)
            return true
          case .ended: return false
          }
        }
        if let isWanted { task.resume(returning: isWanted) }
      }
    }
  }

  fileprivate func deliver(_ event: EventReader.Event) {
    let call = withLock { state -> CheckedContinuation<EventReader.Event, Never>? in
      guard case .reading(let call) = state else { return nil }
      state = .resting
      return call
    }
    call?.resume(returning: event)
  }
}
