/// The parameters of the extension `permessage-deflate` that both sides have agreed on.
///
/// Spec: RFC 7692, section 7.1.
struct CompressionAgreement: Hashable, Sendable {
  /// The parameters for one direction.
  struct Direction: Hashable, Sendable {
    /// The base-2 logarithm of the largest distance to which a message refers back.
    var windowBits = 15
    /// `true` if messages may refer back to earlier ones.
    var takesOverContext = true
  }

  var server = Direction()
  var client = Direction()

  /// The parameters of the messages that a role sends.
  func sending(as role: SocketRole) -> Direction { role == .client ? client : server }

  /// The parameters of the messages that a role receives.
  func receiving(as role: SocketRole) -> Direction { role == .client ? server : client }
}

/// The offer of a client to compress messages.
///
/// Spec: RFC 7692, section 7.1.
struct CompressionOffer: Hashable, Sendable {
  static let name = "permessage-deflate"

  /// `true` if the client's messages may refer back to earlier ones, which needs memory here.
  var clientTakesOverContext = true
  /// `true` if the server's messages may refer back to earlier ones, which needs memory here.
  var serverTakesOverContext = true

  /// The value of the header `Sec-WebSocket-Extensions`.
  var headerValue: String {
    var parts = [Self.name]
    if !serverTakesOverContext { parts.append("server_no_context_takeover") }
    if !clientTakesOverContext { parts.append("client_no_context_takeover") }
    parts.append("client_max_window_bits")
    return parts.joined(separator: "; ")
  }

  /// Returns the agreement that a server's selection makes, or `nil` if the offer does not permit
  /// it.
  func agreement(_ selected: ExtensionSelection) -> CompressionAgreement? {
    guard selected.name == Self.name else { return nil }
    var agreement = CompressionAgreement()
    agreement.client.takesOverContext = clientTakesOverContext
    var seen: Set<String> = []
    for parameter in selected.parameters {
      guard seen.insert(parameter.name).inserted else { return nil }
      switch (parameter.name, parameter.value) {
      case ("server_no_context_takeover", nil): agreement.server.takesOverContext = false
      case ("client_no_context_takeover", nil): agreement.client.takesOverContext = false
      case ("server_max_window_bits", let value?):
        guard let bits = Self.windowBits(value) else { return nil }
        agreement.server.windowBits = bits
      case ("client_max_window_bits", let value?):
        guard let bits = Self.windowBits(value) else { return nil }
        agreement.client.windowBits = bits
      default: return nil
      }
    }
    // A server that was asked not to refer back has to confirm it.
    if !serverTakesOverContext && agreement.server.takesOverContext { return nil }
    return agreement
  }

  /// A number from 8 to 15 without leading zeros.
  private static func windowBits(_ text: String) -> Int? {
    guard let bits = Int(text), (8...15).contains(bits), text == String(bits) else { return nil }
    return bits
  }
}

extension WebSocketCompression {
  var offer: CompressionOffer? {
    switch self {
    case .none: nil
    case .eachMessage:
      CompressionOffer(clientTakesOverContext: false, serverTakesOverContext: false)
    case .sharedContext: CompressionOffer()
    }
  }
}
