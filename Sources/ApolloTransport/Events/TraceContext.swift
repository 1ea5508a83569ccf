/// The position of a call in a distributed trace, as the headers `traceparent` and `tracestate`
/// carry it to the server.
///
/// W3C Trace Context, level 1.
///
/// ```swift
/// let parent = TraceContext(traceparent: incoming["traceparent"], tracestate: nil)
/// let context = parent?.child() ?? TraceContext()
/// ```
public struct TraceContext: Hashable, Sendable {
  /// The trace: 32 hexadecimal digits in lower case, not all zero.
  public let traceID: String
  /// The span of the sender: 16 hexadecimal digits in lower case, not all zero.
  public let spanID: String
  /// `true` if the sender records the trace.
  public let isSampled: Bool
  /// The additions of tracing systems, as one header value; `nil` for none.
  public let tracestate: String?

  /// Creates the context of a new trace, with random identifiers.
  public init(isSampled: Bool = true) {
    traceID = Self.randomDigits(count: 32)
    spanID = Self.randomDigits(count: 16)
    self.isSampled = isSampled
    tracestate = nil
  }

  /// Creates a context from the values of both headers.
  ///
  /// - Returns: `nil` if `traceparent` is missing or malformed. A malformed `tracestate` is left
  ///   out.
  public init?(traceparent: String?, tracestate: String? = nil) {
    guard let traceparent else { return nil }
    let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, let version = Self.digits(parts[0], count: 2), version != "ff",
      // A later version may append further parts; this one has none.
      version != "00" || parts.count == 4,
      let traceID = Self.digits(parts[1], count: 32), traceID.contains(where: { $0 != "0" }),
      let spanID = Self.digits(parts[2], count: 16), spanID.contains(where: { $0 != "0" }),
      let flags = Self.digits(parts[3], count: 2).flatMap({ UInt8($0, radix: 16) })
    else { return nil }
    self.init(traceID, spanID, isSampled: flags & 1 == 1, tracestate: tracestate)
  }

  private init(_ traceID: String, _ spanID: String, isSampled: Bool, tracestate: String?) {
    self.traceID = traceID
    self.spanID = spanID
    self.isSampled = isSampled
    self.tracestate = tracestate.flatMap {
      !$0.isEmpty && $0.utf8.count <= 512 && HeaderField.isValid(value: $0) ? $0 : nil
    }
  }

  /// Returns the context of a new span within the same trace.
  public func child() -> TraceContext {
    TraceContext(
      traceID, Self.randomDigits(count: 16), isSampled: isSampled, tracestate: tracestate)
  }

  /// The value of the header `traceparent`.
  public var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

  /// The headers that carry the context.
  package var headers: [String: String] {
    var headers = ["traceparent": traceparent]
    headers["tracestate"] = tracestate
    return headers
  }

  private static func digits(_ text: Substring, count: Int) -> String? {
    let isValid = text.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
    return isValid && text.utf8.count == count ? String(text) : nil
  }

  /// Returns random digits that are not all zero.
  private static func randomDigits(count: Int) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var bytes = (0..<count).map { _ in digits[Int.random(in: 0..<16)] }
    if bytes.allSatisfy({ $0 == digits[0] }) { bytes[count - 1] = digits[1] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
