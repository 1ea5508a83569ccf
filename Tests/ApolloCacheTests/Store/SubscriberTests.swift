import ApolloCache
import Testing

struct SubscriberTests {
  private final class Subscriber: ApolloStoreSubscriber {
    let notes = Notes()

    func store(_ store: ApolloStore, didChange change: StoreChange) { notes.append(change) }
  }

  private let store = ApolloStore()

  @Test func isNotifiedOfEveryChangeWithItsOrigin() async throws {
    let subscriber = Subscriber()
    store.subscribe(subscriber)
    let origin = ChangeOrigin()
    try await store.publish(["A": ["x": 1]], origin: origin)
    #expect(subscriber.notes.count == 1)
    #expect(subscriber.notes.last?.origin == origin)
    #expect(subscriber.notes.last?.changes.addresses == [FieldAddress(record: "A", field: "x")])
    try await store.publish(["A": ["x": 1]])
    #expect(subscriber.notes.count == 1, "Nothing changed.")
    try await store.removeObjects(matching: "a")
    try await store.clearCache()
    #expect(subscriber.notes.count == 3)
  }

  @Test func isNotNotifiedAfterItsTokenIsRemoved() async throws {
    let subscriber = Subscriber()
    let other = Subscriber()
    let token = store.subscribe(subscriber)
    store.subscribe(other)
    store.unsubscribe(token)
    store.unsubscribe(token)
    try await store.publish(["A": ["x": 1]])
    #expect(subscriber.notes.count == 0)
    #expect(other.notes.count == 1)
  }

  @Test func isNotKeptAlive() async throws {
    weak var released: Subscriber?
    do {
      let subscriber = Subscriber()
      released = subscriber
      store.subscribe(subscriber)
    }
    #expect(released == nil)
    try await store.publish(["A": ["x": 1]])
  }
}
