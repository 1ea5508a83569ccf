public import ApolloAPI

/// Any JSON, as it is.
public typealias JSON = JSONValue
