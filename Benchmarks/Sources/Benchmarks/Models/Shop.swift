import ApolloAPI
import Foundation

/// A shop with a list of products, in the shape of generated code.
enum Shop<Policy: ShopPolicy>: ApolloAPI.SchemaMetadata {
  static var configuration: any ApolloAPI.SchemaConfiguration.Type { ShopConfiguration.self }
  static var types: ApolloAPI.GeneratedCode.SchemaTypes { Policy.types }

  /// `query($after: String) { products(first: 50, after: $after) { … } }`
  struct ProductsQuery: GraphQLQuery {
    static var operationName: String { "Products" }
    static var operationDocument: OperationDocument {
      OperationDocument(definition: .init("query"))
    }
    static var __selections: GeneratedCode.Selections { Policy.products }

    var after: GraphQLNullable<String> = nil
    var __variables: Variables? { ["after": after] }

    struct Data: ShopModel {
      typealias Schema = Shop
      private let __storage: GeneratedCode.ResponseObject
      static var __layout: GeneratedCode.SelectionLayout { Policy.products[0] }
      var products: Connection { __view(0) }
    }

    struct Connection: ShopModel {
      typealias Schema = Shop
      private let __storage: GeneratedCode.ResponseObject
      static var __layout: GeneratedCode.SelectionLayout { Policy.products[1] }
      var edges: [Edge] { __views(1) }
    }

    struct Edge: ShopModel {
      typealias Schema = Shop
      private let __storage: GeneratedCode.ResponseObject
      static var __layout: GeneratedCode.SelectionLayout { Policy.products[2] }
    }
  }

  /// `query($after: String) { all(after: $after) { … } }`: a list of objects without edges.
  struct ObjectsQuery: GraphQLQuery {
    static var operationName: String { "Objects" }
    static var operationDocument: OperationDocument {
      OperationDocument(definition: .init("query"))
    }
    static var __selections: GeneratedCode.Selections { Policy.objects }

    var after: GraphQLNullable<String> = nil
    var __variables: Variables? { ["after": after] }

    struct Data: ShopModel {
      typealias Schema = Shop
      private let __storage: GeneratedCode.ResponseObject
      static var __layout: GeneratedCode.SelectionLayout { Policy.objects[0] }
    }
  }
}

typealias ShopModel = ApolloAPI.RootSelectionSet & GeneratedCode.RootModelValue

/// Says whether the cache merges the list of products.
protocol ShopPolicy {
  static var types: GeneratedCode.SchemaTypes { get }
  static var products: GeneratedCode.Selections { get }
  static var objects: GeneratedCode.Selections { get }
}

enum Merged: ShopPolicy {
  static let types = GeneratedCode.SchemaTypes(
    """
    type Query; list products(connection)
    type Product; key id
    """)
  static let products = ShopText.products
  static let objects = ShopText.objects
}

enum Unmerged: ShopPolicy {
  static let types = GeneratedCode.SchemaTypes(
    """
    type Query
    type Product; key id
    """)
  static let products = ShopText.products
  static let objects = ShopText.objects
}

enum ShopConfiguration: SchemaConfiguration {
  static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
}

enum ShopText {
  static var products: GeneratedCode.Selections {
    GeneratedCode.Selections(
      "Query {products(after: $after first: 50) ProductConnection {__typename String! "
        + "edges [ProductEdge {__typename String! cursor String! node \(product)!}!]! "
        + "pageInfo PageInfo {__typename String! hasNextPage Boolean! endCursor String}!}!}")
  }
  static var objects: GeneratedCode.Selections {
    GeneratedCode.Selections("Query {all(after: $after) [\(product)!]!}")
  }
  static let product =
    "Product {__typename String! id ID! name String! price Float! stock Int!}"
}

/// `mutation { add { … } @appendNode(connections: $lists, edgeTypeName: "ProductEdge") }`
struct AppendProduct: GraphQLMutation {
  static let operationName = "AppendProduct"
  static let operationDocument = OperationDocument(definition: .init("mutation"))
  static let __selections = GeneratedCode.Selections(
    "Mutation {add \(ShopText.product) "
      + #"@appendNode(connections: $lists edgeTypeName: "ProductEdge")}"#)

  let lists: [ID]
  var __variables: Variables? { ["lists": lists] }

  struct Data: ShopModel {
    typealias Schema = Shop<Merged>
    private let __storage: GeneratedCode.ResponseObject
    static let __layout = AppendProduct.__selections[0]
  }
}

/// `mutation { delete @deleteEdge(connections: $lists, typeName: "Product") }`
struct DeleteProduct: GraphQLMutation {
  static let operationName = "DeleteProduct"
  static let operationDocument = OperationDocument(definition: .init("mutation"))
  static let __selections = GeneratedCode.Selections(
    #"Mutation {delete ID! @deleteEdge(connections: $lists typeName: "Product")}"#)

  let lists: [ID]
  var __variables: Variables? { ["lists": lists] }

  struct Data: ShopModel {
    typealias Schema = Shop<Merged>
    private let __storage: GeneratedCode.ResponseObject
    static let __layout = DeleteProduct.__selections[0]
  }
}

/// The responses of the shop. A page has 50 products, each of which has its number as its cursor.
enum ShopResponse {
  static let pageSize = 50

  static func product(_ number: Int) -> String {
    """
    {"__typename":"Product","id":"p\(number)","name":"Product number \(number)",\
    "price":\(Double(number) / 4),"stock":\(number % 100)}
    """
  }

  private static func numbers(ofPage page: Int) -> Range<Int> {
    (page * pageSize)..<((page + 1) * pageSize)
  }

  static func page(_ page: Int) -> Data {
    let numbers = numbers(ofPage: page)
    let edges = numbers.map {
      #"{"__typename":"ProductEdge","cursor":"\#($0)","node":\#(product($0))}"#
    }
    return Data(
      """
      {"data":{"products":{"__typename":"ProductConnection",\
      "edges":[\(edges.joined(separator: ","))],"pageInfo":{"__typename":"PageInfo",\
      "hasNextPage":true,"endCursor":"\(numbers.upperBound - 1)"}}}}
      """.utf8)
  }

  static func objects(_ page: Int) -> Data {
    let objects = numbers(ofPage: page).map(product)
    return Data(#"{"data":{"all":[\#(objects.joined(separator: ","))]}}"#.utf8)
  }

  /// The cursor behind which a page begins, or `nil` for the first one.
  static func cursor(beforePage page: Int) -> GraphQLNullable<String> {
    page == 0 ? nil : .some("\(page * pageSize - 1)")
  }

  static func added(_ number: Int) -> Data { Data(#"{"data":{"add":\#(product(number))}}"#.utf8) }
  static func deleted(_ number: Int) -> Data { Data(#"{"data":{"delete":"p\#(number)"}}"#.utf8) }
}
