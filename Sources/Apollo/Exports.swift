// One `import Apollo` serves most programs.
@_exported public import ApolloAPI
@_exported public import ApolloCache
@_exported public import ApolloTransport

#if WebSocket
  @_exported public import ApolloWebSocket
#endif

#if canImport(FoundationNetworking)
  // Where `URLRequest` is on Linux: code with `import Foundation` and `import Apollo` compiles as
  // it does on Apple platforms.
  @_exported public import FoundationNetworking
#endif
