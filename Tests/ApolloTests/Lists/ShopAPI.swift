import ApolloAPI

/// Queries for lists with pages, as generated code has them.
enum ShopAPI {
  protocol SelectionSet: ApolloAPI.RootSelectionSet & RootModelValue
  where Schema == ShopAPI.SchemaMetadata {}

  enum SchemaMetadata: ApolloAPI.SchemaMetadata {
    static let configuration: any ApolloAPI.SchemaConfiguration.Type = SchemaConfiguration.self
    static let types = ApolloAPI.GeneratedCode.SchemaTypes(
      """
      type Query; list products(connection); filter products(category); list items(offset offset limit); list users(page page size)
      type Product; key id
      type KeyedEdge; key key
      type Shop; list products(connection); filter products(category)
      """)
  }

  /// Declares in code what a schema could.
  enum SchemaConfiguration: ApolloAPI.SchemaConfiguration, ListPolicy.Provider {
    static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }

    static func listPolicy(forField field: String, of type: String) -> ListPolicy? {
      field == "orders" ? .connection(keyArguments: []) : nil
    }
  }

  private static let connection = """
    ProductConnection {__typename String! totalCount Int \
    edges [ProductEdge {__typename String! cursor String! \
    node Product {__typename String! id ID! name String!}!}!]! \
    pageInfo PageInfo {__typename String! hasNextPage Boolean! hasPreviousPage Boolean! \
    startCursor String endCursor String}!}!
    """

  /// A connection: the arguments of the query select the list and the page.
  struct ProductsQuery: GraphQLQuery {
    static let operationName: String = "Products"
    static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init("query Products { products { __typename } }"))

    var first: GraphQLNullable<Int> = nil
    var after: GraphQLNullable<String> = nil
    var last: GraphQLNullable<Int> = nil
    var before: GraphQLNullable<String> = nil
    var category: GraphQLNullable<String> = nil
    var sort: GraphQLNullable<String> = nil

    var __variables: Variables? {
      [
        "first": first, "after": after, "last": last, "before": before, "category": category,
        "sort": sort,
      ]
    }

    static let __selections = Selections(
      "Query {products(after: $after before: $before category: $category first: $first "
        + "last: $last sort: $sort) \(connection)}")

    struct Data: ShopAPI.SelectionSet {
      typealias Schema = ShopAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = ProductsQuery.__selections[0]

      var products: Products { __object[0, Self.__layout] }
      var ids: [String] { products.edges.map(\.node.id) }

      struct Products: ShopAPI.SelectionSet {
        typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        static let __layout = ProductsQuery.__selections[1]

        var totalCount: Int? { __object[1, Self.__layout] }
        var edges: [Edge] { __object[2, Self.__layout] }
        var pageInfo: PageInfo { __object[3, Self.__layout] }

        struct Edge: ShopAPI.SelectionSet {
          typealias Schema = ShopAPI.SchemaMetadata
          private let __storage: ResponseObject
          static let __layout = ProductsQuery.__selections[2]
          var node: Node { __object[2, Self.__layout] }

          struct Node: ShopAPI.SelectionSet {
            typealias Schema = ShopAPI.SchemaMetadata
            private let __storage: ResponseObject
            static let __layout = ProductsQuery.__selections[3]
            var id: ID { __object[1, Self.__layout] }
            var name: String { __object[2, Self.__layout] }
          }
        }

        struct PageInfo: ShopAPI.SelectionSet {
          typealias Schema = ShopAPI.SchemaMetadata
          private let __storage: ResponseObject
          static let __layout = ProductsQuery.__selections[4]
          var hasNextPage: Bool { __object[1, Self.__layout] }
          var hasPreviousPage: Bool { __object[2, Self.__layout] }
          var startCursor: String? { __object[3, Self.__layout] }
          var endCursor: String? { __object[4, Self.__layout] }
        }
      }
    }
  }

  /// The same field twice: with a key of its own, whose filter is the category alone, and a
  /// connection whose policy is in code.
  struct FeaturedQuery: GraphQLQuery {
    static let operationName: String = "Featured"
    static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init("query Featured { featured { __typename } orders { __typename } }"))

    var after: GraphQLNullable<String> = nil
    var category: GraphQLNullable<String> = nil
    var sort: GraphQLNullable<String> = nil

    var __variables: Variables? { ["after": after, "category": category, "sort": sort] }

    static let __selections = Selections(
      "Query {featured:products(after: $after category: $category first: 2 sort: $sort) \(connection)"
        + #" @connection(key: "Featured" filters: ["category"]) "#
        + "orders(after: $after sort: $sort) \(connection)}")

    struct Data: ShopAPI.SelectionSet {
      typealias Schema = ShopAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = FeaturedQuery.__selections[0]

      private var featured: Connection { __object[0, Self.__layout] }
      private var orders: Orders { __object[1, Self.__layout] }
      var ids: [String] { featured.edges.map(\.node.id) }
      var orderIDs: [String] { orders.edges.map(\.node.id) }

      struct Connection: ShopAPI.SelectionSet {
        typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        static let __layout = FeaturedQuery.__selections[1]
        var edges: [Edge] { __object[2, Self.__layout] }
      }
      struct Edge: ShopAPI.SelectionSet {
        typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        static let __layout = FeaturedQuery.__selections[2]
        var node: Node { __object[2, Self.__layout] }
      }
      struct Node: ShopAPI.SelectionSet {
        typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        static let __layout = FeaturedQuery.__selections[3]
        var id: ID { __object[1, Self.__layout] }
      }
      struct Orders: ShopAPI.SelectionSet {
        typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        static let __layout = FeaturedQuery.__selections[5]
        var edges: [OrderEdge] { __object[2, Self.__layout] }
      }
      struct OrderEdge: ShopAPI.SelectionSet {
        typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        static let __layout = FeaturedQuery.__selections[6]
        var node: Order { __object[2, Self.__layout] }
      }
      struct Order: ShopAPI.SelectionSet {
        typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        static let __layout = FeaturedQuery.__selections[7]
        var id: ID { __object[1, Self.__layout] }
      }
    }
  }

  /// A list whose pages begin at an offset, and one whose pages have numbers.
  struct ItemsQuery: GraphQLQuery {
    static let operationName: String = "Items"
    static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init("query Items { items { __typename } users { __typename } }"))

    var offset: GraphQLNullable<Int> = nil
    var page: GraphQLNullable<Int> = nil
    var size: GraphQLNullable<Int> = nil

    var __variables: Variables? { ["offset": offset, "page": page, "size": size] }

    static let __selections = Selections(
      "Query {items(limit: $size offset: $offset) [Product {__typename String! id ID! name String!}] "
        + "users(page: $page size: $size) [Product {__typename String! id ID! name String!}!]!}")

    struct Data: ShopAPI.SelectionSet {
      typealias Schema = ShopAPI.SchemaMetadata
      private let __storage: ResponseObject
      static let __layout = ItemsQuery.__selections[0]

      private var items: [Item?]? { __object[0, Self.__layout] }
      private var users: [User] { __object[1, Self.__layout] }
      var ids: [String?] { items?.map { $0?.id } ?? [] }
      var userIDs: [String] { users.map(\.id) }

      struct Item: ShopAPI.SelectionSet {
        typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        static let __layout = ItemsQuery.__selections[1]
        var id: ID { __object[1, Self.__layout] }
      }
      struct User: ShopAPI.SelectionSet {
        typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        static let __layout = ItemsQuery.__selections[2]
        var id: ID { __object[1, Self.__layout] }
      }
    }
  }
}

