import ApolloAPI
import Foundation
import ShapesAPI
import Testing

// Faults of a whole response.
extension FaultTests {
  static let bodies = [
    FaultRow("J01", "empty bodies") { () throws in
      for text in ["", " ", "\n\t\r ", "\u{FEFF}", "\u{FEFF} "] {
        #expect(throws: ResponseError(.notAResponse("it is empty"), byteOffset: text.utf8.count)) {
          try ResponseDecoder().decode(Array(text.utf8), as: LeavesQuery())
        }
      }
    },
    FaultRow("J02", "a response of 5 KB that is cut off at every byte") { () throws in
      var shapes = RandomShapes(seed: 7)
      var text: [UInt8] = []
      while text.count < 5000 {
        text = Array(#"{"data":\#(shapes.data()),"errors":[{"message":"m","path":["a",1]}]}"#.utf8)
      }
      let query = ThingsQuery(more: true, less: false)
      #expect(throws: Never.self) { try ResponseDecoder().decode(text, as: query) }
      for count in 0..<text.count {
        #expect(throws: ResponseError.self, "cut off after \(count) bytes") {
          try ResponseDecoder().decode(text[..<count], as: query)
        }
      }
    },
    FaultRow("J11", "other encodings, with and without a byte order mark") { () throws in
      let text = Outcome.leaves("string", "\"é\"")
      let encodings: [String.Encoding] = [
        .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian,
        .isoLatin1,
      ]
      for encoding in encodings {
        let bytes = Array(try #require(text.data(using: encoding)))
        #expect(throws: ResponseError.self, "\(encoding)") {
          try ResponseDecoder().decode(bytes, as: LeavesQuery())
        }
        #expect(throws: ResponseError.self, "\(encoding)") { try JSONValue(jsonBytes: bytes) }
      }
    },
    FaultRow("J14", "top levels that are no object") { () throws in
      for text in ["null", "[]", "[{\"data\":null}]", "\"x\"", "1", "true"] {
        Outcome.isNoResponse(text)
      }
    },
    FaultRow("J15", "neither data nor errors") { () throws in
      for text in ["{}", #"{"data":null}"#, #"{"extensions":{}}"#, #"{"errors":null}"#] {
        Outcome.isNoResponse(text)
      }
    },
    FaultRow("J16", "errors that are none") { () throws in
      for errors in ["null", "[]"] {
        let text = #"{"data":{"leaves":null},"errors":\#(errors)}"#
        let response = try ResponseDecoder().decode(Array(text.utf8), as: LeavesQuery())
        #expect(response.data != nil && response.errors == nil)
      }
      for errors in ["{}", "\"x\"", "1"] {
        Outcome.isNoResponse(#"{"data":{"leaves":null},"errors":\#(errors)}"#)
      }
      // Servers send entries of any form; each is an error.
      for errors in ["[null]", "[{}]", "[[]]", "[\"x\"]", #"[{"message":1}]"#] {
        let text = #"{"data":{"leaves":null},"errors":\#(errors)}"#
        let response = try ResponseDecoder().decode(Array(text.utf8), as: LeavesQuery())
        #expect(response.data != nil && response.errors?.count == 1, "\(errors)")
      }
    },
    FaultRow("J16", "a million errors") { () throws in
      let errors = Array(repeating: #"{"message":"m"}"#, count: 1_000_000).joined(separator: ",")
      let response = try ResponseDecoder().decode(
        Array(#"{"data":null,"errors":[\#(errors)]}"#.utf8), as: LeavesQuery())
      #expect(response.errors?.count == 1_000_000)
    },
    FaultRow("J17", "malformed parts of errors") { () throws in
      for part in [
        #""path":["a",1.5]"#, #""path":["a",-1]"#, #""path":["a",["b"]]"#, #""path":["a",null]"#,
        #""path":"a""#, #""path":7"#, #""path":[1e99]"#, #""locations":"1:2""#,
        #""locations":["1:2"]"#, #""locations":[{"line":"1"}]"#, #""locations":{}"#,
      ] {
        let text = #"{"data":{"leaves":null},"errors":[{"message":"m",\#(part)}]}"#
        let response = try ResponseDecoder().decode(Array(text.utf8), as: LeavesQuery())
        #expect(response.errors == [GraphQLError(message: "m")], "\(part)")
      }
    },
    FaultRow("J18", "data that is no object") { () throws in
      for data in ["[]", "\"x\"", "1", "true"] { Outcome.isNoResponse(#"{"data":\#(data)}"#) }
    },
    FaultRow("J06", "keys that come twice") { () throws in
      for key in ["data", "errors", "extensions"] {
        Outcome.isNoResponse(#"{"\#(key)":null,"\#(key)":null,"data":{"leaves":null}}"#)
      }
      let error = #expect(throws: ResponseError.self) {
        try Outcome.leaf("int", #"1,"int":1"#)
      }
      #expect(error?.problem == .malformedJSON("the key 'int' comes twice in one object"))
      // Members that are not read may repeat; of two members of a custom scalar or an error, the
      // last one counts.
      #expect(try Outcome.leaf("json", #"{"a":1,"a":2}"#).json == ["a": 2])
      let text = #"{"data":{"leaves":null},"errors":[{"message":"a","message":"b"}],"x":1,"x":2}"#
      let response = try ResponseDecoder().decode(Array(text.utf8), as: LeavesQuery())
      #expect(response.errors?.map(\.message) == ["b"])
    },
  ]
}
