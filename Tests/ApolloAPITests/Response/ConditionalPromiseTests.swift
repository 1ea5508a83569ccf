import ApolloAPI
import Testing

/// Fields that a condition leaves out promise no values, even if a fragment selects them, too.
struct ConditionalPromiseTests {
  /// `@throwOnFieldError`: the null ends the data only where the operation selects the field.
  @Test(arguments: [true, false])
  func aPromiseHoldsWhereTheConditionDoes(isDetailed: Bool) throws {
    let hero = try? CertainHero(
      jsonBytes: Array(#"{"name":null}"#.utf8), variables: ["detailed": isDetailed])
    #expect((hero == nil) == isDetailed)
  }

  /// `@required`: the null removes the object only where the operation selects the field.
  @Test(arguments: [true, false])
  func aFieldIsRequiredWhereItsConditionHolds(isDetailed: Bool) throws {
    let data = try RequiredData(
      jsonBytes: Array(#"{"hero":{"__typename":"Human","name":null}}"#.utf8),
      variables: ["detailed": isDetailed])
    #expect((data.hero == nil) == isDetailed)
  }

  @Test(arguments: [true, false])
  func anObjectIsRequiredWhereItsConditionHolds(isDetailed: Bool) throws {
    let data = try RequiredFriendData(
      jsonBytes: Array(#"{"hero":{"__typename":"Human","name":"Luke","friend":null}}"#.utf8),
      variables: ["detailed": isDetailed])
    #expect((data.hero == nil) == isDetailed)
  }
}

/// `fragment Row on Character { name friend { name } }`.
private struct Row: StarWarsAPI.SelectionSet, Fragment {
  typealias Schema = StarWarsAPI.SchemaMetadata
  static var fragmentDefinition: String { "fragment Row on Character { name friend { name } }" }
  private let __storage: ResponseObject
  static let __selections = Selections("Character {name String friend Character {name String}}")
  static let __layout = __selections[0]
}

/// `{ name @include(if: $detailed) ...Row }` of a query with `@throwOnFieldError`.
private struct CertainHero: StarWarsAPI.SelectionSet {
  typealias Schema = StarWarsAPI.SchemaMetadata
  private let __storage: ResponseObject
  static let __selections = Selections(
    """
    @throwOnFieldError Character {
      name String @semanticNonNull(levels: [0]) @include(if: $detailed)
      ...#0
    }
    """, fragments: [Row.self])
  static let __layout = __selections[0]
}

/// `{ hero { name @required(action: NONE) @include(if: $detailed) ...Row } }`.
private struct RequiredData: StarWarsAPI.SelectionSet {
  typealias Schema = StarWarsAPI.SchemaMetadata
  private let __storage: ResponseObject
  static let __selections = Selections(
    #"""
    Query {
      hero Character {
        __typename String!
        name String @required(action: "NONE") @include(if: $detailed)
        ...#0
      }
    }
    """#, fragments: [Row.self])
  static let __layout = __selections[0]
  var hero: Hero? { __value(0) }

  struct Hero: StarWarsAPI.SelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = RequiredData.__selections[1]
  }
}

/// `{ hero { friend @required(action: NONE) @include(if: $detailed) { name } ...Row } }`.
private struct RequiredFriendData: StarWarsAPI.SelectionSet {
  typealias Schema = StarWarsAPI.SchemaMetadata
  private let __storage: ResponseObject
  static let __selections = Selections(
    #"""
    Query {
      hero Character {
        __typename String!
        friend Character {name String} @required(action: "NONE") @include(if: $detailed)
        ...#0
      }
    }
    """#, fragments: [Row.self])
  static let __layout = __selections[0]
  var hero: Hero? { __value(0) }

  struct Hero: StarWarsAPI.SelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __layout = RequiredFriendData.__selections[1]
  }
}