/// A page of a connection, each of whose items has its name as its cursor.
struct ShopPage {
  var items: [String]
  var hasNext = true
  var hasPrevious = false
  /// The last cursor, or `nil` for that of the last item.
  var end: String?
  var total = 0

  init(
    _ items: String, hasNext: Bool = true, hasPrevious: Bool = false, end: String? = nil,
    total: Int = 0
  ) {
    self.items = items.map(String.init)
    self.hasNext = hasNext
    self.hasPrevious = hasPrevious
    self.end = end
    self.total = total
  }

  static func product(_ item: String) -> String {
    #"{"__typename":"Product","id":"\#(item)","name":"\#(item)"}"#
  }

  var json: String {
    func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
    let edges = items.map {
      #"{"__typename":"ProductEdge","cursor":"\#($0)","node":\#(Self.product($0))}"#
    }
    return """
      {"__typename":"ProductConnection","totalCount":\(total),"edges":[\(edges.joined(separator: ","))],
      "nodes":[\(items.map(Self.product).joined(separator: ","))],
      "pageInfo":{"__typename":"PageInfo","hasNextPage":\(hasNext),"hasPreviousPage":\(hasPrevious),
      "startCursor":\(quoted(items.first)),"endCursor":\(quoted(end ?? items.last))}}
      """
  }
}
