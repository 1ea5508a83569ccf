extension ResponseAssembler.Framing {
  /// The framing of a successful response in parts, or `nil` for any other response.
  init?(_ head: ReceivedHead) {
    guard (200..<300).contains(head.statusCode), let text = head.value(of: "content-type"),
      let type = MediaType(text)
    else { return nil }
    switch type.essence {
    case "multipart/mixed":
      let boundary = type.parameters["boundary"] ?? ""
      self = .multipart(boundary: boundary.isEmpty ? "-" : boundary)
    case "text/event-stream": self = .eventStream
    default: return nil
    }
  }
}
