/// An object that is notified of every change of a store.
public protocol ApolloStoreSubscriber: AnyObject, Sendable {
  /// Called after each write that changed something, on the writer's thread, with no lock held. It
  /// must be short.
  func store(_ store: ApolloStore, didChange change: StoreChange)
}

/// A subscription, which ``ApolloStore/unsubscribe(_:)`` ends.
public struct SubscriptionToken: Hashable, Sendable {
  fileprivate let id: StoreWatch.ID
}

extension ApolloStore {
  /// Notifies an object of every change from now on, until it is released or ``unsubscribe(_:)`` is
  /// called.
  ///
  /// The store does not keep the object alive.
  @discardableResult
  public func subscribe(_ subscriber: any ApolloStoreSubscriber) -> SubscriptionToken {
    let token = SubscriptionToken(id: .next())
    registry.add(token.id, toEverything: true) { [weak self, weak subscriber] change in
      guard let self else { return }
      if let subscriber {
        subscriber.store(self, didChange: change)
      } else {
        unsubscribe(token)
      }
    }
    return token
  }

  /// Ends a subscription. A call that is running on another thread may still finish.
  public func unsubscribe(_ token: SubscriptionToken) {
    registry.remove(token.id)
  }
}
