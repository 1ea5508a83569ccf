public import ApolloAPI
public import Foundation

/// The step of a ``RequestChain`` that decodes the response.
public struct JSONResponseParsingInterceptor: ApolloInterceptor {
  /// A response that cannot be decoded because there is none.
  public enum JSONResponseParsingError: Error, Hashable, Sendable {
    /// No step before this one has received a response.
    case noResponseToParse
  }

  /// Creates a step.
  public init() {}

  /// Sets ``ChainResponse/parsedResponse`` and proceeds, or fails with a `ResponseError`.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    do {
      guard let response else { throw JSONResponseParsingError.noResponseToParse }
      let (parsed, records) = try request.call.context.decode(
        response.networkResponse, of: request.call.exchange(of: response),
        for: request.graphQLRequest)
      response.parsedResponse = GraphQLResult(parsed)
      response.records = records
    } catch {
      // Some servers say in plain text that they miss that of the operation.
      guard let response, request.missesText(response) else {
        return chain.handleErrorAsync(
          error, request: request, response: response, completion: completion)
      }
    }
    chain.proceedAsync(
      request: request, response: response, interceptor: self, completion: completion)
  }
}

extension JSONResponseParsingInterceptor.JSONResponseParsingError: CustomStringConvertible,
  LocalizedError
{
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The problem and its solution in a sentence each.
  public var description: String {
    "There is no response to decode. Put the step that fetches before JSONResponseParsingInterceptor."
  }
}

/// The name of the step that Apollo iOS 1.14 uses for operations with `@defer`.
///
/// ``NetworkFetchInterceptor`` merges the parts of a response, so decoding them takes no other
/// step.
public typealias IncrementalJSONResponseParsingInterceptor = JSONResponseParsingInterceptor

/// The step of Apollo iOS 1.1 that separates the parts of a response. It only proceeds, because
/// ``NetworkFetchInterceptor`` has separated them.
public struct MultipartResponseParsingInterceptor: ApolloInterceptor {
  /// Creates a step.
  public init() {}

  /// Proceeds.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>,
    response: ChainResponse<Operation>?,
    completion: @escaping RequestChainCompletion<Operation.Data>
  ) {
    chain.proceedAsync(
      request: request, response: response, interceptor: self, completion: completion)
  }
}
