#if canImport(SwiftUI)
  import Apollo
  import ApolloObservation
  import Foundation
  import SwiftUI
  import TestOperations

  // The example in the documentation of the module, word for word, so that the compiler checks it.
  // `DocumentationExamplesTests` compares the two.

  private typealias HeroNameQuery = HeroAPI.HeroQuery

  private let apollo = ApolloClient(url: URL(string: "http://localhost:8080/graphql")!)

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  struct HeroView: View {
    @State private var hero = ObservableQuery(HeroNameQuery(), client: apollo)

    var body: some View {
      if let name = hero.data?.hero?.name { Text(name) }
      if hero.isLoading { ProgressView() }
      if let error = hero.error { Text(error.localizedDescription) }
      Button("Reload") { hero.refetch() }
    }
  }
#endif
