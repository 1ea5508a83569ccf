public import ApolloAPI
internal import ApolloCache
public import ApolloTransport
public import Dispatch
public import Foundation

/// The calls with a callback, without the callback, for programs in the Swift 5 language mode.
///
/// Top-level code of `main.swift` is no `async` function to overload resolution. If the callback
/// had a default value, `let response = try await apollo.perform(mutation: mutation)` would choose
/// that form there, and `response` would be a ``Cancellable``. In the Swift 6 language mode a call
/// whose result is of no interest passes `resultHandler: nil`. In the Swift 5 language mode it
/// can leave the handler out, as it always could, and awaits in a function instead of at the top
/// level.
extension ApolloClientProtocol {
  /// Performs a mutation whose result is of no interest.
  @available(swift, obsoleted: 6, message: "Pass 'resultHandler: nil', or await the result.")
  @discardableResult
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation,
    publishResultToStore: Bool = true,
    contextIdentifier: UUID? = nil,
    queue: DispatchQueue = .main
  ) -> any Cancellable {
    perform(
      mutation: mutation, publishResultToStore: publishResultToStore,
      contextIdentifier: contextIdentifier, queue: queue, resultHandler: nil)
  }

  /// Sends an operation with files, whose result is of no interest.
  @available(swift, obsoleted: 6, message: "Pass 'resultHandler: nil', or await the result.")
  @discardableResult
  public func upload<Operation: UploadableOperation>(
    operation: Operation, files: [GraphQLFile], contextIdentifier: UUID? = nil,
    queue: DispatchQueue = .main
  ) -> any Cancellable {
    upload(
      operation: operation, files: files, contextIdentifier: contextIdentifier, queue: queue,
      resultHandler: nil)
  }

  /// Removes all data from the cache and notifies watchers.
  @available(swift, obsoleted: 6, message: "Pass 'completion: nil', or await the call.")
  public func clearCache(callbackQueue: DispatchQueue = .main) {
    clearCache(callbackQueue: callbackQueue, completion: nil)
  }
}
