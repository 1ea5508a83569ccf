// The rules of redaction are a parameter of the inspector.
@_exported public import ApolloRecording
