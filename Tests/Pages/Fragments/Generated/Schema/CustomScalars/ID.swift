import ApolloAPI

extension MySchema {
  /// The type of ids in input objects and variables: text.
  typealias ID = ApolloAPI.ID
}
