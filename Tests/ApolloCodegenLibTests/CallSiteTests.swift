import Apollo
import Foundation
import Testing

private typealias CreateReviewForEpisodeMutation = StarWarsAPI.CreateReviewForEpisodeMutation
private typealias HeroAndFriendsNamesQuery = StarWarsAPI.HeroAndFriendsNamesQuery
private typealias HeroAndFriendsQuery = StarWarsAPI.HeroAndFriendsQuery
private typealias HeroDetails = StarWarsAPI.HeroDetails
private typealias HeroNameQuery = StarWarsAPI.HeroNameQuery
private typealias PostDetails = StarWarsAPI.PostDetails
private typealias ReviewInput = StarWarsAPI.ReviewInput
private typealias UploadFileMutation = StarWarsAPI.UploadFileMutation
private typealias UpvotePostMutation = StarWarsAPI.UpvotePostMutation

private protocol NamesOfFriends {
  func joined(in data: StarWarsAPI.HeroAndFriendsNamesQuery.Data) -> String?
}

/// Code from the documentation of Apollo iOS. It compiles with generated code unchanged, and does
/// what the documentation says.
@Suite(.timeLimit(.minutes(10))) struct CallSiteTests {
  private let apollo = ApolloClient(
    networkTransport: ScriptedServer([
      "HeroName": #"{"hero":{"__typename":"Human","name":"Luke Skywalker"}}"#,
      "HeroAndFriendsNames":
        #"{"hero":{"__typename":"Human","name":"Luke Skywalker","friends":[{"__typename":"Human","name":"Han Solo"},null,{"__typename":"Droid","name":"R2-D2"}]}}"#,
      "HeroAndFriends":
        #"{"hero":{"__typename":"Droid","name":"R2-D2","appearsIn":["JEDI"],"primaryFunction":"Astromech","friends":[{"__typename":"Human","name":"Luke","appearsIn":["EMPIRE"],"height":1.72,"friends":null}]}}"#,
      "UpvotePost": #"{"upvotePost":{"__typename":"Post","id":"123","votes":5}}"#,
      "CreateReviewForEpisode": #"{"createReview":null}"#,
      "UploadFile": #"{"singleUpload":{"__typename":"File","id":"f1"}}"#,
    ]), store: ApolloStore())
  private let output = AsyncStream.makeStream(of: String.self)

  /// Accepts optional values without a warning, as the documentation prints them.
  private func print(_ value: Any?) {
    output.continuation.yield(value.map { "\($0)" } ?? "nil")
  }

  private func printed(_ count: Int) async -> [String] {
    var lines: [String] = []
    for await line in output.stream {
      lines.append(line)
      if lines.count == count { break }
    }
    return lines
  }

  @Test func fetchesAQuery() async {
    apollo.fetch(query: HeroNameQuery(episode: .empire)) { result in
      guard let data = try? result.get().data else { return }
      print(data.hero?.name)  // Luke Skywalker
    }
    #expect(await printed(1) == ["Luke Skywalker"])
  }

  @Test func handlesErrors() async {
    apollo.fetch(query: HeroNameQuery(episode: .empire)) { result in
      switch result {
      case .success(let graphQLResult):
        if let name = graphQLResult.data?.hero?.name {
          print(name)  // Luke Skywalker
        } else if let errors = graphQLResult.errors {
          // GraphQL errors
          print(errors)
        }
      case .failure(let error):
        // Network or response format errors
        print(error)
      }
    }
    #expect(await printed(1) == ["Luke Skywalker"])
  }

  @Test func readsListsAndTurnsModelsIntoJSONAndBack() async {
    apollo.fetch(query: HeroAndFriendsNamesQuery(episode: .empire)) { result in
      guard let data = try? result.get().data else { return }
      print(data.hero?.name)
      print((Names() as any NamesOfFriends).joined(in: data))
      // Serialize the response as JSON
      let json = data.jsonObject
      let serialized = try! JSONSerialization.data(withJSONObject: json, options: [])
      // Deserialize the response
      let deserialized =
        try! JSONSerialization.jsonObject(with: serialized, options: []) as! JSONObject
      let heroAndFriendsNames = try! HeroAndFriendsNamesQuery.Data(jsonObject: deserialized)
      print(heroAndFriendsNames == data)
    }
    #expect(await printed(3) == ["Luke Skywalker", "Han Solo, R2-D2", "true"])
  }

  /// Uses `flatMap` with optional values, as the documentation does. The deprecation avoids a
  /// warning where it is used.
  private struct Names: NamesOfFriends {
    @available(*, deprecated)
    func joined(in data: HeroAndFriendsNamesQuery.Data) -> String? {
      data.hero?.friends?.flatMap { $0?.name }.joined(separator: ", ")
    }
  }

  @Test func callsBackOnAQueue() async {
    apollo.fetch(
      query: HeroNameQuery(),
      queue: DispatchQueue.global(qos: .background),
    ) { result in
      guard let data = try? result.get().data else { return }
      dispatchPrecondition(condition: .notOnQueue(.main))
      print(data.hero?.name)
    }
    #expect(await printed(1) == ["Luke Skywalker"])
  }

  @Test func convertsToFragmentsAndTypeCases() async {
    apollo.fetch(query: HeroAndFriendsQuery()) { result in
      guard let data = try? result.get().data, let found = data.hero else { return }
      let hero: HeroDetails = found.fragments.heroDetails
      let friends: [HeroDetails] = (found.friends ?? []).compactMap { $0?.fragments.heroDetails }
      print(hero.name)
      print(friends.map(\.name))
      let name: String = found.name
      let primaryFunction: String? = found.asDroid?.primaryFunction
      print(name)
      print(primaryFunction)
    }
    #expect(await printed(4) == ["R2-D2", #"["Luke"]"#, "R2-D2", "Astromech"])
  }

  @Test func performsMutations() async {
    let postId = 123
    apollo.perform(mutation: UpvotePostMutation(postId: postId)) { result in
      guard let data = try? result.get().data else { return }
      print(data.upvotePost?.votes)
      self.configure(with: data.upvotePost?.fragments.postDetails)
    }
    #expect(await printed(2) == ["5", "123"])
  }

  private func configure(with details: PostDetails?) { print(details?.id) }

  @Test func passesInputObjects() {
    let review = ReviewInput(stars: 5, commentary: "This is a great movie!")
    apollo.perform(
      mutation: CreateReviewForEpisodeMutation(episode: .jedi, review: review), resultHandler: nil)
    #expect(
      review.__data.jsonValue == ["stars": 5, "commentary": "This is a great movie!"])
  }

  @Test func uploadsFiles() async throws {
    let fileURL = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).txt")
    try Data("Hello".utf8).write(to: fileURL)
    defer { try? FileManager.default.removeItem(at: fileURL) }  // what is temporary goes anyway
    // Create the file to upload
    guard
      let file = GraphQLFile(
        fieldName: "file",  // Must be the name of the field the file is being uploaded to
        originalName: "a.txt",
        mimeType: "text/plain",  // <-defaults to "application/octet-stream"
        fileURL: fileURL)
    else {
      Issue.record("The file is there.")
      return
    }
    // Actually upload the file
    apollo.upload(
      // <-- `Upload` is a custom scalar that's a `String` under the hood.
      operation: UploadFileMutation(file: "a"),
      files: [file]
    ) { result in
      switch result {
      case .success(let graphQLResult):
        print("ID: \(graphQLResult.data?.singleUpload.id ?? "none")")
      case .failure(let error):
        print("error: \(error)")
      }
    }
    #expect(await printed(1) == ["ID: f1"])
  }
}
