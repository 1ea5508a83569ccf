import Apollo
import ApolloAPI
import ApolloOffline
import Foundation
import TestOperations

#if canImport(CryptoKit)
  import CryptoKit
#endif
#if canImport(Network)
  import Network
#endif
#if canImport(SwiftUI)
  import SwiftUI
#endif

// The examples in the documentation of the module, word for word, so that the compiler checks them.
// `DocumentationExamplesTests` compares the two.

private struct RenameTodoMutation: GraphQLMutation {
  typealias Data = HeroAPI.RenameMutation.Data
  static let operationName = "RenameTodo"
  static let operationDocument = ApolloAPI.OperationDocument(
    definition: .init(
      "mutation RenameTodo($id: ID!, $title: String!) { rename(id: $id, name: $title) { name } }"))
  static var __selections: Selections { HeroAPI.RenameMutation.__selections }

  var id: ID
  var title: String

  var __variables: Variables? { ["id": id, "title": title] }
}

private struct User {
  var id: String
}

private func change(
  _ apollo: ApolloClient, file: URL, user: User, expected: RenameTodoMutation.Data
) async throws {
  let rules = OfflineRules.enqueue(key: .automatic, conflict: .skip, lane: "todos")
  _ = rules
  do {
    let queue = try OfflineMutationQueue(fileURL: file)
    queue.register(RenameTodoMutation.self)
    apollo.use(queue)
  }
  do {
    let queue = try OfflineMutationQueue(fileURL: file, session: user.id)
    queue.register(RenameTodoMutation.self)
    apollo.use(queue)

    let change = try await apollo.perform(
      mutation: RenameTodoMutation(id: "1", title: "Milk"), optimistic: expected,
      offline: .enqueue(key: .automatic))
    print(queue.counts)  // 1 change is waiting
    _ = change
  }
  let change = try await apollo.perform(
    mutation: RenameTodoMutation(id: "1", title: "Milk"), optimistic: expected,
    offline: .enqueue(key: .automatic, conflict: .handler))
  _ = change
}

#if canImport(CryptoKit)
  private func encrypt(_ configuration: inout OfflineQueueConfiguration, key: SymmetricKey) {
    configuration.protection = OfflineProtection(
      seal: { try AES.GCM.seal($0, using: key).combined! },
      open: { try AES.GCM.open(AES.GCM.SealedBox(combined: $0), using: key) })
  }
#endif

#if canImport(Network)
  private func watchTheNetwork(for queue: OfflineMutationQueue) {
    let monitor = NWPathMonitor()
    monitor.pathUpdateHandler = { path in
      queue.networkChanged(isAvailable: path.status == .satisfied)
    }
    monitor.start(queue: .global())
  }
#endif

#if canImport(SwiftUI)
  @MainActor private let queue = try! OfflineMutationQueue(
    fileURL: URL.applicationSupportDirectory.appending(path: "changes.sqlite"))

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  struct SyncView: View {
    @State private var changes = ObservableOfflineQueue(queue)

    var body: some View { Text(changes.counts.description) }  // "3 changes are waiting"
  }
#endif
