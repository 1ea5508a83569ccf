// In the shape of generated code, for a schema with whatever a cache has to cope with:
//
// interface Node @typePolicy(keyFields: "id") { id: ID! }
// type Book implements Node { id: ID!, title(language: String): String, tags: [String!]!, author:
// Author, editions: [[Edition]], meta: JSON, genre: Genre, rating: Float } type Author implements
// Node { id: ID!, name: String!, books(first: Int): [Book], best: Node } type Edition { isbn:
// String, year: Int! } type Shelf @typePolicy(keyFields: "row column") { row: Int!, column:
// String!, books: [Book!]! } type Query { book(id: ID!): Book, node(id: ID!): Node, shelf: Shelf,
// featured: [Book] }
import ApolloAPI

enum LibraryAPI {
  enum SchemaMetadata: ApolloAPI.SchemaMetadata {
    static let configuration: any ApolloAPI.SchemaConfiguration.Type = SchemaConfiguration.self
    static let types = SchemaTypes(
      objects: [
        Object(typename: "Book", implementedInterfaces: [node]),
        Object(typename: "Author", implementedInterfaces: [node], keyFields: ["id"]),
        Object(typename: "Edition"), Object(typename: "Shelf", keyFields: ["row", "column"]),
        Object(typename: "Query"),
      ],
      interfaces: [node])
    private static let node = Interface(
      name: "Node", keyFields: ["id"], implementingObjects: ["Book", "Author"])
  }

  enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
    /// Books by what they are; everything else by its key fields.
    static func cacheKeyInfo(for type: ApolloAPI.Object, object: ObjectData) -> CacheKeyInfo? {
      guard type.typename == "Book", let id = object["id"] else { return nil }
      return try? CacheKeyInfo(jsonValue: id, uniqueKeyGroup: "B")
    }
  }

  enum Genre: String, EnumType {
    case novel = "NOVEL"
    case poetry = "POETRY"
  }
}

/// A query whose selections are given as the literal that generated code would have.
struct LibraryQuery<Definition: LibraryDefinition>: GraphQLQuery {
  static var operationName: String { "Library" }
  static var operationDocument: OperationDocument {
    .init(definition: .init("query Library { __typename }"))
  }
  static var __selections: Selections { Definition.selections }

  var __variables: Variables?

  init(_ variables: Variables? = nil) { __variables = variables }

  struct Data: RootSelectionSet, RootModelValue {
    typealias Schema = LibraryAPI.SchemaMetadata
    private let __storage: ResponseObject
    static var __layout: SelectionLayout { Definition.selections[0] }
  }
}

protocol LibraryDefinition: Hashable, Sendable {
  static var selections: Selections { get }
}

/// `query($id: ID!, $language: String) { book(id: $id) { … } }`, with everything that a book has.
enum WholeBook: LibraryDefinition {
  static let selections = Selections(
    #"""
    Query {book(id:$id) Book {__typename String! id ID! title(language:$language) String english:title(language:"en") String
      tags [String!]! author Author {__typename String! id ID! name String! best Node {__typename String! id ID! ...Book {rating Float}}}
      editions [[Edition {__typename String! isbn String year Int!}]] meta #0 genre #1 rating Float}}
    """#,
    leaves: [JSONValue.self, GraphQLEnum<LibraryAPI.Genre>.self])
}

/// `query($id: ID!) { book(id: $id) { title author { name } } }`
enum BookTitle: LibraryDefinition {
  static let selections = Selections(
    #"Query {book(id:$id) Book {__typename String! id ID! title String author Author {__typename String! id ID! name String!}}}"#
  )
}

/// `{ featured { id rating } shelf { row column books { id } } }`
enum Featured: LibraryDefinition {
  static let selections = Selections(
    #"""
    Query {featured [Book {__typename String! id ID! rating Float}]
      shelf Shelf {__typename String! row Int! column String! books [Book {__typename String! id ID!}!]!}}
    """#)
}

/// `{ node(id: $id) { id ... on Author { name books(first: $first) { id title } } } }`
enum NodeBooks: LibraryDefinition {
  static let selections = Selections(
    #"Query {node(id:$id) Node {__typename String! id ID! ...Author {+__typename+id name String! books(first:$first) [Book {__typename String! id ID! title String}]}}}"#
  )
}

/// `{ scores }`, a list of lists of leaves.
enum Scores: LibraryDefinition {
  static let selections = Selections("Query {scores [[Int]]}")
}

/// `{ scores words }`, lists whose elements are never null.
enum StrictLists: LibraryDefinition {
  static let selections = Selections("Query {scores [[Int!]] words [String!]}")
}

/// A self-reference, three deep:
/// `{ node(id: $id) { … on Author { best { … on Author { best { id } } } } } }`
enum BestOfBest: LibraryDefinition {
  static let selections = Selections(
    #"Query {node(id:$id) Node {__typename String! id ID! ...Author {best Node {__typename String! id ID! ...Author {best Node {__typename String! id ID!}}}}}}"#
  )
}
