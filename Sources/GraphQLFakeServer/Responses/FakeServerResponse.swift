/// The response of a ``FakeServer``: one text, several parts of one response, or events.
public struct FakeServerResponse: Sendable {
  /// The meaning of the parts.
  public enum Kind: Hashable, Sendable {
    /// One part, which is the response.
    case whole
    /// The parts of a response with `@defer` or `@stream`, in the form of 2022-08-24.
    case parts
    /// The events of a subscription, each a response.
    case events
  }

  /// A text that is sent.
  public struct Part: Hashable, Sendable {
    /// The time before the text is sent, after the part before it.
    public let delay: Duration
    /// The JSON text.
    public let body: [UInt8]

    init(delay: Duration, body: [UInt8]) {
      self.delay = delay
      self.body = body
    }

    /// The JSON text as a string.
    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// The meaning of the parts.
  public let kind: Kind
  private let part: @Sendable (Int) -> Part?

  init(_ kind: Kind, _ parts: [Part]) {
    self.kind = kind
    part = { parts.indices.contains($0) ? parts[$0] : nil }
  }

  /// Creates the events of a subscription.
  ///
  /// - Parameters:
  ///   - times: Returns the time before an event, or `nil` after the last one.
  ///   - event: Makes an event.
  init(
    events times: @escaping @Sendable (Int) -> Duration?,
    _ event: @escaping @Sendable (Int) -> Part
  ) {
    kind = .events
    part = { index in
      guard let time = times(index) else { return nil }
      let part = event(index)
      return Part(delay: part.delay + time, body: part.body)
    }
  }

  /// The text of the first part, which is the whole response unless there are several.
  public var text: String { part(0)?.text ?? "" }

  /// Returns the part at an index, or `nil` after the last one. An event is made when it is asked
  /// for.
  public func part(at index: Int) -> Part? { part(index) }

  /// The parts in their order. Those of a subscription without an end do not end.
  public var parts: some Sequence<Part> {
    sequence(state: 0) { [part] (index: inout Int) -> Part? in
      defer { index += 1 }
      return part(index)
    }
  }
}
