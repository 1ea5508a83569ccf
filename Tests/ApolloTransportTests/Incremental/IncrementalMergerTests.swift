import ApolloAPI
import ApolloTransport
import Foundation
import Testing

@Suite struct IncrementalMergerTests {
  /// Parts, the response after the last one, and the first error.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var parts: [String]
    var response: String?
    var error: ResponseStreamError.Kind?
    var testDescription: String { name }
  }

  private func expectMerging(_ test: Case) throws {
    var merger = IncrementalMerger()
    var failure: ResponseStreamError?
    do throws(ResponseStreamError) {
      for part in test.parts { try merger.merge(Data(part.utf8)) }
      try merger.finish()
    } catch {
      failure = error
    }
    #expect(failure?.kind == test.error, "\(failure.map { "\($0)" } ?? "no error")")
    guard let response = test.response else { return }
    let body = merger.body()
    let (found, expected) = (
      try JSONValue(jsonBytes: body), try JSONValue(jsonBytes: Data(response.utf8))
    )
    #expect(found == expected)
  }

  /// Comparing each key with each other one would take minutes.
  @Test(.timeLimit(.minutes(1)))
  func manyMembersTakeNoMoreTimeThanTheirSum() throws {
    let count = 100_000
    func members(_ prefix: String) -> String {
      (0..<count).map { #""\#(prefix)\#($0)":1"# }.joined(separator: ",")
    }
    var merger = IncrementalMerger()
    try merger.merge(
      Data(
        #"{"data":{"a":{\#(members("a"))}},"pending":[{"id":"0","path":["a"]}],"hasNext":true}"#
          .utf8))
    // The first key is known: "a7" with an escape.
    try merger.merge(
      Data(
        #"{"incremental":[{"id":"0","data":{"\u00617":2,\#(members("b"))}}],"hasNext":true}"#.utf8))
    try merger.merge(Data(#"{"completed":[{"id":"0"}],"hasNext":false}"#.utf8))
    try merger.finish()
    let object = try JSONValue(jsonBytes: merger.body())["data"]?["a"]
    #expect(object?.objectValue?.count == 2 * count)
    #expect(object?["a7"] == 2 && object?["a8"] == 1 && object?["b7"] == 1)
  }

  // MARK: - Parts that differ in their items alone

  private static let listOfItems = [
    #"{"data":{"list":[],"other":[]},"pending":[{"id":"0","path":["list"]},{"id":"1","path":["other"]}],"hasNext":true}"#
  ]

  /// The text between the brackets of the items, in parts that are equal otherwise.
  private static let itemTexts = [
    [#"{"a":1}"#, #"{"a":2},{"a":3}"#, "4", #""5""#, "null", "[6,[7]]", " 8 , 9 "],
    // Looks like the end of the part.
    [#"{"a":1}"#, #""]}],\"hasNext\":true}""#, #"{"b":"]}],\"hasNext\":true}"}"#],
    // Is more than items.
    [#"{"a":1}"#, #"{"b":2}]},{"id":"0","items":[{"c":3}"#, #"{"d":4}"#],
    [#"{"a":1}"#, #"{"b":2}]},{"id":"1","items":[{"c":3}"#, #"{"d":4}"#],
    [#"{"a":1}"#, #"{"b":2}],"errors":[{"message":"e"}"#, #"{"c":3}"#],
    [#"{"a":1}"#, #"{"b":2}],"items":[{"c":3}"#, #"{"d":4}"#],
    [#"{"a":1}"#, #"{"b":2}]}],"completed":[{"id":"0"}],"x":[{"y":["z""#, #"{"c":3}"#],
    // Is nothing, or no items.
    [#"{"a":1}"#, "", #"{"b":2}"#],
    [#"{"a":1}"#, #"{"b":2},"#], [#"{"a":1}"#, #"{"b":2} {"c":3}"#], [#"{"a":1}"#, #"{"b":2}}"#],
    [#"{"a":1}"#, #"{"b":2"#], [#"{"a":1}"#, #""b"#], [#"{"a":1}"#, ","], [#"{"a":1}"#, "!"],
  ]

  private static func parts(_ items: [String], id: String = "0") -> [String] {
    items.map { #"{"incremental":[{"id":"\#(id)","items":[\#($0)]}],"hasNext":true}"# }
  }

  private static let sequences =
    itemTexts.map { listOfItems + parts($0) } + [
      // The lists take turns.
      listOfItems + parts(["1", "2"]) + parts(["3", "4"], id: "1") + parts(["5", "6"])
        + parts(["7"], id: "1"),
      // A list is complete, and gets another item.
      listOfItems + parts(["1", "2"]) + [#"{"completed":[{"id":"0"}],"hasNext":true}"#]
        + parts(["3"]),
      listOfItems + parts(["1", "2"]) + [#"{"completed":[{"id":"1"}],"hasNext":true}"#]
        + parts(["3"]),
      // Errors come in between, and the last part.
      listOfItems + parts(["1", "2"])
        + [#"{"incremental":[{"id":"0","errors":[{"message":"e"}]}],"hasNext":true}"#]
        + parts(["3"]) + [#"{"completed":[{"id":"0"},{"id":"1"}],"hasNext":false}"#] + parts(["4"]),
      // Parts say nothing about others, and the last of them says that there are no more.
      listOfItems
        + [1, 2].map { #"{"incremental":[{"id":"0","items":[\#($0)]}]}"# } + parts(["3", "4"])
        + [5, 6].map { #"{"incremental":[{"id":"0","items":[\#($0)]}],"hasNext":false}"# },
      // The ids are numbers.
      [
        #"{"data":{"list":[],"other":[]},"pending":[{"id":0,"path":["list"]},{"id":1,"path":["other"]}],"hasNext":true}"#
      ] + [0, 0, 1, 0].map { #"{"incremental":[{"id":\#($0),"items":["x"]}],"hasNext":true}"# },
    ]

  /// A part that repeats the text of the one before it around its items has the same meaning as one
  /// that does not: with other white space, nothing is repeated.
  @Test(arguments: sequences)
  func repeatedTextHasItsMeaning(parts: [String]) {
    func outcome(_ parts: [String]) -> [String] {
      var merger = IncrementalMerger()
      return parts.map { part in
        do {
          try merger.merge(Data(part.utf8))
          return String(decoding: merger.body(), as: UTF8.self)
        } catch {
          return "\(error) \(String(decoding: merger.body(), as: UTF8.self))"
        }
      }
    }
    let others = parts.enumerated().map { index, part in
      "{" + String(repeating: " ", count: index) + part.dropFirst()
    }
    #expect(outcome(parts) == outcome(others))
  }

  static let legacy: [Case] = [
    Case(
      name: "an object and a stream",
      parts: [
        #"{"data":{"hero":{"id":"1","friends":[{"name":"Luke"}]}},"hasNext":true}"#,
        #"{"incremental":[{"data":{"slow":"x"},"path":["hero"],"label":"d"}],"hasNext":true}"#,
        #"{"incremental":[{"items":[{"name":"Leia"}],"path":["hero","friends",1],"label":"s"}],"hasNext":true}"#,
        #"{"hasNext":false}"#,
      ],
      response:
        #"{"data":{"hero":{"id":"1","friends":[{"name":"Luke"},{"name":"Leia"}],"slow":"x"}}}"#),
    Case(
      name: "a part that failed",
      parts: [
        #"{"data":{"hero":{"id":"1"}},"hasNext":true}"#,
        #"{"incremental":[{"data":null,"errors":[{"message":"boom!","path":["hero","a"]}],"path":["hero"]}],"hasNext":true}"#,
        #"{"hasNext":false,"incremental":[]}"#,
      ],
      response: #"{"data":{"hero":{"id":"1"}},"errors":[{"message":"boom!","path":["hero","a"]}]}"#),
    Case(
      name: "a failed field that is absent",
      parts: [
        #"{"data":{"hero":{"id":"1"}},"hasNext":true}"#,
        #"{"incremental":[{"data":{},"errors":[{"message":"1","path":["hero","a"]},{"message":"2","path":["hero","id"]},{"message":"3","path":["no","b"]},{"message":"4"},"5"],"path":["hero"]}],"hasNext":false}"#,
      ],
      response:
        #"{"data":{"hero":{"id":"1","a":null}},"errors":[{"message":"1","path":["hero","a"]},{"message":"2","path":["hero","id"]},{"message":"3","path":["no","b"]},{"message":"4"},"5"]}"#
    ),
    Case(
      name: "a failed field that is absent in an item",
      parts: [
        #"{"data":{"list":[]},"hasNext":true}"#,
        #"{"incremental":[{"items":[{"x":1}],"errors":[{"message":"1","path":["list",0,"y"]}],"path":["list",0]}],"hasNext":false}"#,
      ],
      response:
        #"{"data":{"list":[{"x":1,"y":null}]},"errors":[{"message":"1","path":["list",0,"y"]}]}"#),
    Case(
      name: "several entries in one part, at the root and below",
      parts: [
        #"{"hasNext":true,"data":{"a":{}},"errors":[{"message":"1"}],"incremental":[{"data":{"b":{"c":[]}}}]}"#,
        #"{"incremental":[{"items":[1,2],"path":["b","c",0]},{"items":[3],"path":["b","c",2]},{"data":{"x":true},"path":["a"],"errors":[{"message":"2"}]}],"hasNext":false}"#,
      ],
      response:
        #"{"data":{"a":{"x":true},"b":{"c":[1,2,3]}},"errors":[{"message":"1"},{"message":"2"}]}"#),
    Case(
      name: "fields that are repeated",
      parts: [
        #"{"data":{"a":{"b":{"c":1,"n":null},"l":[{"x":1},{"x":2}]}},"hasNext":true}"#,
        #"{"incremental":[{"path":["a"],"data":{"b":{"c":1,"d":2,"n":"new"},"l":[{"y":1},{"y":2}]}}],"hasNext":false}"#,
      ],
      response:
        #"{"data":{"a":{"b":{"c":1,"d":2,"n":"new"},"l":[{"x":1,"y":1},{"x":2,"y":2}]}}}"#),
    Case(
      name: "null does not replace a known value",
      parts: [
        #"{"data":{"a":1,"o":{"x":1},"l":[1]},"hasNext":true}"#,
        #"{"incremental":[{"data":{"a":null,"o":null,"l":null}}],"hasNext":false}"#,
      ],
      response: #"{"data":{"a":1,"o":{"x":1},"l":[1]}}"#),
    Case(
      name: "keys with escapes",
      parts: [
        #"{"data":{"h\u00e9ro":{"a":1}},"hasNext":true}"#,
        #"{"incremental":[{"path":["héro"],"data":{"\u0061":2,"b":3}}],"hasNext":false}"#,
      ],
      response: #"{"data":{"héro":{"a":2,"b":3}}}"#),
    Case(
      name: "errors without paths, and texts",
      parts: [
        #"{"data":{"a":{},"l":[]},"hasNext":true}"#,
        #"{"incremental":[{"path":["a"],"data":{"x":1},"errors":[{"message":"1"},"2"]},{"path":["a"],"data":null,"errors":["3"]},{"path":["l",0],"items":null,"errors":[{"message":"4","path":null}]}],"errors":[{}],"hasNext":false}"#,
      ],
      response:
        #"{"data":{"a":{"x":1},"l":[]},"errors":[{},{"message":"1"},"2","3",{"message":"4","path":null}]}"#
    ),
    Case(
      name: "an error inside a field that is absent",
      parts: [
        #"{"data":{"hero":{"id":"1"}},"hasNext":true}"#,
        #"{"incremental":[{"path":["hero"],"data":{"b":2},"errors":[{"message":"1","path":["hero","a",0,"x"]},{"message":"2","path":["hero","b","y"]},{"message":"3","path":["other","a"]}]}],"hasNext":false}"#,
      ],
      response:
        #"{"data":{"hero":{"id":"1","a":null,"b":2}},"errors":[{"message":"1","path":["hero","a",0,"x"]},{"message":"2","path":["hero","b","y"]},{"message":"3","path":["other","a"]}]}"#
    ),
    Case(
      name: "items after a stream that failed",
      parts: [
        #"{"data":{"l":[]},"hasNext":true}"#,
        #"{"incremental":[{"path":["l",0],"items":[1]},{"path":["l",1],"items":null,"errors":[{"message":"x"}]},{"path":["l",1],"items":[2]}],"hasNext":false}"#,
      ], response: #"{"data":{"l":[1]},"errors":[{"message":"x"}]}"#),
    Case(
      name: "extensions",
      parts: [
        #"{"data":{},"extensions":{"a":1},"hasNext":true}"#,
        #"{"incremental":[{"data":{},"extensions":{"b":{"c":2}}}],"extensions":null,"hasNext":false}"#,
      ], response: #"{"data":{},"extensions":{"a":1,"b":{"c":2}}}"#),
    Case(
      name: "one ordinary response", parts: [#"{"data":{"a":1},"errors":null}"#],
      response: #"{"data":{"a":1},"errors":null}"#),
    Case(
      name: "errors alone", parts: [#"{"errors":[{"message":"x"}]}"#],
      response: #"{"errors":[{"message":"x"}]}"#),
    Case(
      name: "an empty object first", parts: ["{}", #"{"data":{}}"#], response: #"{"data":{}}"#),
    Case(
      name: "heartbeats and byte order marks",
      parts: [
        "\u{FEFF}{\"data\":{},\"hasNext\":true}", "{}", "\u{FEFF}{ }",
        "\u{FEFF}{\"incremental\":[{\"data\":{\"a\":1}}],\"hasNext\":false}",
      ], response: #"{"data":{"a":1}}"#),
    Case(
      name: "members that are null",
      parts: [
        #"{"data":{"a":{},"l":[]},"hasNext":true}"#,
        #"{"data":null,"errors":[],"incremental":[{"path":["a"],"data":{"x":1},"items":null},{"path":["a"],"data":null,"items":null,"errors":["1"]},{"path":["l",0],"data":null,"items":[1]}],"hasNext":true}"#,
        #"{"data":null,"errors":["2"],"completed":[],"hasNext":true}"#,
        #"{"data":null,"errors":null,"incremental":null,"hasNext":false}"#,
      ], response: #"{"data":{"a":{"x":1},"l":[1]},"errors":["1","2"]}"#),
    Case(
      name: "null items of a list that failed, and null data",
      parts: [
        #"{"data":{"l":[]},"hasNext":true}"#,
        #"{"incremental":[{"path":["l",0],"data":null,"items":null},{"path":["l",0],"items":[1]}],"hasNext":false}"#,
      ], response: #"{"data":{"l":[]}}"#),
    Case(
      name: "indices that are fractions",
      parts: [
        #"{"data":{"l":[{},{}]},"hasNext":true}"#,
        #"{"incremental":[{"path":["l",1.0],"data":{"a":1}},{"path":["l",2.0],"items":[3]}],"hasNext":false}"#,
      ], response: #"{"data":{"l":[{},{"a":1},3]}}"#),
    Case(
      name: "hasNext is missing until the end",
      parts: [
        #"{"data":{},"hasNext":true}"#, #"{"incremental":[{"data":{"a":1}}]}"#,
        #"{"incremental":[{"data":{"b":1}}],"hasNext":"yes"}"#,
      ], response: #"{"data":{"a":1,"b":1}}"#),
  ]

  static let current: [Case] = [
    Case(
      name: "a failed field that is absent",
      parts: [
        #"{"data":{"hero":{"id":"1"}},"pending":[{"id":"0","path":["hero"],"label":"d"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{},"errors":[{"message":"1","path":["hero","a"]}]}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ],
      response:
        #"{"data":{"hero":{"id":"1","a":null}},"errors":[{"message":"1","path":["hero","a"]}]}"#),
    Case(
      name: "errors without paths, and texts",
      parts: [
        #"{"data":{"a":{},"l":[]},"pending":[{"id":"0","path":["a"]},{"id":"1","path":["l"]}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{"x":1},"errors":[{"message":"1"},"2"]}],"completed":[{"id":"0"},{"id":"1","errors":["3"]}],"errors":[{"message":"0"}],"hasNext":false}"#,
      ],
      response:
        #"{"data":{"a":{"x":1},"l":[]},"errors":[{"message":"0"},{"message":"1"},"2","3"]}"#),
    Case(
      name: "ids that are texts and numbers in turn",
      parts: [
        #"{"data":{"a":{},"b":{},"l":[]},"pending":[{"id":"0","path":["a"]},{"id":1,"path":["b"]},{"id":"2","path":["l"]}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{"x":1}},{"id":1,"data":{"x":2}},{"id":"0","data":{"y":1}}],"hasNext":true}"#,
        #"{"incremental":[{"id":"2","items":[1]},{"id":1,"data":{"y":2}},{"id":"2","items":[2]}],"completed":[{"id":"2"},{"id":1},{"id":"0"}],"hasNext":false}"#,
      ],
      response: #"{"data":{"a":{"x":1,"y":1},"b":{"x":2,"y":2},"l":[1,2]}}"#),
    Case(
      name: "data for the id that was completed last",
      parts: [
        #"{"data":{"a":{}},"pending":[{"id":"0","path":["a"]}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{"x":1}}],"completed":[{"id":"0"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{"y":1}}],"hasNext":false}"#,
      ],
      response: #"{"data":{"a":{"x":1}}}"#, error: .unexpectedPart),
    Case(
      name: "an object and a stream",
      parts: [
        #"{"data":{"hero":{"id":"1","home":{},"friends":[{"name":"Luke"}]}},"pending":[{"id":"0","path":["hero"],"label":"d"},{"id":"1","path":["hero","friends"],"label":"s"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"1","items":[{"name":"Leia"}]},{"id":"0","subPath":["home"],"data":{"city":"Mos"}}],"completed":[{"id":"0"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"1","items":[{"name":"Han"}]}],"completed":[{"id":"1"}],"hasNext":false}"#,
      ],
      response:
        #"{"data":{"hero":{"id":"1","home":{"city":"Mos"},"friends":[{"name":"Luke"},{"name":"Leia"},{"name":"Han"}]}}}"#
    ),
    Case(
      name: "all at once",
      parts: [
        #"{"data":{"l":[]},"pending":[{"id":"0","path":["l"]}],"incremental":[{"id":"0","items":[1]}],"completed":[{"id":"0"}],"hasNext":false}"#
      ], response: #"{"data":{"l":[1]}}"#),
    Case(
      name: "an item and the fields within it, announced with their parts",
      parts: [
        #"{"data":{"l":[]},"pending":[{"id":"0","path":["l"]}],"hasNext":true}"#,
        #"{"pending":[{"id":"1","path":["l",0]}],"incremental":[{"id":"0","items":[{}]},{"id":"1","data":{"a":1}}],"completed":[{"id":"1"},{"id":"0"}],"hasNext":false}"#,
      ], response: #"{"data":{"l":[{"a":1}]}}"#),
    Case(
      name: "ids that are numbers, nulls, and paths as well",
      parts: [
        #"{"data":{"a":{}},"pending":[{"id":0,"path":["a"],"label":null}],"hasNext":true,"extensions":null}"#,
        #"{"incremental":[{"id":0,"path":["wrong"],"label":null,"data":{"x":1},"errors":null,"extensions":null}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ], response: #"{"data":{"a":{"x":1}},"extensions":null}"#),
    Case(
      name: "a part that failed",
      parts: [
        #"{"data":{"a":{}},"errors":[{"message":"1"}],"pending":[{"id":"0","path":["a"]}],"hasNext":true}"#,
        #"{"completed":[{"id":"0","errors":[{"message":"2","path":["a","x"]}]}],"hasNext":false}"#,
      ],
      response: #"{"data":{"a":{}},"errors":[{"message":"1"},{"message":"2","path":["a","x"]}]}"#),
  ]

  static let invalid: [Case] = [
    Case(
      name: "data before the first", parts: [#"{"incremental":[{"data":{}}],"hasNext":true}"#],
      error: .unexpectedPart),
    Case(name: "not JSON", parts: ["{"], error: .malformedPart),
    Case(name: "two objects in a part", parts: [#"{"data":{}}{"data":{}}"#], error: .malformedPart),
    Case(name: "a list", parts: ["[]"], error: .malformedPart),
    Case(name: "a key twice", parts: [#"{"data":{},"data":{}}"#], error: .malformedPart),
    Case(name: "no part", parts: [], error: .truncated),
    Case(
      name: "nothing more although it was announced", parts: [#"{"data":{},"hasNext":true}"#],
      response: #"{"data":{}}"#, error: .truncated),
    Case(
      name: "a heartbeat although more was announced",
      parts: [#"{"data":{},"hasNext":true}"#, "{}"], response: #"{"data":{}}"#, error: .truncated),
    Case(
      name: "a part after the last one",
      parts: [#"{"data":{},"hasNext":false}"#, #"{"hasNext":false}"#], response: #"{"data":{}}"#,
      error: .unexpectedPart),
  ]

  /// Parts that may not follow this one, and the error of each:
  ///
  /// ```
  /// {"data":{"a":{"x":1},"l":[1],"s":"t","n":null},"pending":[{"id":"0","path":["a"]}],"hasNext":true}
  /// ```
  static let invalidLater: [(String, ResponseStreamError.Kind)] = [
    (#"{"data":{},"hasNext":true}"#, .unexpectedPart),
    (#"{"data":null,"errors":[{"message":"failed"}],"hasNext":false}"#, .unexpectedPart),
    (#"{"incremental":{},"hasNext":true}"#, .malformedPart),
    (#"{"incremental":[{"path":["l"],"items":null}],"hasNext":true}"#, .malformedPart),
    (#"{"incremental":[{"path":["l",1.5],"items":[1]}],"hasNext":true}"#, .malformedPart),
    (#"{"incremental":[1],"hasNext":true}"#, .malformedPart),
    (#"{"incremental":[{"path":["b"],"data":{}}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"path":["a","x"],"data":{}}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"path":["l"],"data":{}}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"path":["l",5],"data":{}}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"path":["n"],"data":{}}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"path":[0],"data":{}}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"path":["l","0"],"data":{}}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"path":"a","data":{}}],"hasNext":true}"#, .malformedPart),
    (#"{"incremental":[{"path":["a"],"data":[]}],"hasNext":true}"#, .malformedPart),
    (#"{"incremental":[{"path":["a"],"data":"x"}],"hasNext":true}"#, .malformedPart),
    (#"{"incremental":[{"path":["l",2],"items":[1]}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"path":["l",2147483648],"items":[1]}],"hasNext":true}"#, .unexpectedPart),
    (
      #"{"incremental":[{"path":["l",99999999999999999999],"items":[1]}],"hasNext":true}"#,
      .malformedPart
    ),
    (#"{"incremental":[{"path":["l",-1],"items":[1]}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"path":["l"],"items":[1]}],"hasNext":true}"#, .malformedPart),
    (#"{"incremental":[{"path":[],"items":[1]}],"hasNext":true}"#, .malformedPart),
    (#"{"incremental":[{"path":["a",0],"items":[1]}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"path":["l",1],"items":{}}],"hasNext":true}"#, .malformedPart),
    (#"{"incremental":[{"data":{"a":1}}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"data":{"l":{}}}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"data":{"s":[]}}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"data":{},"errors":{}}],"hasNext":true}"#, .malformedPart),
    (#"{"incremental":[{"id":"1","data":{}}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"id":"0","subPath":["x"],"data":{}}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"id":"0","items":[]}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"id":true,"data":{}}],"hasNext":true}"#, .unexpectedPart),
    (#"{"incremental":[{"id":[],"data":{}}],"hasNext":true}"#, .malformedPart),
    (#"{"pending":[{"id":"0","path":["a"]}],"hasNext":true}"#, .unexpectedPart),
    (#"{"pending":[{"id":"1"}],"hasNext":true}"#, .malformedPart),
    (#"{"pending":[{"path":["a"]}],"hasNext":true}"#, .malformedPart),
    (#"{"completed":[{"id":"0"},{"id":"0"}],"hasNext":true}"#, .unexpectedPart),
    (#"{"completed":[{"id":"7"}],"hasNext":true}"#, .unexpectedPart),
    (#"{"completed":[{}],"hasNext":true}"#, .malformedPart),
    (#"{"hasNext":false}"#, .truncated),
  ]

  @Test(arguments: legacy) func mergesTheFormatOf2022(_ test: Case) throws {
    try expectMerging(test)
  }

  @Test(arguments: current) func mergesTheFormatOf2026(_ test: Case) throws {
    try expectMerging(test)
  }

  @Test(arguments: invalid) func reportsAnInvalidResponse(_ test: Case) throws {
    try expectMerging(test)
  }

  @Test(arguments: invalidLater)
  func keepsWhatHadArrivedBeforeAnInvalidPart(_ part: String, _ kind: ResponseStreamError.Kind)
    throws
  {
    let data = #"{"a":{"x":1},"l":[1],"s":"t","n":null}"#
    try expectMerging(
      Case(
        name: part,
        parts: [
          #"{"data":\#(data),"pending":[{"id":"0","path":["a"]}],"hasNext":true}"#, part,
        ], response: #"{"data":\#(data)}"#, error: kind))
  }

  /// They may explain why the part cannot be used.
  @Test(arguments: [#""boom""#, #"{"message":"boom"}"#])
  func keepsErrorsThatAreNoList(_ errors: String) throws {
    try expectMerging(
      Case(
        name: "",
        parts: [
          #"{"data":{"a":1},"hasNext":true}"#,
          #"{"incremental":[{"data":{"b":2},"errors":\#(errors)}],"hasNext":true}"#,
        ], response: #"{"data":{"a":1},"errors":[\#(errors)]}"#, error: .malformedPart))
  }

  @Test func rejectsDataForAnIDThatIsComplete() throws {
    try expectMerging(
      Case(
        name: "",
        parts: [
          #"{"data":{},"pending":[{"id":"0","path":[]}],"hasNext":true}"#,
          #"{"completed":[{"id":"0"}],"hasNext":true}"#,
          #"{"incremental":[{"id":"0","data":{"a":1}}],"hasNext":true}"#,
        ], response: #"{"data":{}}"#, error: .unexpectedPart))
  }

  @Test func keepsTheEntriesBeforeAnInvalidOne() throws {
    try expectMerging(
      Case(
        name: "",
        parts: [
          #"{"data":{},"hasNext":true}"#,
          #"{"incremental":[{"data":{"a":1}},{"path":["x"],"data":{}},{"data":{"b":1}}],"hasNext":true}"#,
        ], response: #"{"data":{"a":1}}"#, error: .unexpectedPart))
  }

  /// Each part can only be as deep as JSON may be, but together they could be deeper.
  @Test func limitsTheDepth() throws {
    var merger = IncrementalMerger()
    let levels = 150
    let nested =
      String(repeating: #"{"a":"#, count: levels) + "{}" + String(repeating: "}", count: levels)
    let path = Array(repeating: #""a""#, count: levels).joined(separator: ",")
    let longer = Array(repeating: #""a""#, count: 2 * levels).joined(separator: ",")
    try merger.merge(Data(#"{"data":\#(nested),"hasNext":true}"#.utf8))
    try merger.merge(
      Data(#"{"incremental":[{"path":[\#(path)],"data":\#(nested)}],"hasNext":true}"#.utf8))
    #expect {
      try merger.merge(
        Data(#"{"incremental":[{"path":[\#(longer)],"data":\#(nested)}],"hasNext":true}"#.utf8))
    } throws: { ($0 as? ResponseStreamError)?.kind == .unexpectedPart }
    _ = try JSONValue(jsonBytes: merger.body())
  }
}
