public import ApolloAPI

/// The identity of an object, as text. Generated code relies on it being `ApolloAPI.ID`.
public typealias ID = ApolloAPI.ID
