import ApolloAPI
import Foundation
import Testing

/// The values of which the keys of records are made.
struct ObjectDataTests {
  @Test func valuesHaveTheFormThatTheirTypesWrite() throws {
    let text = #"{"id":5,"code":7,"made":"2026-11-20T12:30:00+01:00","size":1.5}"#
    let item = try Item(jsonBytes: Array(text.utf8))
    let data = ObjectData(item.__object)
    #expect(data["id"] == "5")
    #expect(data["code"] == "7")
    #expect(data["size"] == 1.5)
    #expect(data["made"] == "2026-11-20T11:30:00Z")
  }
}

/// `{ id code made size }`, with an alias of `String` and a `Date`.
private struct Item: StarWarsAPI.SelectionSet {
  typealias Schema = StarWarsAPI.SchemaMetadata
  private let __storage: ResponseObject
  static let __selections = Selections(
    "Character {id ID! code #0! made #1! size Float!}", leaves: [String.self, Date.self])
  static let __layout = __selections[0]
}
