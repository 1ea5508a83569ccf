import ApolloAPI
import Foundation
import Testing

@testable import ApolloOffline

/// The threads on which a queue works.
@Suite(.timeLimit(.minutes(10)))
struct QueuePlaceTests {
  /// A part of a queue's executor.
  private actor Worker {
    private let place: QueuePlace
    nonisolated var unownedExecutor: UnownedSerialExecutor { place.unownedExecutor }

    init(_ place: QueuePlace) { self.place = place }

    /// Returns whether the actor goes on where its continuation was resumed: on a thread that does
    /// something else, such as a store's writer that ends its turn.
    func goesOnWhereItIsResumed() async -> Bool {
      let resumer = Lock<Thread?>(nil)
      let isCompared = DispatchSemaphore(value: 0)
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let thread = Thread {
          continuation.resume()
          isCompared.wait()
        }
        resumer.withLock { $0 = thread }
        thread.start()
      }
      defer { isCompared.signal() }
      return Self.isCurrent(resumer.get())
    }

    private static func isCurrent(_ thread: Thread?) -> Bool { Thread.current === thread }
  }

  @Test(arguments: [true, false])
  func aQueueDoesNotWorkOnTheThreadThatResumesIt(waits: Bool) async {
    #expect(await Worker(QueuePlace(waits: waits)).goesOnWhereItIsResumed() == false)
  }

  /// The job that releases a queue is one of the queue itself.
  @Test(arguments: [true, false])
  func aQueueMayBeReleasedByItsOwnJob(waits: Bool) async {
    var worker: Worker? = Worker(QueuePlace(waits: waits))
    weak let released = worker
    _ = await worker?.goesOnWhereItIsResumed()
    worker = nil
    while released != nil { await Task.yield() }
  }
}
