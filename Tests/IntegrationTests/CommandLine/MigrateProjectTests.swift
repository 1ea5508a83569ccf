import Foundation
import Testing

/// `apollo-cli migrate` on a whole project, laid out as Apollo iOS 1 generates one.
@Suite(.timeLimit(.minutes(10)))
struct MigrateProjectTests {
  private static func generated(_ text: String) -> String {
    """
    // @generated
    // This file was automatically generated and should not be edited.

    \(text)

    """
  }

  private static func editable(_ purpose: String, _ text: String) -> String {
    """
    // @generated
    // This file was automatically generated and can be edited to
    // \(purpose).
    //
    // Any changes to this file will not be overwritten by future
    // code generation execution.

    \(text)

    """
  }

  private static let inputs = [
    "apollo-codegen-config.json": """
    {
      "schemaNamespace": "StarAPI",
      "input": { "operationSearchPaths": ["**/*.graphql"], "schemaSearchPaths": ["**/*.graphqls"] },
      "output": {
        "testMocks": { "absolute": { "path": "./Mocks" } },
        "schemaTypes": { "path": "./StarAPI", "moduleType": { "swiftPackageManager": {} } },
        "operations": { "inSchemaModule": {} }
      },
      "options": {
        "deprecatedEnumCases": "include",
        "schemaDocumentation": "exclude",
        "queryStringLiteralFormat": "multiline",
        "cocoapodsCompatibleImportStatements": false,
        "warningsOnDeprecatedUsage": "include",
        "selectionSetInitializers": { "localCacheMutations": true },
        "conversionStrategies": { "enumCases": "camelCase" },
        "pruneGeneratedFiles": true,
        "markOperationDefinitionsAsFinal": true
      },
      "experimentalFeatures": { "legacySafelistingCompatibleOperations": false }
    }
    """,
    "graphql/schema.graphqls": """
    type Query { hero(episode: Episode): Character search: [SearchResult!]! }
    type Mutation { createReview(review: ReviewInput!): Review }
    interface Character { id: ID! name: String! friends: [Character!] }
    type Human implements Character { id: ID! name: String! friends: [Character!] born: Date }
    type Droid implements Character { id: ID! name: String! friends: [Character!] function: String }
    type Review { stars: Int! }
    union SearchResult = Human | Droid
    enum Episode { NEW_HOPE EMPIRE }
    input ReviewInput { stars: Int! commentary: String }
    scalar Date
    """,
    "graphql/operations.graphql": """
    query HeroDetails($episode: Episode, $more: Boolean!) {
      hero(episode: $episode) {
        ...HeroFriends
        friends { name }
        friends @include(if: $more) { id }
        ... on Droid { function ... on Character { id } }
      }
    }
    fragment HeroFriends on Character { name friends { name } ... on Human { born } }
    query Heroes { search { ... on Character { ...HeroFriends } } }
    mutation CreateReview($review: ReviewInput!) { createReview(review: $review) { stars } }
    query HeroNameLocalCacheMutation @apollo_client_ios_localCacheMutation { hero { name } }
    """,
  ]

