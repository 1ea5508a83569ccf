extension UInt8 {
  /// `0` … `9`
  @inline(__always) var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }
  /// `A` … `Z`, `a` … `z`
  @inline(__always) var isASCIILetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
}
