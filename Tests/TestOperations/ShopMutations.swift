package import ApolloAPI

// Mutations and a subscription that change the list of ``ShopAPI/ProductsQuery``.

private let edgeSelections =
  "ProductEdge {__typename String! cursor String! node Product {__typename String! id ID! name String!}!}"
private let nodeSelections = "Product {__typename String! id ID! name String!}"

package protocol ListMutation: GraphQLMutation {
  var lists: [ID] { get }
}

extension ListMutation {
  package static var operationName: String { "\(Self.self)" }
  package static var operationDocument: ApolloAPI.OperationDocument {
    .init(definition: .init("mutation \(Self.self)($name: String) { add(name: $name) { id } }"))
  }
  package var __variables: Variables? { ["name": "x", "lists": lists] }
}

package struct AppendEdge: ListMutation {
  package let lists: [ID]
  package init(lists: [ID]) { self.lists = lists }
  package static let __selections = Selections(
    "Mutation {add(name: $name) \(edgeSelections) @appendEdge(connections: $lists)}")
  package struct Data: ShopAPI.SelectionSet {
    package typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    package static let __layout = AppendEdge.__selections[0]
  }
}

package struct PrependEdge: ListMutation {
  package let lists: [ID]
  package init(lists: [ID]) { self.lists = lists }
  package static let __selections = Selections(
    "Mutation {add(name: $name) \(edgeSelections) @prependEdge(connections: $lists)}")
  package struct Data: ShopAPI.SelectionSet {
    package typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    package static let __layout = PrependEdge.__selections[0]
  }
}

package struct AppendNode: ListMutation {
  package let lists: [ID]
  package init(lists: [ID]) { self.lists = lists }
  package static let __selections = Selections(
    "Mutation {add(name: $name) \(nodeSelections) "
      + #"@appendNode(connections: $lists edgeTypeName: "ProductEdge")}"#)
  package struct Data: ShopAPI.SelectionSet {
    package typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    package static let __layout = AppendNode.__selections[0]
  }
}

package struct PrependNode: ListMutation {
  package let lists: [ID]
  package init(lists: [ID]) { self.lists = lists }
  package static let __selections = Selections(
    "Mutation {add(name: $name) \(nodeSelections) "
      + #"@prependNode(connections: $lists edgeTypeName: "ProductEdge")}"#)
  package struct Data: ShopAPI.SelectionSet {
    package typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    package static let __layout = PrependNode.__selections[0]
  }
}

/// Selects less of an item than the list does.
package struct AppendIdentifier: ListMutation {
  package let lists: [ID]
  package init(lists: [ID]) { self.lists = lists }
  package static let __selections = Selections(
    "Mutation {add(name: $name) Product {__typename String! id ID!} "
      + #"@appendNode(connections: $lists edgeTypeName: "ProductEdge")}"#)
  package struct Data: ShopAPI.SelectionSet {
    package typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    package static let __layout = AppendIdentifier.__selections[0]
  }
}

/// Selects less of an item than the list does.
package struct PrependIdentifier: ListMutation {
  package let lists: [ID]
  package init(lists: [ID]) { self.lists = lists }
  package static let __selections = Selections(
    "Mutation {add(name: $name) Product {__typename String! id ID!} "
      + #"@prependNode(connections: $lists edgeTypeName: "ProductEdge")}"#)
  package struct Data: ShopAPI.SelectionSet {
    package typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    package static let __layout = PrependIdentifier.__selections[0]
  }
}

package struct DeleteEdge: ListMutation {
  package let lists: [ID]
  package init(lists: [ID]) { self.lists = lists }
  package static let __selections = Selections(
    #"Mutation {delete(name: $name) [ID!]! @deleteEdge(connections: $lists typeName: "Product")}"#)
  package struct Data: ShopAPI.SelectionSet {
    package typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    package static let __layout = DeleteEdge.__selections[0]
  }
}

package struct DeleteRecord: ListMutation {
  package let lists: [ID]
  package init(lists: [ID]) { self.lists = lists }
  package static let __selections = Selections(
    "Mutation {delete(name: $name) \(nodeSelections) @deleteRecord(connections: $lists)}")
  package struct Data: ShopAPI.SelectionSet {
    package typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    package static let __layout = DeleteRecord.__selections[0]
  }
}

package struct Added: GraphQLSubscription {
  package let lists: [ID]
  package init(lists: [ID]) { self.lists = lists }
  package static let operationName = "Added"
  package static let operationDocument = ApolloAPI.OperationDocument(
    definition: .init("subscription Added { add { id } }"))
  package var __variables: Variables? { ["lists": lists] }
  package static let __selections = Selections(
    "Subscription {add \(edgeSelections) @appendEdge(connections: $lists)}")
  package struct Data: ShopAPI.SelectionSet {
    package typealias Schema = ShopAPI.SchemaMetadata
    private let __storage: ResponseObject
    package static let __layout = Added.__selections[0]
  }
}
