// swift-format-ignore-file

import Apollo
import Foundation

/// The code of the page, each block in a function.
struct Queries: QueriesOfThePage {
  let apollo: ApolloClient

  func fetchName() {
    apollo.fetch(query: HeroNameQuery(episode: .empire)) { result in
      guard let data = try? result.get().data else { return }
      print(data.hero?.name) // Luke Skywalker
    }
  }

  func fetchNameWithErrors() {
    apollo.fetch(query: HeroNameQuery(episode: .empire)) { result in
      switch result {
      case .success(let graphQLResult):
        if let name = graphQLResult.data?.hero?.name {
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

  // The name of `compactMap` before Swift 4.1, which today's compilers call deprecated.
  @available(*, deprecated)
  func fetchNamesOfFriends() {
    apollo.fetch(query: HeroAndFriendsNamesQuery(episode: .empire)) { result in
      guard let data = try? result.get().data else { return }
      print(data.hero?.name) // Luke Skywalker
      print(data.hero?.friends?.flatMap { $0?.name }.joined(separator: ", "))
      // Prints: Han Solo, Leia Organa, C-3PO, R2-D2
    }
  }

  func serialize() {
    apollo.fetch(query: HeroAndFriendsNamesQuery(episode: .empire)) { result in
      guard let data = try? result.get().data else { return }

      // Serialize the response as JSON
      let json = data.jsonObject
      let serialized = try! JSONSerialization.data(withJSONObject: json, options: [])

      // Deserialize the response
      let deserialized = try! JSONSerialization.jsonObject(with: serialized, options: []) as! JSONObject
      let heroAndFriendsNames = try! HeroAndFriendsNamesQuery.Data(jsonObject: deserialized)

      // Not a line of the page: what the test compares.
      print(heroAndFriendsNames == data ? "equal" : "different")
      print(heroAndFriendsNames.hero?.friends?.count ?? 0)
    }
  }
}

/// The functions as the tests call them: a caller sees no deprecation here.
protocol QueriesOfThePage {
  func fetchName()
  func fetchNameWithErrors()
  func fetchNamesOfFriends()
  func serialize()
}
