public import ApolloAPI
public import ApolloTransport

/// Gives each operation its interceptors.
///
/// Asked anew for each operation, so that interceptors may keep state for one.
public protocol InterceptorProvider: Sendable {
  /// What sees requests before the cache is read and the server asked; the first one first.
  func graphQLInterceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any GraphQLInterceptor]

  /// What sees HTTP requests before they are sent; the first one first.
  func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor]

  /// What has the last word when an operation fails.
  func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)?
}

extension InterceptorProvider {
  /// None.
  public func graphQLInterceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any GraphQLInterceptor] { [] }

  /// None.
  public func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] { [] }

  /// None.
  public func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any ApolloErrorInterceptor)? { nil }
}

/// Gives no operation any interceptor.
public struct DefaultInterceptorProvider: InterceptorProvider {
  /// There is nothing to configure.
  public init() {}
}
