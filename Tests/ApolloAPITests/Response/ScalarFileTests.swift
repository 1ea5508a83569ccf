import ApolloAPI
import ShapesAPI
import Testing

/// The error about a value of a custom scalar names the file that says how it is read.
@Suite struct ScalarFileTests {
  /// `date` is a date in its file, `text` has none but the default one.
  @Test(arguments: [
    (
      #""date":"2024-05-06T07:08:09""#, "Date",
      "; the file 'Schema/CustomScalars/Date.swift' names its Swift type, and is yours to edit"
    ),
    (
      #""date":{"year":2024}"#, "Date",
      "; the file 'Schema/CustomScalars/Date.swift' names its Swift type, and is yours to edit"
    ),
    (
      #""text":{"x":1}"#, "Text",
      "found an object where a string is expected; 'Text' is a custom scalar: name a Swift type for such values in the file 'Schema/CustomScalars/Text.swift', which is yours to edit"
    ),
  ])
  func namesTheFile(_ member: String, _ name: String, _ text: String) {
    let body = #"{"data":{"leaves":{"__typename":"Leaves",\#(member)}}}"#
    let error = #expect(throws: ResponseError.self) {
      try ResponseDecoder().decode(Array(body.utf8), as: LeavesQuery())
    }
    #expect(error?.scalarName == name)
    #expect(error?.description.contains(text) == true, "\(String(describing: error))")
  }

  /// The same for an element of a list.
  @Test func namesTheFileOfElements() {
    let body =
      #"{"data":{"leafLists":{"__typename":"LeafLists","dates":["2024-05-06T07:08:09"]}}}"#
    let error = #expect(throws: ResponseError.self) {
      try ResponseDecoder().decode(Array(body.utf8), as: LeafListsQuery())
    }
    #expect(error?.scalarName == "Date", "\(String(describing: error))")
  }

  @Test func namesNoFileOfOtherFields() {
    let body = #"{"data":{"leaves":{"__typename":"Leaves","int":"7"}}}"#
    let error = #expect(throws: ResponseError.self) {
      try ResponseDecoder().decode(Array(body.utf8), as: LeavesQuery())
    }
    #expect(error != nil && error?.scalarName == nil)
  }
}
