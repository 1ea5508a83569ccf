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
  /// Returns the time after which a part is made, or `nil` after the last one. It is zero except
  /// for events.
  private let timeBefore: @Sendable (Int) -> Duration?
  /// Makes a part, whose delay is that of its fields.
  private let makePart: @Sendable (Int) -> Part

  init(_ kind: Kind, _ parts: [Part]) {
    self.kind = kind
    timeBefore = { parts.indices.contains($0) ? Duration.zero : nil }
    makePart = { parts[$0] }
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
    timeBefore = times
    makePart = event
  }

  /// The text of the first part, which is the whole response unless there are several.
  public var text: String { part(at: 0)?.text ?? "" }

  /// Returns the part at an index, or `nil` after the last one. An event is made when it is asked
  /// for.
  public func part(at index: Int) -> Part? {
    guard let time = timeBefore(index) else { return nil }
    let part = makePart(index)
    return Part(delay: part.delay + time, body: part.body)
  }

  /// Waits for the delay of a part and returns the part, or returns `nil` after the last one.
  ///
  /// An event is made when its time has come, so that it has what rules and mutations have changed
  /// meanwhile. Its fields can delay it further.
  ///
  /// - Parameters:
  ///   - index: The index of the part.
  ///   - clock: The clock for the delay.
  /// - Returns: The part.
  /// - Throws: `CancellationError` if the task is cancelled during the delay. A part without a
  ///   delay is returned all the same.
  package func part(at index: Int, on clock: some Clock<Duration>) async throws -> Part? {
    guard let time = timeBefore(index) else { return nil }
    let start = clock.now
    if time > .zero { try await clock.sleep(for: time) }
    let part = makePart(index)
    // A test may have advanced the clock by more than the time.
    let rest = time + part.delay - start.duration(to: clock.now)
    if part.delay > .zero, rest > .zero { try await clock.sleep(for: rest) }
    return part
  }

  /// The parts in their order. Those of a subscription without an end do not end.
  public var parts: some Sequence<Part> {
    sequence(state: 0) { (index: inout Int) -> Part? in
      defer { index += 1 }
      return part(at: index)
    }
  }
}
