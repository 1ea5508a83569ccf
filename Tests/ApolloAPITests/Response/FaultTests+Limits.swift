import ApolloAPI
import ShapesAPI
import Testing

// Limits.
extension FaultTests {
  /// A program with a client can follow it: the limits of a client are fixed.
  private static let limitAdvice =
    "; select less, or decode the response yourself with other ResponseLimits"

  static let limits = [
    FaultRow("J07", "nesting up to the limit and beyond") { () throws in
      for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
        func nested(_ depth: Int) -> [UInt8] {
          Array(
            (String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth))
              .utf8)
        }
        for limit in [1, 2, 64, 511, 512] {
          let limits = ResponseLimits(depth: limit)
          #expect(throws: Never.self) { try JSONValue(jsonBytes: nested(limit), limits: limits) }
          for depth in [limit + 1, 10_000] {
            let error = #expect(throws: ResponseError.self) {
              try JSONValue(jsonBytes: nested(depth), limits: limits)
            }
            #expect(error?.problem == .tooDeep(limit: limit))
          }
        }
        // Without the closing brackets.
        let error = #expect(throws: ResponseError.self) {
          try JSONValue(jsonBytes: Array(String(repeating: open, count: 10_000).utf8))
        }
        #expect(error?.problem == .tooDeep(limit: 512))
        #expect(error?.description.contains(Self.limitAdvice) == true)
      }
    },
    FaultRow("J08", "nesting where nobody looks") { () throws in
      for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
        for depth in [600, 100_000] {
          let deep =
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
          for text in [
            #"{"data":{"leaves":null},"x":\#(deep)}"#, #"{"data":{"leaves":null,"x":\#(deep)}}"#,
            #"{"data":{"leaves":null},"extensions":{"x":\#(deep)}}"#,
            #"{"errors":[{"message":"","extensions":{"x":\#(deep)}}]}"#,
            Outcome.leaves("json", deep),
            Outcome.leaves("string", deep), Outcome.leaves("int", #"1,"x":\#(deep)"#),
          ] {
            let error = #expect(throws: ResponseError.self) {
              try ResponseDecoder().decode(Array(text.utf8), as: LeavesQuery())
            }
            if !text.contains("\"string\":\(open)") {
              #expect(error?.problem == .tooDeep(limit: 512))
            }
          }
        }
      }
    },
    FaultRow("J12", "more bytes than the limit") { () throws in
      let limits = ResponseLimits(byteCount: 1 << 20)
      let text = Outcome.leaves("int", "1")
      let padding = String(repeating: " ", count: 1 << 20 - text.utf8.count)
      #expect(throws: Never.self) {
        try ResponseDecoder(limits: limits).decode(Array((text + padding).utf8), as: LeavesQuery())
      }
      for end in [" ", String(repeating: " ", count: 8 << 20)] {
        let error = #expect(throws: ResponseError.self) {
          try ResponseDecoder(limits: limits).decode(
            Array((text + padding + end).utf8), as: LeavesQuery())
        }
        #expect(error?.problem == .tooLarge(limit: 1 << 20))
        #expect(error?.description.contains(Self.limitAdvice) == true)
      }
    },
    FaultRow("J13", "a string of 64 MB") { () throws in
      let text = String(repeating: "0123456789abcdef", count: 4 << 20)
      #expect(try Outcome.leaf("string", "\"\(text)\"").string == text)
    },
    FaultRow("J13", "a list of a million elements, an object of a million keys") { () throws in
      let list = Array(repeating: "1", count: 1_000_000).joined(separator: ",")
      #expect(try Outcome.leaf("json", "[\(list)]").json?.arrayValue?.count == 1_000_000)
      let members = (0..<1_000_000).map { "\"k\($0)\":1" }.joined(separator: ",")
      #expect(try Outcome.leaf("json", "{\(members)}").json?.objectValue?.count == 1_000_000)
      #expect(try Outcome.leaf("int", "1,\(members)").int == 1)
    },
  ]
}
