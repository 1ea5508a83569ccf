import Foundation
import Testing

/// The form of a call, `async` or with a callback, that the compiler chooses for each way of
/// writing it.
@Suite struct CallFormTests {
  /// A way to write a call, and the language modes in which it means what it says.
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var code: String
    var isValidInSwift5 = true
    var isValidInSwift6 = true

    var testDescription: String { name }

    init(_ name: String, swift5: Bool = true, swift6: Bool = true, _ code: String) {
      self.name = name
      self.code = code
      isValidInSwift5 = swift5
      isValidInSwift6 = swift6
    }
  }

  static let rows = [
    // Swift 5 has no asynchronous context at the top level: there the form without handler wins,
    // whose result has no data.
    Row(
      "awaited at the top level", swift5: false,
      """
      let renamed = try await apollo.perform(mutation: mutation)
      print(renamed.data?.__typename as Any)
      let sent = try await apollo.upload(operation: mutation, files: [])
      print(sent.data?.__typename as Any)
      """),
    Row(
      "awaited at the top level, result discarded",
      """
      _ = try await apollo.perform(mutation: mutation)
      _ = try await apollo.upload(operation: mutation, files: [])
      try await apollo.clearCache()
      try await apollo.store.clearCache()
      """),
    Row(
      "awaited in a function",
      """
      func call(_ apollo: ApolloClient) async throws {
        let mutation = RenameCharacterMutation(id: "1", name: "x")
        let renamed = try await apollo.perform(mutation: mutation)
        print(renamed.data?.__typename as Any)
        let sent = try await apollo.upload(operation: mutation, files: [])
        print(sent.data?.__typename as Any)
        try await apollo.clearCache()
        try await apollo.store.clearCache()
      }
      """),
    Row(
      "callback at the top level",
      """
      apollo.perform(mutation: mutation) { result in print(try! result.get().data as Any) }
      apollo.upload(operation: mutation, files: []) { result in print(result) }
      apollo.clearCache { result in print(result) }
      let call: any Cancellable = apollo.perform(mutation: mutation) { result in print(result) }
      call.cancel()
      """),
    Row(
      "callback in a function",
      """
      func call(_ apollo: ApolloClient) {
        let mutation = RenameCharacterMutation(id: "1", name: "x")
        apollo.perform(mutation: mutation) { result in print(result) }
        apollo.upload(operation: mutation, files: []) { result in print(result) }
        apollo.clearCache { result in print(result) }
      }
      """),
    Row(
      "no handler in a function",
      """
      func call(_ apollo: ApolloClient) {
        let mutation = RenameCharacterMutation(id: "1", name: "x")
        apollo.perform(mutation: mutation, resultHandler: nil)
        apollo.upload(operation: mutation, files: [], resultHandler: nil)
        apollo.clearCache(completion: nil)
        apollo.store.clearCache(completion: nil)
      }
      """),
    Row(
      "handler left out in a function", swift6: false,
      """
      func call(_ apollo: ApolloClient) {
        let mutation = RenameCharacterMutation(id: "1", name: "x")
        apollo.perform(mutation: mutation)
        apollo.upload(operation: mutation, files: [])
        apollo.clearCache()
        apollo.store.clearCache()
      }
      """),
    // There the compiler prefers the form that is awaited.
    Row(
      "handler left out in an asynchronous function", swift5: false, swift6: false,
      """
      func call(_ apollo: ApolloClient) async {
        let mutation = RenameCharacterMutation(id: "1", name: "x")
        apollo.perform(mutation: mutation)
      }
      """),
    Row(
      "clearing without a handler in an asynchronous function", swift5: false, swift6: false,
      "func call(_ apollo: ApolloClient) async { apollo.clearCache() }"),
    Row(
      "handler left out at the top level", swift6: false,
      """
      apollo.perform(mutation: mutation)
      apollo.clearCache()
      """),
    Row(
      "upload of a subscription", swift5: false, swift6: false,
      """
      func call(_ apollo: ApolloClient, _ operation: some GraphQLSubscription) async throws {
        _ = try await apollo.upload(operation: operation, files: [])
      }
      """),
    Row(
      "upload of any query or mutation",
      """
      func call(_ apollo: ApolloClient, _ operation: some UploadableOperation) async throws {
        _ = try await apollo.upload(operation: operation, files: [])
        apollo.upload(operation: operation, files: []) { result in print(result) }
      }
      """),
    Row(
      "optimistic data and closures, awaited",
      """
      func call(_ apollo: ApolloClient) async throws {
        let mutation = RenameCharacterMutation(id: "1", name: "x")
        let data = try RenameCharacterMutation.Data(jsonObject: ["renameCharacter": nil])
        let one = try await apollo.perform(mutation: mutation, optimistic: data)
        let two = try await apollo.perform(
          mutation: mutation, optimistic: .init(jsonObject: ["renameCharacter": nil]))
        let three = try await apollo.perform(
          mutation: mutation,
          optimistic: { transaction in
            let key: RecordKey = "Human:1"
            try transaction.removeObject(for: key)
          })
        let four = try await apollo.perform(
          mutation: mutation, optimistic: { try $0.clear() }, contextIdentifier: UUID())
        for response in [one, two, three, four] { print(response.data?.__typename as Any) }
      }
      """),
    Row(
      "optimistic data and closures with a handler",
      """
      func call(_ apollo: ApolloClient) throws {
        let mutation = RenameCharacterMutation(id: "1", name: "x")
        apollo.perform(mutation: mutation, optimistic: { try $0.clear() }) { result in
          print(result)
        }
        try apollo.perform(
          mutation: mutation, optimistic: .init(jsonObject: [:]), queue: .main
        ) { result in print(result) }
        apollo.perform(
          mutation: mutation, optimistic: { try $0.clear() }, resultHandler: nil)
      }
      """),
    Row(
      "callback in an asynchronous function",
      """
      func call(_ apollo: ApolloClient) async {
        let mutation = RenameCharacterMutation(id: "1", name: "x")
        apollo.perform(mutation: mutation) { result in print(result) }
        apollo.perform(mutation: mutation) { _ in }
      }
      """),
    Row(
      "both forms beside each other", swift5: false,
      """
      apollo.perform(mutation: mutation) { result in print(result) }
      let renamed = try await apollo.perform(mutation: mutation)
      print(renamed.data?.__typename as Any)
      try await apollo.clearCache()
      apollo.clearCache { _ in }
      """),
  ]

  @Test(arguments: rows, ["5", "6"])
  func callsChooseTheFormThatIsWritten(_ row: Row, languageMode: String) async throws {
    let isValid = languageMode == "5" ? row.isValidInSwift5 : row.isValidInSwift6
    let outcome = try await compiler().check(
      main: """
        import Apollo
        import Foundation
        import StarWarsAPI

        let apollo = ApolloClient(url: URL(string: "http://localhost/graphql")!)
        let mutation = RenameCharacterMutation(id: "1", name: "x")
        \(row.code)
        """, languageMode: languageMode)
    #expect((outcome.status == 0) == isValid, "\(outcome.errors.prefix(3000))")
  }

  private func compiler() throws -> SwiftCompiler { try SwiftCompiler() }
}
