public import Apollo
public import Dispatch

// The calls without 'await', as Apollo iOS 1.x has them. Each takes effect before it returns, so
// that calls in a row are performed in their order.
extension GraphQLQueryPager {
  /// Loads the next page.
  ///
  /// - Parameters:
  ///   - cachePolicy: The order in which the cache and the server are used.
  ///   - callbackQueue: The queue on which the completion handler is called.
  ///   - completion: A closure that receives the reason why no page was loaded, or `nil` at the end
  ///     of the fetch. Errors of the server and of the connection are results of the pager.
  public func loadNext(
    cachePolicy: CachePolicy = .returnCacheDataAndFetch, callbackQueue: DispatchQueue = .main,
    completion: (@Sendable (PaginationError?) -> Void)? = nil
  ) {
    load(.next, PageFetch(cachePolicy), callbackQueue, completion)
  }

  /// Loads the previous page.
  ///
  /// - Parameters:
  ///   - cachePolicy: The order in which the cache and the server are used.
  ///   - callbackQueue: The queue on which the completion handler is called.
  ///   - completion: A closure that receives the reason why no page was loaded, or `nil` at the end
  ///     of the fetch. Errors of the server and of the connection are results of the pager.
  public func loadPrevious(
    cachePolicy: CachePolicy = .returnCacheDataAndFetch, callbackQueue: DispatchQueue = .main,
    completion: (@Sendable (PaginationError?) -> Void)? = nil
  ) {
    load(.previous, PageFetch(cachePolicy), callbackQueue, completion)
  }

  /// Loads all pages from the server, and delivers them together.
  ///
  /// - Parameters:
  ///   - fetchFromInitialPage: `true` to begin again with the initial page, `false` to go on from
  ///     the pages that are there.
  ///   - callbackQueue: The queue on which the completion handler is called.
  ///   - completion: A closure that receives the reason why not all pages were loaded, or `nil`.
  ///     Errors of the server and of the connection are results of the pager.
  public func loadAll(
    fetchFromInitialPage: Bool = true, callbackQueue: DispatchQueue = .main,
    completion: (@Sendable (PaginationError?) -> Void)? = nil
  ) {
    wait(on: callbackQueue, completion) { () throws(PaginationError) in
      .run(try core.startRun(fromInitialPage: fetchFromInitialPage))
    }
  }

  /// Fetches the initial page, in place of all pages so far.
  ///
  /// - Parameters:
  ///   - cachePolicy: The order in which the cache and the server are used.
  ///   - callbackQueue: The queue on which the completion handler is called.
  ///   - completion: A closure that is called at the end of the fetch.
  public func fetch(
    cachePolicy: CachePolicy = .returnCacheDataAndFetch, callbackQueue: DispatchQueue = .main,
    completion: (@Sendable () -> Void)? = nil
  ) {
    fetchInitialPage(PageFetch(cachePolicy), callbackQueue, completion)
  }

  /// Fetches the initial page from the server, in place of all pages so far.
  ///
  /// - Parameters:
  ///   - cachePolicy: The order in which the cache and the server are used.
  ///   - callbackQueue: The queue on which the completion handler is called.
  ///   - completion: A closure that is called at the end of the fetch.
  public func refetch(
    cachePolicy: CachePolicy = .fetchIgnoringCacheData, callbackQueue: DispatchQueue = .main,
    completion: (@Sendable () -> Void)? = nil
  ) {
    fetchInitialPage(PageFetch(cachePolicy), callbackQueue, completion)
  }

  /// Calls a closure on the main actor with the latest result and each one that follows, in order.
  ///
  /// Results of earlier pages, which the main actor was too busy to receive before a ``reset()``,
  /// before other pages took their place or before the end of the session, are dropped.
  ///
  /// - Parameter completion: The closure.
  /// - Returns: A reference that ends the subscription, which otherwise lasts as long as the pager.
  @discardableResult
  public func subscribe(
    completion: @escaping @MainActor @Sendable (Output) -> Void
  ) -> any Cancellable {
    let deliveries = core.deliveries
    let results = deliveries.listStream()
    return PagerSubscription(
      Task { @MainActor in
        // The main actor may have been busy while the list of a result has ended, or this task.
        for await (result, list) in results
        where !Task.isCancelled && deliveries.isCurrent(list: list) {
          completion(result)
        }
      })
  }
}

extension GraphQLQueryPager {
  private func load(
    _ direction: PaginationDirection, _ fetch: PageFetch, _ queue: DispatchQueue,
    _ completion: (@Sendable (PaginationError?) -> Void)?
  ) {
    wait(on: queue, completion) { () throws(PaginationError) in
      .load(try core.start(direction, fetch))
    }
  }

  private func fetchInitialPage(
    _ fetch: PageFetch, _ queue: DispatchQueue, _ completion: (@Sendable () -> Void)?
  ) {
    let load = core.startInitialPage(fetch)
    wait(on: queue, { _ in completion?() }) { () throws(PaginationError) in
      load.map(StartedWork.load)
    }
  }

  /// Starts something, and calls a completion handler at its end. The pager is not retained.
  private func wait(
    on queue: DispatchQueue, _ completion: (@Sendable (PaginationError?) -> Void)?,
    for start: () throws(PaginationError) -> StartedWork?
  ) {
    let complete: @Sendable (PaginationError?) -> Void = { error in
      if let completion { queue.async { completion(error) } }
    }
    do throws(PaginationError) {
      let work = try start()
      Task { [core] in
        do throws(PaginationError) {
          try await work?.end(in: core)
          complete(nil)
        } catch {
          complete(error)
        }
      }
    } catch {
      complete(error)
    }
  }
}

/// Work of a pager that a callback waits for.
private enum StartedWork: Sendable {
  case load(Int)
  case run(PagerRun)

  func end(in core: any Paging) async throws(PaginationError) {
    switch self {
    case .load(let load):
      if await core.outcome(of: load).isCancelled { throw .cancellation }
    case .run(let run): try await core.finish(run)
    }
  }
}

/// A subscription to the results of a pager.
private final class PagerSubscription: Cancellable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  func cancel() { task.cancel() }
}
