package import ApolloAPI

extension HeroAPI {
  // fragment HeroName on Hero { __typename name }
  package struct HeroName: HeroAPI.SelectionSet, Fragment {
    package static var fragmentDefinition: String {
      #"fragment HeroName on Hero { __typename name }"#
    }

    package static let __selections = Selections(#"Hero {__typename String! name String!}"#)

    package typealias Schema = HeroAPI.SchemaMetadata
    private let __storage: ResponseObject
    package static let __layout = __selections[0]

    package var __typename: String { __object[0, Self.__layout] }
    package var name: String { __object[1, Self.__layout] }
  }
}
