import ApolloAPI
import Foundation
import TestOperations

/// The selections of a ``SelectedQuery``.
protocol ShopSelections {
  static var selections: Selections { get }
}

/// A query whose data is compared as JSON.
struct SelectedQuery<Selected: ShopSelections>: GraphQLQuery {
  static var operationName: String { "\(Selected.self)" }
  static var operationDocument: ApolloAPI.OperationDocument {
    .init(definition: .init("query \(operationName) { __typename }"))
  }
  static var __selections: Selections { Selected.selections }

  var first: GraphQLNullable<Int> = nil
  var after: GraphQLNullable<String> = nil
  var last: GraphQLNullable<Int> = nil
  var before: GraphQLNullable<String> = nil

  var __variables: Variables? {
    ["first": first, "after": after, "last": last, "before": before]
  }

  struct Data: ShopAPI.SelectionSet {
    typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    static var __layout: GeneratedCode.SelectionLayout { Selected.selections[0] }

    var json: String { String(decoding: jsonBytes, as: UTF8.self) }

    /// The identifiers of all items, in the order of the response.
    var ids: String {
      json.split(separator: #""id":""#).dropFirst().compactMap(\.first).map(String.init).joined()
    }
  }
}

/// Selections of the list that ``ShopAPI/ProductsQuery`` selects too.
enum ShopSelection {
  private static func products(_ connection: String) -> Selections {
    Selections("Query {\(field(connection))}")
  }

  private static func field(_ connection: String) -> String {
    "products(after: $after before: $before first: $first last: $last) ProductConnection "
      + "{\(connection)}!"
  }

  private static let node = "node Product {__typename String! id ID! name String!}!"
  private static let edges = "edges [ProductEdge {cursor String! \(node)}!]!"
  private static let end = "pageInfo PageInfo {hasNextPage Boolean! endCursor String}!"

  enum NoPageInfo: ShopSelections { static let selections = products(edges) }
  enum NoCursor: ShopSelections {
    static let selections = products("\(edges) pageInfo PageInfo {hasNextPage Boolean!}!")
  }
  enum NoHasNextPage: ShopSelections {
    static let selections = products("\(edges) pageInfo PageInfo {endCursor String}!")
  }
  enum OtherEnd: ShopSelections {
    static let selections = products(
      "\(edges) pageInfo PageInfo {hasPreviousPage Boolean! startCursor String}!")
  }
  enum NoItems: ShopSelections { static let selections = products("totalCount Int \(end)") }
  enum NoNodes: ShopSelections {
    static let selections = products("edges [ProductEdge {cursor String!}!]! \(end)")
  }
  /// A list of its own.
  enum Nodes: ShopSelections {
    static let selections = products("nodes [Product {__typename String! id ID!}!]! \(end)")
  }
  enum EdgesAndNodes: ShopSelections {
    static let selections = products(
      "\(edges) nodes [Product {__typename String! id ID!}!]! \(end)")
  }
  /// A page, whose edges have less.
  enum NoEdgeCursors: ShopSelections {
    static let selections = products("edges [ProductEdge {\(node)}!]! \(end)")
  }
  /// Items with a field that may be null.
  enum Notes: ShopSelections {
    static let selections = products(
      "edges [ProductEdge {node Product {__typename String! id ID! note String}!}!]! "
        + "pageInfo PageInfo {hasNextPage Boolean! endCursor String hasPreviousPage Boolean! "
        + "startCursor String}!")
  }
  /// The list of an object without a key.
  enum Embedded: ShopSelections {
    static let selections = Selections(
      "Query {shop Shop {name String! \(field("\(edges) \(end)"))}!}")
  }
  /// The same, of objects of a list, and by another selection.
  enum EmbeddedElsewhere: ShopSelections {
    static let selections = Selections(
      "Query {shop Shop {\(field("edges [ProductEdge {\(node)}!]! \(end)"))}!}")
  }
}
