import ApolloAPI

/// The JSON value of the runtime. The compiler has a type of the same name.
typealias JSONValue = ApolloAPI.JSONValue
