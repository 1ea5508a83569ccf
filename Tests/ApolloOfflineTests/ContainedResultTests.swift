import Apollo
import ApolloAPI
import TestOperations
import Testing

@testable import ApolloOffline

/// Mutations whose results `@throwOnFieldError` or `@required` keeps out of their data.
@Suite(.timeLimit(.minutes(10)))
struct ContainedResultTests {
  /// `{ rename { id friends { id } } }` of a mutation with `@throwOnFieldError`.
  private struct CertainRename: GraphQLMutation {
    static let operationName = Rename.operationName
    static let operationDocument = Rename.operationDocument
    static let __selections = GeneratedCode.Selections(
      """
      @throwOnFieldError Mutation {
        rename(id: $id, name: $name) Hero {id ID! friends [Hero {id ID!}!]}
      }
      """)
    var __variables: Variables? { ["id": "new-1", "name": "A"] }

    struct Data: HeroAPI.SelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: GeneratedCode.ResponseObject
      static let __layout = CertainRename.__selections[0]
    }
  }

  /// `{ rename @required(action: NONE) { id } }`.
  private struct RequiredRename: GraphQLMutation {
    static let operationName = Rename.operationName
    static let operationDocument = Rename.operationDocument
    static let __selections = GeneratedCode.Selections(
      #"Mutation {rename(id: $id, name: $name) Hero {id ID!} @required(action: "NONE")}"#)
    var __variables: Variables? { ["id": "1", "name": "A"] }

    struct Data: HeroAPI.SelectionSet {
      typealias Schema = HeroAPI.SchemaMetadata
      private let __storage: GeneratedCode.ResponseObject
      static let __layout = RequiredRename.__selections[0]
    }
  }

  @Test func aMutationWithAResultAndErrorsThatLeaveNoDataWasPerformed() async throws {
    let machine = try Machine()
    machine.server.react(.respondWithError)
    let failures = Lock<[String]>([])
    let queue = try machine.queue {
      $0.onFailure = { error in failures.withLock { $0.append("\(error)") } }
    }
    queue.register(CertainRename.self)
    let client = try await machine.client()
    client.use(queue)
    let change = try await client.perform(
      mutation: CertainRename(),
      offline: .enqueue(key: .automatic, conflict: .skip, creates: ["new-1": ["rename", "id"]]))
    let response = try await change.response
    #expect(response.data == nil)
    #expect(response.errors?.map(\.message) == ["no friends"])
    await queue.waitUntilEmpty()
    #expect(queue.realIdentifier(for: "new-1") == "real-new-1")
    #expect(machine.server.requestCount == 1)
    #expect(failures.get() == ["graphQL: no friends"])
  }

  /// The only error is that of the client.
  @Test func aMutationWithoutAResultThatItRequiresWasPerformed() async throws {
    let machine = try Machine()
    machine.server.react(.respondWithNull)
    let failures = Lock(0)
    let queue = try machine.queue { $0.onFailure = { _ in failures.withLock { $0 += 1 } } }
    queue.register(RequiredRename.self)
    let client = try await machine.client()
    client.use(queue)
    let change = try await client.perform(
      mutation: RequiredRename(), offline: .enqueue(key: .automatic, conflict: .skip))
    let response = try await change.response
    #expect(response.data == nil)
    #expect(response.errors?.count == 1)
    await queue.waitUntilEmpty()
    #expect(failures.get() == 1)
  }
}
