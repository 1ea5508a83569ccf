/// The way in which the pages of a list form one list in the cache.
///
/// Without a policy, each page is a value of its own. With one, a query for the first page reads
/// all pages that follow without a gap:
///
/// ```swift
/// extension SchemaConfiguration: ListPolicy.Provider {
///   static func listPolicy(forField field: String, of type: String) -> ListPolicy? {
///     switch field {
///     case "orders": .connection()
///     case "products": .offset("offset", limit: "limit", keyArguments: ["category"])
///     default: nil
///     }
///   }
/// }
/// ```
///
/// In the schema, directives declare the same:
///
/// ```graphql
/// extend type Query
///   @typePolicy(connectionFields: "orders")
///   @fieldPolicy(forField: "products", paginationArgs: "offset limit", keyArgs: "category")
/// ```
public struct ListPolicy: Hashable, Sendable {
  /// The arguments that say which page a field has.
  package enum Paging: Hashable, Sendable {
    case cursors
    case offset(String, limit: String?)
    case page(String, size: String, first: Int)
  }

  package var paging: Paging
  /// The arguments whose values select another list, or `nil` for all that do not select a page.
  package var keyArguments: [String]?

  private init(_ paging: Paging, _ keyArguments: [String]?) {
    self.paging = paging
    self.keyArguments = keyArguments
  }

  /// The policy of a connection with the arguments `first`, `after`, `last` and `before`, and the
  /// field `pageInfo`.
  ///
  /// A field is a page of the list if it selects `edges { node }` or `nodes`, and of `pageInfo` the
  /// cursor at its end with whether a page follows (`endCursor` and `hasNextPage`, or `startCursor`
  /// and `hasPreviousPage`). Another one is a value of its own.
  ///
  /// - Parameter keyArguments: The arguments whose values select another list, or `nil` for all
  ///   others.
  /// - Returns: The policy.
  public static func connection(keyArguments: [String]? = nil) -> ListPolicy {
    ListPolicy(.cursors, keyArguments)
  }

  /// The policy of a list whose pages begin at an offset, which is 0 if the argument is absent.
  ///
  /// - Parameters:
  ///   - offset: The argument with the number of items before the page.
  ///   - limit: The argument with the largest number of items in the page.
  ///   - keyArguments: The arguments whose values select another list, or `nil` for all others.
  /// - Returns: The policy.
  public static func offset(
    _ offset: String = "offset", limit: String? = "limit", keyArguments: [String]? = nil
  ) -> ListPolicy {
    ListPolicy(.offset(offset, limit: limit), keyArguments)
  }

  /// The policy of a list whose pages have numbers.
  ///
  /// - Parameters:
  ///   - page: The argument with the number of the page. Absent, it is that of the first page.
  ///   - size: The argument with the largest number of items in a page.
  ///   - first: The number of the first page.
  ///   - keyArguments: The arguments whose values select another list, or `nil` for all others.
  /// - Returns: The policy.
  public static func pages(
    _ page: String = "page", size: String = "size", first: Int = 1, keyArguments: [String]? = nil
  ) -> ListPolicy {
    ListPolicy(.page(page, size: size, first: first), keyArguments)
  }

  /// A list policy in code. It takes precedence over the directives of the schema.
  public protocol Provider {
    /// Returns the policy of a field, or `nil` for that of the schema.
    ///
    /// - Parameters:
    ///   - field: The name of the field in the schema.
    ///   - type: The type of the object with the field: its own type if that is known, otherwise
    ///     the one that the field was selected on.
    /// - Returns: The policy, or `nil`.
    static func listPolicy(forField field: String, of type: String) -> ListPolicy?
  }
}

extension ListPolicy {
  /// Creates the policy that a line of generated code describes: `connection`, `offset skip limit`
  /// or `page number size`.
  init?(_ words: [String]) {
    switch (words.first, words.count) {
    case ("connection", 1): self = .connection()
    case ("offset", 2): self = .offset(words[1], limit: nil)
    case ("offset", 3): self = .offset(words[1], limit: words[2])
    case ("page", 3): self = .pages(words[1], size: words[2])
    default: return nil
    }
  }
}

extension SchemaMetadata {
  /// Returns the policy of a field, of the program's code or of the schema.
  ///
  /// `typenames`: The type of the object, if it is known, and those that the field was selected on.
  package static func listPolicy(
    ofField field: String, on typenames: [String]
  ) -> ListPolicy? {
    if let provider = configuration as? any ListPolicy.Provider.Type, let type = typenames.first,
      let policy = provider.listPolicy(forField: field, of: type)
    {
      return policy
    }
    return types.listPolicy(ofField: field, on: typenames)
  }

  /// Indicates whether fields can have a policy.
  package static var hasListPolicies: Bool {
    types.hasListPolicies || configuration is any ListPolicy.Provider.Type
  }
}
