package import ApolloAPI

// A query and a mutation that return a page of the same list, which an object with a key has.

private let product = """
  product Product {__typename String! id ID! related(after: $after first: $first) \
  ProductConnection {__typename String! totalCount Int \
  edges [ProductEdge {__typename String! cursor String! \
  node Product {__typename String! id ID! name String!}!}!]! \
  pageInfo PageInfo {__typename String! hasNextPage Boolean! hasPreviousPage Boolean! \
  startCursor String endCursor String}!}!}!
  """

package struct RelatedQuery: GraphQLQuery {
  package static let operationName = "Related"
  package static let operationDocument = ApolloAPI.OperationDocument(
    definition: .init("query Related { product { __typename } }"))

  package var after: String?

  package init(after: String? = nil) { self.after = after }

  package var __variables: Variables? {
    ["after": after.map { .some($0) } ?? GraphQLNullable<String>.none, "first": 2]
  }

  package static let __selections = Selections("Query {\(product)}")

  package struct Data: ShopAPI.SelectionSet {
    package typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    package static let __layout = RelatedQuery.__selections[0]

    package var product: Product { __object[0, Self.__layout] }
    package var ids: [String] { product.related.edges.map(\.node.id) }

    package struct Product: ShopAPI.SelectionSet {
      package typealias Schema = ShopAPI.SchemaMetadata
      private let __storage: ResponseObject
      package static let __layout = RelatedQuery.__selections[1]
      package var related: Related { __object[2, Self.__layout] }

      package struct Related: ShopAPI.SelectionSet {
        package typealias Schema = ShopAPI.SchemaMetadata
        private let __storage: ResponseObject
        package static let __layout = RelatedQuery.__selections[2]
        package var edges: [Edge] { __object[2, Self.__layout] }
        package var pageInfo: PageInfo { __object[3, Self.__layout] }

        package struct Edge: ShopAPI.SelectionSet {
          package typealias Schema = ShopAPI.SchemaMetadata
          private let __storage: ResponseObject
          package static let __layout = RelatedQuery.__selections[3]
          package var node: Node { __object[2, Self.__layout] }

          package struct Node: ShopAPI.SelectionSet {
            package typealias Schema = ShopAPI.SchemaMetadata
            private let __storage: ResponseObject
            package static let __layout = RelatedQuery.__selections[4]
            package var id: ID { __object[1, Self.__layout] }
          }
        }

        package struct PageInfo: ShopAPI.SelectionSet {
          package typealias Schema = ShopAPI.SchemaMetadata
          private let __storage: ResponseObject
          package static let __layout = RelatedQuery.__selections[5]
          package var hasNextPage: Bool { __object[1, Self.__layout] }
          package var endCursor: String? { __object[4, Self.__layout] }
        }
      }
    }
  }

  /// The body of a response with a page.
  package static func body(_ page: ShopPage) -> String {
    #"{"data":{"product":{"__typename":"Product","id":"list","related":\#(page.json)}}}"#
  }

  /// The key of the record that has the list.
  package static let key = "Product:list"
}

/// Returns the first page.
package struct ReturnRelated: GraphQLMutation {
  package static let operationName = "ReturnRelated"
  package static let operationDocument = ApolloAPI.OperationDocument(
    definition: .init("mutation ReturnRelated { product { __typename } }"))
  package init() {}
  package var __variables: Variables? { ["after": GraphQLNullable<String>.none, "first": 2] }
  package static let __selections = Selections("Mutation {\(product)}")
  package struct Data: ShopAPI.SelectionSet {
    package typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    package static let __layout = ReturnRelated.__selections[0]
  }
}
