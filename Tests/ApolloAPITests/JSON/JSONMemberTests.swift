import ApolloAPI
import Testing

struct JSONMemberTests {
  @Test func givesLeavesAndTheTextOfObjectsAndLists() throws {
    let text = #" { "id" : "1", "count":2, "no":null, "payload" : {"a":[1,"}"]} ,"list":[ {} ] } "#
    let bytes = Array(text.utf8)
    var members: [String] = []
    try JSONMember.forEach(in: bytes) { member in
      switch member.value {
      case .leaf(let value): members.append("\(member.key)=\(value)")
      case .object(let range), .list(let range):
        members.append("\(member.key): \(String(decoding: bytes[range], as: UTF8.self))")
      }
    }
    #expect(
      members == [
        #"id="1""#, "count=2", "no=null", #"payload: {"a":[1,"}"]}"#, "list: [ {} ]",
      ])
  }

  @Test func acceptsAnEmptyObject() throws {
    try JSONMember.forEach(in: Array("{}".utf8)) { Issue.record("a member \($0)") }
  }

  @Test(arguments: [
    "", " ", "[]", "1", "null", #""{}""#, "{", "{}}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
    #"{"a":{"b":}}"#, #"{"a":{"b":1}"#, #"{"a":[1}}"#, #"{a:1}"#, #"{"a":1} x"#,
  ])
  func rejectsEverythingElse(_ text: String) {
    #expect(throws: ResponseError.self) {
      try JSONMember.forEach(in: Array(text.utf8)) { _ in }
    }
  }

  @Test func rejectsEveryTruncation() throws {
    let bytes = Array(#"{"id":"1","payload":{"data":{"é":"\u00e9\\"}},"x":[1.5e3,true]}"#.utf8)
    try JSONMember.forEach(in: bytes) { _ in }
    for count in bytes.indices {
      #expect(throws: ResponseError.self) {
        try JSONMember.forEach(in: bytes[..<count]) { _ in }
      }
    }
  }
}