  private static let schema = [
    "StarAPI/Package.swift": """
    // swift-tools-version:5.9

    import PackageDescription

    let package = Package(
      name: "StarAPI",
      platforms: [.iOS(.v12), .macOS(.v10_14)],
      products: [.library(name: "StarAPI", targets: ["StarAPI"])],
      dependencies: [
        .package(url: "https://github.com/apollographql/apollo-ios.git", exact: "1.15.0"),
      ],
      targets: [.target(name: "StarAPI", path: "./Sources")]
    )

    """,
    "StarAPI/Sources/Schema/SchemaMetadata.graphql.swift": generated(
      """
      import ApolloAPI

      public protocol SelectionSet: ApolloAPI.SelectionSet & ApolloAPI.RootSelectionSet
      where Schema == StarAPI.SchemaMetadata {}

      public protocol InlineFragment: ApolloAPI.SelectionSet & ApolloAPI.InlineFragment
      where Schema == StarAPI.SchemaMetadata {}

      public enum SchemaMetadata: ApolloAPI.SchemaMetadata {
        public static let configuration: any ApolloAPI.SchemaConfiguration.Type = SchemaConfiguration.self

        public static func objectType(forTypename typename: String) -> ApolloAPI.Object? {
          switch typename {
          case "Droid": return StarAPI.Objects.Droid
          default: return nil
          }
        }
      }

      public enum Objects {}
      public enum Interfaces {}
      public enum Unions {}
      """),
    "StarAPI/Sources/Schema/SchemaConfiguration.swift": editable(
      "provide custom configuration for a generated GraphQL schema",
      """
      import ApolloAPI

      enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
        static func cacheKeyInfo(for type: ApolloAPI.Object, object: ApolloAPI.ObjectData) -> CacheKeyInfo? {
          try? CacheKeyInfo(jsonValue: object["id"])
        }
      }
      """),
    "StarAPI/Sources/Schema/Objects/Droid.graphql.swift": generated(
      """
      import ApolloAPI

      public extension Objects {
        static let Droid = ApolloAPI.Object(
          typename: "Droid", implementedInterfaces: [StarAPI.Interfaces.Character.self])
      }
      """),
    "StarAPI/Sources/Schema/Objects/Starship.graphql.swift": generated(
      "import ApolloAPI\n\npublic extension Objects { static let Starship = 0 }"),
    "StarAPI/Sources/Schema/Interfaces/Character.graphql.swift": generated(
      """
      import ApolloAPI

      public extension Interfaces { static let Character = ApolloAPI.Interface(name: "Character") }
      """),
    "StarAPI/Sources/Schema/Unions/SearchResult.graphql.swift": generated(
      """
      import ApolloAPI

      public extension Unions {
        static let SearchResult = Union(name: "SearchResult", possibleTypes: [])
      }
      """),
    "StarAPI/Sources/Schema/Enums/Episode.graphql.swift": generated(
      """
      import ApolloAPI

      public enum Episode: String, EnumType {
        case newHope = "NEW_HOPE"
        case empire = "EMPIRE"
      }
      """),
    "StarAPI/Sources/Schema/InputObjects/ReviewInput.graphql.swift": generated(
      """
      import ApolloAPI

      public struct ReviewInput: InputObject {
        public private(set) var __data: InputDict

        public init(stars: Int, commentary: GraphQLNullable<String> = nil) {
          __data = InputDict(["stars": stars, "commentary": commentary])
        }

        public var stars: Int {
          get { __data["stars"] }
          set { __data["stars"] = newValue }
        }

        public var commentary: GraphQLNullable<String> {
          get { __data["commentary"] }
          set { __data["commentary"] = newValue }
        }
      }
      """),
    "StarAPI/Sources/Schema/CustomScalars/Date.swift": editable(
      "implement advanced custom scalar functionality",
      "import ApolloAPI\n\npublic typealias Date = String"),
  ]

  private static let friend = """
    public struct Friend: StarAPI.SelectionSet {
      public var name: String { __data["name"] }
      public var ifMore: IfMore? { _asInlineFragment() }
      public struct IfMore: StarAPI.InlineFragment {
        public var id: StarAPI.ID { __data["id"] }
        public var name: String { __data["name"] }
      }
    }
    """

