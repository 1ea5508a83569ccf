@main
struct ApolloCLI {
  static func main() {}
}
