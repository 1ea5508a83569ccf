extension GeneratedCode {
  /// An enum type of the schema with very many values.
  ///
  /// Its raw values are in one list. The compiler's time for an enum with raw values of its own is
  /// quadratic, because it compares them one by one: it needs a minute for 5,000 values.
  public protocol WideEnum: EnumType {
    /// The raw values in the order of the cases.
    static var __names: NameList { get }
  }
}

/// The position of a case, from the bits of the value and back.
///
/// The ABI of Swift says that an enum without payloads is the ordinal number of its case, in the
/// smallest integer of 1, 2 or 4 bytes for which it has room (Type Layout, "C-like enums").
extension GeneratedCode.WideEnum {
  private var position: Int {
    withUnsafeBytes(of: self) { bytes in
      switch bytes.count {
      case 1: Int(bytes.load(as: UInt8.self))
      case 2: Int(bytes.load(as: UInt16.self))
      default: Int(bytes.load(as: UInt32.self))
      }
    }
  }

  private init(position: Int) {
    // The sizes are equal in each branch, and there is a case for each position of a name.
    switch MemoryLayout<Self>.size {
    case 1: self = unsafeBitCast(UInt8(position), to: Self.self)
    case 2: self = unsafeBitCast(UInt16(position), to: Self.self)
    default: self = unsafeBitCast(UInt32(position), to: Self.self)
    }
  }

  /// The name in the schema.
  public var rawValue: String { Self.__names.names[position] }

  /// Creates the value with a name in the schema. `nil` if there is none.
  public init?(rawValue: String) {
    guard let position = Self.__names.position(of: rawValue) else { return nil }
    self.init(position: position)
  }

  /// All values, in the order of the schema.
  public static var allCases: [Self] { __names.names.indices.map(Self.init(position:)) }

  /// Returns whether both are the same value.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.position == rhs.position }

  /// Hashes the position of the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(position) }
}

/// The compiler crashes if it has to infer this type while it checks the extension of
/// ``GeneratedCode/EnumLiteral`` for another enum.
extension RawRepresentable where Self: GeneratedCode.WideEnum {
  /// The type of the names in the schema.
  public typealias RawValue = String
}