  private static let operations = [
    "StarAPI/Sources/Operations/Queries/HeroDetailsQuery.graphql.swift": generated(
      ##"""
      @_exported import ApolloAPI

      public final class HeroDetailsQuery: GraphQLQuery {
        public static let operationName: String = "HeroDetails"
        public static let operationDocument: ApolloAPI.OperationDocument = .init(
          definition: .init(
            #"""
            query HeroDetails($episode: Episode) {
              hero(episode: $episode) { __typename ...HeroFriends }
            }
            """#,
            fragments: [HeroFriends.self]
          ))

        public var episode: GraphQLNullable<GraphQLEnum<Episode>>
        public var more: Bool

        public init(episode: GraphQLNullable<GraphQLEnum<Episode>>, more: Bool) {
          self.episode = episode
          self.more = more
        }

        public struct Data: StarAPI.SelectionSet {
          public let __data: DataDict
          public init(_dataDict: DataDict) { __data = _dataDict }

          public static var __parentType: any ApolloAPI.ParentType { StarAPI.Objects.Query }
          public var hero: Hero? { __data["hero"] }

          /// Hero
          ///
          /// Parent Type: `Character`
          public struct Hero: StarAPI.SelectionSet {
            public let __data: DataDict
            public var name: String { __data["name"] }
            public var friends: [Friend]? { __data["friends"] }
            public var asDroid: AsDroid? { _asInlineFragment() }
            public var asHuman: AsHuman? { _asInlineFragment() }
            public struct Fragments: FragmentContainer {
              public var heroFriends: HeroFriends { _toFragment() }
            }
      \##(friend)
            public struct AsHuman: StarAPI.InlineFragment {
              public typealias RootEntityType = HeroDetailsQuery.Data.Hero
              public var born: StarAPI.Date? { __data["born"] }
              public var name: String { __data["name"] }
              public var friends: [Friend]? { __data["friends"] }
              public struct Fragments: FragmentContainer {
                public var heroFriends: HeroFriends { _toFragment() }
              }
      \##(friend)
            }
            public struct AsDroid: StarAPI.InlineFragment {
              public typealias RootEntityType = HeroDetailsQuery.Data.Hero
              public var function: String? { __data["function"] }
              public var id: StarAPI.ID { __data["id"] }
              public var friends: [Friend]? { __data["friends"] }
              public struct Fragments: FragmentContainer {
                public var heroFriends: HeroFriends { _toFragment() }
              }
      \##(friend)
            }
          }
        }
      }
      """##),
    "StarAPI/Sources/Operations/Queries/HeroesQuery.graphql.swift": generated(
      """
      public final class HeroesQuery: GraphQLQuery {
        public struct Data: StarAPI.SelectionSet {
          public var search: [Search] { __data["search"] }
          public struct Search: StarAPI.SelectionSet {
            public var asCharacter: AsCharacter? { _asInlineFragment() }
            public struct AsCharacter: StarAPI.InlineFragment {
              public var name: String { __data["name"] }
              public var friends: [Friend]? { __data["friends"] }
              public struct Fragments: FragmentContainer {
                public var heroFriends: HeroFriends { _toFragment() }
              }
              public typealias Friend = HeroFriends.Friend
            }
          }
        }
      }
      """),
    "StarAPI/Sources/Operations/Mutations/CreateReviewMutation.graphql.swift": generated(
      """
      public final class CreateReviewMutation: GraphQLMutation {
        public var review: ReviewInput
        public struct Data: StarAPI.SelectionSet {
          public var createReview: CreateReview? { __data["createReview"] }
          public struct CreateReview: StarAPI.SelectionSet {
            public var stars: Int { __data["stars"] }
          }
        }
      }
      """),
    "StarAPI/Sources/Fragments/HeroFriends.graphql.swift": generated(
      """
      public struct HeroFriends: StarAPI.SelectionSet, Fragment {
        public static var fragmentDefinition: StaticString { "fragment HeroFriends on Character" }
        public var name: String { __data["name"] }
        public var friends: [Friend]? { __data["friends"] }
        public var asHuman: AsHuman? { _asInlineFragment() }
        public struct Friend: StarAPI.SelectionSet {
          public var name: String { __data["name"] }
        }
        public struct AsHuman: StarAPI.InlineFragment {
          public var born: StarAPI.Date? { __data["born"] }
        }
      }
      """),
    "StarAPI/Sources/LocalCacheMutations/HeroNameLocalCacheMutation.graphql.swift": generated(
      """
      public class HeroNameLocalCacheMutation: LocalCacheMutation {
        public static let operationType: GraphQLOperationType = .query
        public struct Data: StarAPI.MutableSelectionSet {
          public var __data: DataDict
          public var hero: Hero? {
            get { __data["hero"] }
            set { __data["hero"] = newValue }
          }
          public struct Hero: StarAPI.MutableSelectionSet {
            public var name: String {
              get { __data["name"] }
              set { __data["name"] = newValue }
            }
          }
        }
      }
      """),
    "Mocks/Droid+Mock.graphql.swift": generated(
      """
      import ApolloTestSupport
      import StarAPI

      public class Droid: MockObject {
        public static let objectType: ApolloAPI.Object = StarAPI.Objects.Droid
        public static let _mockFields = MockFields()
        public typealias MockValueCollectionType = Array<Mock<Droid>>

        public struct MockFields {
          @Field<String>("name") public var name
        }
      }

      public extension Mock where O == Droid {
        convenience init(name: String? = nil) {
          self.init()
          _setScalar(name, for: \\.name)
        }
      }
      """),
  ]

  private static let project = inputs.merging(schema) { $1 }.merging(operations) { $1 }

  @Test func takesOverAWholeProject() async throws {
    try await withFiles(Self.project) { project in
      let before = try project.contents(of: ".")
      let list = try await project.apollo("migrate", "--verbose", input: "n\n")
      #expect(list.status == 1, "\(list)")
      #expect(try project.contents(of: ".") == before)
      for expected in [
        "Removed:\n  StarAPI/Sources/Schema/Objects/Starship.graphql.swift\n",
        "Yours, and kept:\n  StarAPI/Sources/Schema/CustomScalars/Date.swift\n"
          + "  StarAPI/Sources/Schema/SchemaConfiguration.swift\n",
        "With this configuration:\n  The package 'StarAPI' needs this runtime in place of apollo-ios.",
        "\n  Mocks keep their names. Their target needs 'ApolloTestSupport' of this package.\n",
        "Classes that become structs:\n  CreateReviewMutation\n  HeroDetailsQuery\n"
          + "  HeroNameLocalCacheMutation\n  HeroesQuery\n",
        "\nAll 45 properties of the models stay as they are.\n",
        "Replace 14 files of Apollo iOS? [y/N] ",
      ] {
        #expect(list.output.contains(expected), "\(expected)\n\(list.output)")
      }
      for key in ["queryStringLiteralFormat", "markOperationDefinitionsAsFinal"] {
        #expect(list.errors.contains(key), "\(list.errors)")
      }
      let outcome = try await project.apollo("migrate", "--yes")
      #expect(outcome.status == 0, "\(outcome)")
      let after = try project.contents(of: ".")
      for (path, file) in after where path.hasSuffix(".graphql.swift") {
        #expect(file.bytes.starts(with: Data("// @generated by apollo-cli".utf8)), "\(path)")
      }
      for path in ["CustomScalars/Date.swift", "SchemaConfiguration.swift"] {
        let path = "StarAPI/Sources/Schema/\(path)"
        #expect(try project.text(of: path) == Self.project[path])
      }
      #expect(try await project.apollo("generate", "--check").status == 0)
    }
  }
}
