import Apollo
import ApolloAPI
import ApolloCache
import Foundation
import TestOperations
import Testing

/// Errors of fields in pages behind the first one, in operations whose properties promise values.
@Suite(.timeLimit(.minutes(10)))
struct FailingPagesTests {
  private static func notes(_ note: String, throwing: Bool = true) -> Selections {
    Selections(
      "\(throwing ? "@throwOnFieldError " : "")Query {products(after: $after first: $first) "
        + "ProductConnection {edges [ProductEdge {node Product {__typename String! id ID! \(note)}!}!]! "
        + "pageInfo PageInfo {hasNextPage Boolean! endCursor String}!}!}")
  }

  private enum Throwing: ShopSelections { static let selections = notes("note String") }
  private enum Caught: ShopSelections {
    static let selections = notes("note String @catch(levels: [0])")
  }
  private enum Certain: ShopSelections {
    static let selections = notes("note String @semanticNonNull(levels: [0])")
  }
  private enum Plain: ShopSelections {
    static let selections = notes("note String", throwing: false)
  }

  /// A page, one of whose items has no note.
  private static func page(_ items: String, without: String = "") -> String {
    let edges = items.map { item in
      let note = without.contains(item) ? "null" : "\"n\(item)\""
      return #"{"node":{"__typename":"Product","id":"\#(item)","note":\#(note)}}"#
    }
    return #"{"edges":[\#(edges.joined(separator: ","))],"#
      + #""pageInfo":{"hasNextPage":true,"endCursor":"\#(items.suffix(1))"}}"#
  }

  private static func body(_ items: String, failing: Int?, without: String = "") -> String {
    let errors = failing.map {
      #""errors":[{"message":"no","path":["products","edges",\#($0),"node","note"]}],"#
    }
    return #"{\#(errors ?? "")"data":{"products":\#(page(items, without: without))}}"#
  }

  /// Returns what a watch shows after its first page, after a second one with a null, and after a
  /// change of the first one.
  private func watch<Selected: ShopSelections & SendableMetatype>(
    _ type: Selected.Type, hasError: Bool
  ) async throws -> (lists: [String?], requestCount: Int) {
    typealias Query = SelectedQuery<Selected>
    let transport = ScriptedTransport { request, _ in
      (request.operation as? Query)?.after.unwrapped == nil
        ? Self.body("ab", failing: nil)
        : Self.body("cd", failing: hasError ? 0 : nil, without: "c")
    }
    let client = ApolloClient(networkTransport: transport)
    let watcher = client.watch(query: Query(first: 2))
    var updates = watcher.makeAsyncIterator()
    var lists = [try await updates.next()?.get().data?.ids]
    _ = try? await client.fetch(query: Query(first: 2, after: "b"), cachePolicy: .networkOnly)
    try await client.store.publish(["Product:a": ["note": "changed"]])
    while let update = await updates.next() {
      let data = try? update.get().data
      lists.append(data?.ids)
      guard let data, !data.json.contains("changed") else { break }
    }
    withExtendedLifetime(watcher) {}
    return (lists, transport.requestCount)
  }

  /// The whole list would be null because of the page, and fetching the first one does not help.
  @Test(arguments: [false, true])
  func aPageThatEndsTheOperationIsNoPartOfTheList(hasError: Bool) async throws {
    let shown =
      hasError
      ? try await watch(Throwing.self, hasError: true)
      : try await watch(Certain.self, hasError: false)
    #expect(Set(shown.lists) == ["ab"])
    #expect(shown.requestCount == 2)
  }

  @Test(arguments: [false, true])
  func aPageWhoseErrorEndsInsideOfItIsAPartOfTheList(isCaught: Bool) async throws {
    let shown =
      isCaught
      ? try await watch(Caught.self, hasError: true) : try await watch(Plain.self, hasError: true)
    #expect(shown.lists.first == "ab" && shown.lists.last == "abcd")
    #expect(shown.requestCount == 2)
  }

  /// The list itself catches the error, and would be null with it.
  @Test func aListThatCatchesTheErrorEndsBeforeThePage() async throws {
    let shown = try await watch(CaughtAround.self, hasError: true)
    #expect(Set(shown.lists) == ["ab"])
  }

  private enum CaughtAround: ShopSelections {
    static let selections = Selections(
      "@throwOnFieldError Query {products(after: $after first: $first) "
        + "ProductConnection {edges [ProductEdge {node Product {__typename String! id ID! note String}!}!]! "
        + "pageInfo PageInfo {hasNextPage Boolean! endCursor String}!} @catch(levels: [0])}")
  }
}
