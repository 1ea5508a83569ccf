// Mocks are made of the values that models hold, and recordings say what they leave out, so a
// program that imports this module needs those too.
@_exported public import ApolloAPI
@_exported public import ApolloRecording
