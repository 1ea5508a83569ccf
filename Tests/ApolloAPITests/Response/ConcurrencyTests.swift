import ApolloAPI
import Dispatch
import Testing

/// Plans, positions and layouts, which the first thread to use them makes.
struct ConcurrencyTests {
  /// A definition of its own, so that nothing is linked when the threads start.
  private struct Root: StarWarsAPI.SelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let __selections = Selections(
      """
      ($more = false) Query {heroes [Character {__typename String! name String! ...Droid {primaryFunction String} \
      ...Human {+name height Float} friends [Character {__typename String! ...#0}] @include(if: $more)}!]!}
      """, fragments: [StarWarsAPI.HeroDetails.self])
    static let __layout = __selections[0]
    var heroes: [StarWarsAPI.HeroDetails] { __object[0, Self.__layout] }
  }

  @Test func manyThreadsLinkOneDefinitionAtOnce() throws {
    let types = ["Droid", "Human", "Ewok", "Starship"]
    let heroes = (0..<64).map { index in
      let type = types[index % types.count]
      let own =
        type == "Droid" ? #","primaryFunction":"x""# : type == "Human" ? #","height":1"# : ""
      let friends =
        #","friends":[{"__typename":"\#(types[(index / 4) % 4])","id":"1","appearsIn":[]}]"#
      return
        #"{"__typename":"\#(type)","name":"a name of some length \#(index)"\#(own)\#(friends)}"#
    }
    let text = Array(#"{"heroes":[\#(heroes.joined(separator: ","))]}"#.utf8)
    let models = ResultBox<Root>()
    DispatchQueue.concurrentPerform(iterations: 64) { iteration in
      let more = iteration % 2 == 0
      for _ in 0..<8 {
        models.add(Result { try Root(jsonBytes: text, variables: ["more": more]) })
      }
    }
    #expect(models.errors.isEmpty)
    #expect(models.distinct == 2)
  }

  /// Each thread notes the order of the latest response, and replaces that of the others.
  @Test func manyThreadsReadResponsesInChangingOrders() {
    let members = [
      #""__typename":"Droid""#, #""name":"a name of some length""#, #""id":"2001""#,
      #""appearsIn":["JEDI"]"#, #""primaryFunction":null"#, #""metres":1"#,
      #""friends":[{"name":"x","__typename":"Human"},{"__typename":"Droid","name":"y"}]"#,
    ]
    let texts = members.indices.map { first in
      let order = members[first...] + members[..<first].reversed()
      return Array(#"{"data":{"hero":{\#(order.joined(separator: ","))}}}"#.utf8)
    }
    let responses = Responses()
    DispatchQueue.concurrentPerform(iterations: 64) { iteration in
      for text in texts[(iteration % texts.count)...] + texts {
        responses.add(
          Result {
            try ResponseDecoder().decode(text, as: StarWarsAPI.HeroQuery(episode: nil)).data
          })
      }
    }
    #expect(responses.errors.isEmpty)
    #expect(responses.distinct == 1)
  }

  private typealias Responses = ResultBox<StarWarsAPI.HeroQuery.Data?>

  /// A collector of the results of many threads, which `queue` guards.
  private final class ResultBox<Model: Hashable & Sendable>: @unchecked Sendable {
    private let queue = DispatchQueue(label: "models")
    private var models: Set<Model> = []
    private var failures: [String] = []

    func add(_ result: Result<Model, any Error>) {
      queue.sync {
        switch result {
        case .success(let model): models.insert(model)
        case .failure(let error): failures.append("\(error)")
        }
      }
    }
    var errors: [String] { queue.sync { failures } }
    var distinct: Int { queue.sync { models.count } }
  }
}
