import ApolloAPI
import ApolloCache
import Foundation
import Testing

@Suite struct WatchedReadingTests {
  private let store = ApolloStore()
  private let query = LibraryQuery<BookTitle>(["id": "7"])
  private let body = Data(
    #"{"data":{"book":{"__typename":"Book","id":"7","title":"T","author":{"__typename":"Author","id":"3","name":"A"}}}}"#
      .utf8)

  @Test func aReadingDependsOnExactlyTheFieldsThatItRead() async throws {
    try await store.publish(body: body, of: query)
    let reading = try await store.load(query)
    #expect(
      reading.trace.dependencies.addresses
        == Set(
          [("QUERY_ROOT", #"book(id:"7")"#)].map {
            FieldAddress(record: RecordKey($0.0), field: FieldKey($0.1))
          }
            + ["__typename", "id", "title", "author"].map {
              FieldAddress(record: "B:7", field: FieldKey($0))
            }
            + ["__typename", "id", "name"].map {
              FieldAddress(record: "Author:3", field: FieldKey($0))
            }))
  }

  @Test func aWatchOfAMissIsNotifiedWhenTheMissingDataIsWritten() async throws {
    let notes = Notes()
    let watch = store.watch { notes.append($0) }
    #expect(watch.depend(on: try await store.load(query).trace))
    try await store.publish(["B:7": ["title": "T"]])
    #expect(notes.count == 0, "No response has identified the book yet.")
    try await store.publish(body: body, of: query)
    #expect(notes.count == 1)
    #expect(watch.depend(on: try await store.load(query).trace))
    try await store.publish(["Author:3": ["name": "B"]])
    #expect(notes.count == 2)
  }

  @Test func aResponseThatChangesNothingNotifiesNoWatch() async throws {
    try await store.publish(body: body, of: query)
    let notes = Notes()
    let watch = store.watch { notes.append($0) }
    #expect(watch.depend(on: try await store.load(query).trace))
    try await store.publish(body: body, of: query)
    #expect(notes.count == 0)
  }
}
