// swift-format-ignore-file

import Apollo
import Foundation

/// The code of the page, each block in a function.
struct Fetches {
  let apollo: ApolloClient

  func fetchName() {
    apollo.fetch(query: HeroNameQuery()) { result in
      guard let data = try? result.get().data else { return }
      print(data.hero.name) // Luke Skywalker
    }
  }

  func fetchNameWithErrors() {
    apollo.fetch(query: HeroNameQuery()) { result in
      switch result {
      case .success(let graphQLResult):
        // The field is not nullable in the schema of the page, so there is no `?` behind it.
        if let name = graphQLResult.data?.hero.name {
          print(name) // Luke Skywalker
        } else if let errors = graphQLResult.errors {
          // GraphQL errors
          print(errors)
        }
      case .failure(let error):
        // Network or response format errors
        print(error)
      }
    }
  }

  func fetchInTheBackground() {
    apollo.fetch(
      query: HeroNameQuery(),
      queue: DispatchQueue.global(qos: .background),
    ) { result in
      print((try? result.get().data?.hero.name) ?? "none") // Will be called on a background queue
    }
  }

  func fetchNamesOfFriends() {
    apollo.fetch(query: HeroAndFriendsNamesQuery()) { result in
      guard let data = try? result.get().data else { return }
      // The types of the model that the page shows.
      let hero: HeroAndFriendsNamesQuery.Data.Hero = data.hero
      let id: String = hero.id
      let name: String = hero.name
      let friends: [HeroAndFriendsNamesQuery.Data.Hero.Friend]? = hero.friends
      let names: [String]? = friends?.map { (friend: HeroAndFriendsNamesQuery.Data.Hero.Friend) in friend.id + friend.name }
      print("\(id) \(name) \(names ?? [])")
    }
  }
}
