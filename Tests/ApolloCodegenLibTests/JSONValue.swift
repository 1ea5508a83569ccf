import ApolloAPI

/// The runtime's, which generated code is tried with; the compiler has one of the same name.
typealias JSONValue = ApolloAPI.JSONValue
