import Dispatch

/// Something that happens once. Tasks and threads wait for it; nobody sleeps.
package final class Signal: Sendable {
  private struct State {
    var fired = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Guarded(State())
  private let group = DispatchGroup()

  package init() { group.enter() }

  deinit { fire() }

  /// Lets everybody who waits, now or later, go on. Firing again does nothing.
  package func fire() {
    let waiters: [CheckedContinuation<Void, Never>]? = state.withLock { state in
      if state.fired { return nil }
      state.fired = true
      defer { state.waiters = [] }
      return state.waiters
    }
    guard let waiters else { return }
    group.leave()
    for waiter in waiters { waiter.resume() }
  }

  /// Suspends the task until the signal fires.
  package func wait() async {
    await withCheckedContinuation { waiter in
      let fired = state.withLock { state in
        if !state.fired { state.waiters.append(waiter) }
        return state.fired
      }
      if fired { waiter.resume() }
    }
  }

  /// Blocks the thread, one of a server's connections, until the signal fires.
  package func block() { group.wait() }
}
