public import ApolloAPI

/// The type of ids in input objects and variables: text.
public typealias ID = ApolloAPI.ID
