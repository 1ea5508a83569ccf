import ApolloAPI
import SeededRandom

/// Writes the same data as servers of other makes write it: with keys in another order, white
/// space, escapes, and members that were not selected.
///
/// A server has its habits, which one response after the other shows, and departs from them for
/// some objects.
struct OtherServer {
  private var random: SeededGenerator
  private let spaces: (beforeColon: String, afterColon: String, betweenMembers: String)
  private let order: Order

  private enum Order: CaseIterable {
    case ascending, descending, typenameLast, shuffled
  }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    order = Order.allCases.randomElement(using: &random)!  // there are some
    spaces = [
      ("", "", ""), ("", " ", " "), (" ", " ", "\n  \t  "), ("\r\n", "\t", " "),
      ("", " ", "\n" + String(repeating: " ", count: 21)),
    ].randomElement(using: &random)!  // there are some
  }

  /// Returns the text of a response with the data.
  mutating func response(with data: JSONValue) -> String {
    "{\(member("data", text(data, depth: 0)))}"
  }

  private mutating func text(_ value: JSONValue, depth: Int) -> String {
    switch value {
    case .array(let elements):
      let texts = elements.map { text($0, depth: depth + 1) }
      return "[" + texts.joined(separator: ",\(spaces.betweenMembers)") + "]"
    case .object(let members):
      var texts = keys(of: members).map { key in
        member(key, text(members[key]!, depth: depth + 1))  // a key of these members
      }
      // Every member of a custom scalar counts.
      if members["__typename"] != nil, chance(8) {
        texts.insert(unselected(), at: Int.random(in: 0...texts.count, using: &random))
      }
      let separator = "\(spaces.betweenMembers),\(spaces.betweenMembers)"
      return "{\(spaces.betweenMembers)\(texts.joined(separator: separator))}"
    default: return "\(value)"
    }
  }

  private mutating func keys(of members: [String: JSONValue]) -> [String] {
    let ascending = members.keys.sorted()
    switch chance(16) ? .shuffled : order {
    case .ascending: return ascending
    case .descending: return ascending.reversed()
    case .typenameLast:
      return ascending.filter { $0 != "__typename" } + ascending.filter { $0 == "__typename" }
    case .shuffled: return ascending.shuffled(using: &random)
    }
  }

  private mutating func member(_ key: String, _ value: String) -> String {
    var key = key
    if chance(64), let first = key.unicodeScalars.first {
      let digits = String(first.value, radix: 16)
      let zeros = String(repeating: "0", count: 4 - digits.count)
      key = "\\u\(zeros)\(digits)\(key.dropFirst())"
    }
    return "\"\(key)\"\(spaces.beforeColon):\(spaces.afterColon)\(value)"
  }

  /// A member that no operation selects, with texts and objects that look like type names.
  private mutating func unselected() -> String {
    let values = [
      #""__typename""#, #""\"__typename\":\"Ball\"""#, "[{},[[]],{\"a\":{\"b\":[{}]}}]", "-0.5e3",
      #"{"__typename":"Ball","__typename ":"Box","inside":[{"__typename":"Person"}]}"#,
      #"["}","\\","{\"__typename\":","\u005f_typename"]"#,
    ]
    return member("unselected", values.randomElement(using: &random)!)  // there are some
  }

  /// Returns `true` once in so many times.
  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }
}
