import ApolloAPI
import TestOperations
import Testing

/// Models that are made of models with the same field several times.
struct ConvertingMeetingTests {
  private let twice = #"""
    {"brief":{"__typename":"Hero","id":"0"},
    "full":{"__typename":"Hero","id":"0","name":"R2","note":"beep"}}
    """#

  /// "Fields are the same if their names and arguments are, whatever their aliases."
  @Test func aValueUnderASecondAliasIsFound() throws {
    let other = try Twice(jsonBytes: Array(twice.utf8))
    let named = try Named(converting: other)
    #expect(named.json == #"{"hero":{"__typename":"Hero","id":"0","name":"R2"}}"#)
  }

  @Test func anOptionalValueUnderASecondAliasIsNotLost() throws {
    let other = try Twice(jsonBytes: Array(twice.utf8))
    let noted = try Noted(converting: other)
    #expect(noted.json == #"{"hero":{"__typename":"Hero","id":"0","note":"beep"}}"#)
  }

  /// The order of the aliases makes no difference.
  @Test func aValueUnderTheFirstAliasIsFound() throws {
    let other = try TwiceReversed(jsonBytes: Array(twice.utf8))
    let named = try Named(converting: other)
    #expect(named.json == #"{"hero":{"__typename":"Hero","id":"0","name":"R2"}}"#)
  }
}

private struct Twice: HeroAPI.SelectionSet {
  typealias Schema = HeroAPI.SchemaMetadata
  private let __storage: ResponseObject
  static let __selections = Selections(
    "Query {brief:hero Hero {__typename String! id ID!} "
      + "full:hero Hero {__typename String! id ID! name String! note String}}")
  static let __layout = __selections[0]
}

private struct TwiceReversed: HeroAPI.SelectionSet {
  typealias Schema = HeroAPI.SchemaMetadata
  private let __storage: ResponseObject
  static let __selections = Selections(
    "Query {full:hero Hero {__typename String! id ID! name String! note String} "
      + "brief:hero Hero {__typename String! id ID!}}")
  static let __layout = __selections[0]
}

private struct Named: HeroAPI.SelectionSet {
  typealias Schema = HeroAPI.SchemaMetadata
  private let __storage: ResponseObject
  static let __selections = Selections(
    "Query {hero Hero {__typename String! id ID! name String!}}")
  static let __layout = __selections[0]
  var json: String { String(decoding: jsonBytes, as: UTF8.self) }
}

private struct Noted: HeroAPI.SelectionSet {
  typealias Schema = HeroAPI.SchemaMetadata
  private let __storage: ResponseObject
  static let __selections = Selections(
    "Query {hero Hero {__typename String! id ID! note String}}")
  static let __layout = __selections[0]
  var json: String { String(decoding: jsonBytes, as: UTF8.self) }
}
