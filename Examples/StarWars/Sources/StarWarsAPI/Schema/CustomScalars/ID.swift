public import ApolloAPI

/// What tells objects apart: text, which generated code relies on.
public typealias ID = ApolloAPI.ID
