/// The command `apollo-cli schema`: prints, describes and compares schemas.
enum SchemaCommand: CommandGroup {
  static let name = "schema"
  static let summary = "Prints, describes and compares schemas."
  static let discussion = [
    "Where no file is named, the subcommands use the schema of the configuration."
  ]

  static var subcommands: [any Command.Type] {
    [
      SchemaPrint.self, SchemaIntrospect.self, SchemaStats.self, SchemaDiff.self,
      SchemaCoverage.self,
    ]
  }
}
