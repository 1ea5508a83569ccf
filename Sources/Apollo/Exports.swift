// One `import Apollo` serves most programs.
@_exported public import ApolloAPI
@_exported public import ApolloCache
@_exported public import ApolloTransport
@_exported public import ApolloWebSocket
