public import ApolloAPI
public import ApolloTransport

/// The responses to one operation: those of the cache and of the server, the parts of a response
/// with `@defer`, or the events of a subscription.
///
/// ```swift
/// let responses = apollo.fetch(query: HeroNameQuery(), cachePolicy: .cacheAndNetwork)
/// for try await response in responses {
///   print(response.source, response.data?.hero?.name ?? "no hero")
/// }
/// ```
///
/// The sequence is lazy: the cache is read when the first response is awaited, and the request is
/// sent when a response of the server is.
public typealias GraphQLResponses<Operation: GraphQLOperation> =
  ResponseSequence<GraphQLResponse<Operation>>
