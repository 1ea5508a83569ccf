package import ApolloAPI

/// Queries for lists with pages, as generated code has them.
package enum ShopAPI {
  package protocol SelectionSet: ApolloAPI.RootSelectionSet & RootModelValue
  where Schema == ShopAPI.SchemaMetadata {}

  /// The protocols that a schema's mutable models conform to.
  package protocol MutableSelectionSet: ApolloAPI.MutableRootSelectionSet & RootModelValue
  where Schema == ShopAPI.SchemaMetadata {}

  package enum SchemaMetadata: ApolloAPI.SchemaMetadata {
    package static let configuration: any ApolloAPI.SchemaConfiguration.Type = SchemaConfiguration
      .self
    package static let types = ApolloAPI.GeneratedCode.SchemaTypes(
      """
      type Query; list products(connection); filter products(category); list items(offset offset limit); list users(page page size)
      type Product; key id; list related(connection)
      type KeyedEdge; key key
      type Shelf; list users(page page size)
      type Shop: Seller; list products(connection); filter products(category)
      interface Seller: Shop
      """)
  }

  /// Declares in code what a schema could.
  package enum SchemaConfiguration: ApolloAPI.SchemaConfiguration, ListPolicy.Provider {
    package static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }

    package static func listPolicy(forField field: String, of type: String) -> ListPolicy? {
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
  package struct ProductsQuery: GraphQLQuery {
    package static let operationName: String = "Products"
    package static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init("query Products { products { __typename } }"))

    package var first: GraphQLNullable<Int> = nil
    package var after: GraphQLNullable<String> = nil
    package var last: GraphQLNullable<Int> = nil
    package var before: GraphQLNullable<String> = nil
    package var category: GraphQLNullable<String> = nil
    package var sort: GraphQLNullable<String> = nil

    package init(
      first: GraphQLNullable<Int> = nil, after: GraphQLNullable<String> = nil,
      last: GraphQLNullable<Int> = nil, before: GraphQLNullable<String> = nil,
      category: GraphQLNullable<String> = nil, sort: GraphQLNullable<String> = nil
    ) {
      self.first = first
      self.after = after
      self.last = last
      self.before = before
      self.category = category
      self.sort = sort
    }

    package var __variables: Variables? {
      [
        "first": first, "after": after, "last": last, "before": before, "category": category,
        "sort": sort,
      ]
    }

    package static let __selections = Selections(
      "Query {products(after: $after before: $before category: $category first: $first "
        + "last: $last sort: $sort) \(connection)}")

    package struct Data: ShopAPI.SelectionSet {
      package typealias Schema = ShopAPI.SchemaMetadata
      private let __storage: ResponseObject
      package static let __layout = ProductsQuery.__selections[0]

      package var products: Products { __object[0, Self.__layout] }
      package var ids: [String] { products.edges.map(\.node.id) }

      package struct Products: ShopAPI.SelectionSet {
        package typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = ProductsQuery.__selections[1]

        package var totalCount: Int? { __object[1, Self.__layout] }
        package var edges: [Edge] { __object[2, Self.__layout] }
        package var pageInfo: PageInfo { __object[3, Self.__layout] }

        package struct Edge: ShopAPI.SelectionSet {
          package typealias Schema = ShopAPI.SchemaMetadata
          private let __storage: ResponseObject
          package static let __layout = ProductsQuery.__selections[2]
          package var cursor: String { __object[1, Self.__layout] }
          package var node: Node { __object[2, Self.__layout] }

          package struct Node: ShopAPI.SelectionSet {
            package typealias Schema = ShopAPI.SchemaMetadata
            private let __storage: ResponseObject
            package static let __layout = ProductsQuery.__selections[3]
            package var id: ID { __object[1, Self.__layout] }
            package var name: String { __object[2, Self.__layout] }
          }
        }

        package struct PageInfo: ShopAPI.SelectionSet {
          package typealias Schema = ShopAPI.SchemaMetadata
          private let __storage: ResponseObject
          package static let __layout = ProductsQuery.__selections[4]
          package var hasNextPage: Bool { __object[1, Self.__layout] }
          package var hasPreviousPage: Bool { __object[2, Self.__layout] }
          package var startCursor: String? { __object[3, Self.__layout] }
          package var endCursor: String? { __object[4, Self.__layout] }
        }
      }
    }
  }

  /// The items of the first page without what follows them, which are no page of the list.
  package struct ItemsOnlyQuery: GraphQLQuery {
    package static let operationName: String = "ItemsOnly"
    package static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init("query ItemsOnly { products { __typename } }"))

    package init() {}

    package static let __selections = Selections(
      "Query {products(first: 2) ProductConnection {edges [ProductEdge {cursor String! "
        + "node Product {__typename String! id ID! name String!}!}!]!}!}")

    package struct Data: ShopAPI.SelectionSet {
      package typealias Schema = ShopAPI.SchemaMetadata
      private let __storage: ResponseObject
      package static let __layout = ItemsOnlyQuery.__selections[0]
    }
  }

  /// The same field twice: with a key of its own, whose filter is the category alone, and a
  /// connection whose policy is in code.
  package struct FeaturedQuery: GraphQLQuery {
    package static let operationName: String = "Featured"
    package static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init("query Featured { featured { __typename } orders { __typename } }"))

    package var after: GraphQLNullable<String> = nil
    package var category: GraphQLNullable<String> = nil
    package var sort: GraphQLNullable<String> = nil

    package init(
      after: GraphQLNullable<String> = nil, category: GraphQLNullable<String> = nil,
      sort: GraphQLNullable<String> = nil
    ) {
      self.after = after
      self.category = category
      self.sort = sort
    }

    package var __variables: Variables? { ["after": after, "category": category, "sort": sort] }

    package static let __selections = Selections(
      "Query {featured:products(after: $after category: $category first: 2 sort: $sort) \(connection)"
        + #" @connection(key: "Featured" filters: ["category"]) "#
        + "orders(after: $after sort: $sort) \(connection)}")

    package struct Data: ShopAPI.SelectionSet {
      package typealias Schema = ShopAPI.SchemaMetadata
      private let __storage: ResponseObject
      package static let __layout = FeaturedQuery.__selections[0]

      private var featured: Connection { __object[0, Self.__layout] }
      private var orders: Orders { __object[1, Self.__layout] }
      package var ids: [String] { featured.edges.map(\.node.id) }
      package var orderIDs: [String] { orders.edges.map(\.node.id) }

      package struct Connection: ShopAPI.SelectionSet {
        package typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = FeaturedQuery.__selections[1]
        package var edges: [Edge] { __object[2, Self.__layout] }
      }
      package struct Edge: ShopAPI.SelectionSet {
        package typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = FeaturedQuery.__selections[2]
        package var node: Node { __object[2, Self.__layout] }
      }
      package struct Node: ShopAPI.SelectionSet {
        package typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = FeaturedQuery.__selections[3]
        package var id: ID { __object[1, Self.__layout] }
      }
      package struct Orders: ShopAPI.SelectionSet {
        package typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = FeaturedQuery.__selections[5]
        package var edges: [OrderEdge] { __object[2, Self.__layout] }
      }
      package struct OrderEdge: ShopAPI.SelectionSet {
        package typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = FeaturedQuery.__selections[6]
        package var node: Order { __object[2, Self.__layout] }
      }
      package struct Order: ShopAPI.SelectionSet {
        package typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = FeaturedQuery.__selections[7]
        package var id: ID { __object[1, Self.__layout] }
      }
    }
  }

  /// A list whose pages begin at an offset, and one whose pages have numbers.
  package struct ItemsQuery: GraphQLQuery {
    package static let operationName: String = "Items"
    package static let operationDocument: ApolloAPI.OperationDocument = .init(
      definition: .init("query Items { items { __typename } users { __typename } }"))

    package var offset: GraphQLNullable<Int> = nil
    package var page: GraphQLNullable<Int> = nil
    package var size: GraphQLNullable<Int> = nil

    package init(
      offset: GraphQLNullable<Int> = nil, page: GraphQLNullable<Int> = nil,
      size: GraphQLNullable<Int> = nil
    ) {
      self.offset = offset
      self.page = page
      self.size = size
    }

    package var __variables: Variables? { ["offset": offset, "page": page, "size": size] }

    package static let __selections = Selections(
      "Query {items(limit: $size offset: $offset) [Product {__typename String! id ID! name String!}] "
        + "users(page: $page size: $size) [Product {__typename String! id ID! name String!}!]!}")

    package struct Data: ShopAPI.SelectionSet {
      package typealias Schema = ShopAPI.SchemaMetadata
      private let __storage: ResponseObject
      package static let __layout = ItemsQuery.__selections[0]

      private var items: [Item?]? { __object[0, Self.__layout] }
      private var users: [User] { __object[1, Self.__layout] }
      package var ids: [String?] { items?.map { $0?.id } ?? [] }
      package var userIDs: [String] { users.map(\.id) }

      package struct Item: ShopAPI.SelectionSet {
        package typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = ItemsQuery.__selections[1]
        package var id: ID { __object[1, Self.__layout] }
      }
      package struct User: ShopAPI.SelectionSet {
        package typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = ItemsQuery.__selections[2]
        package var id: ID { __object[1, Self.__layout] }
      }
    }
  }
}

/// A page of a connection, each of whose items has its name as its cursor.
package struct ShopPage: Sendable {
  package var items: [String]
  package var hasNext = true
  package var hasPrevious = false
  /// The last cursor, or `nil` for that of the last item.
  package var end: String?
  package var total = 0

  package init(
    _ items: String, hasNext: Bool = true, hasPrevious: Bool = false, end: String? = nil,
    total: Int = 0
  ) {
    self.items = items.map(String.init)
    self.hasNext = hasNext
    self.hasPrevious = hasPrevious
    self.end = end
    self.total = total
  }

  package static func product(_ item: String) -> String {
    #"{"__typename":"Product","id":"\#(item)","name":"\#(item)"}"#
  }

  /// The data of a mutation that returns an edge.
  package static func edge(_ item: String) -> String {
    #"{"add":{"__typename":"ProductEdge","cursor":"\#(item)","node":\#(product(item))}}"#
  }

  package var json: String {
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
