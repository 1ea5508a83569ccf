// Sends files along with a mutation.
//
//   swift run Uploads http://127.0.0.1:8000/graphql README.md Package.swift
//
// `python3 Server/server.py` starts a server. `scripts/examples` runs all of this.

import Apollo
import Foundation

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 2, let url = arguments.first.flatMap(URL.init(string:)) else {
  print("Usage: Uploads URL FILE…")
  exit(64)
}

let apollo = ApolloClient(url: url)
let paths = arguments.dropFirst().map { URL(fileURLWithPath: $0) }

/// The files of a variable. Each is read when the request is sent.
func files(for variable: String) throws -> [GraphQLFile] {
  try paths.map { path in
    guard
      let file = GraphQLFile(
        fieldName: variable, originalName: path.lastPathComponent,
        mimeType: "application/octet-stream", fileURL: path)
    else { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: path.path]) }
    return file
  }
}

func show(_ file: Files.FileLine) { print("\(file.name): \(file.size) bytes") }

// The value of the variable is a placeholder, which the file replaces.
let one = try await apollo.upload(
  operation: Files.UploadFileMutation(file: "first"), files: [try files(for: "file")[0]])
for error in one.errors ?? [] { print("The server refuses: \(error.message)") }
if let file = one.data?.uploadFile.fragments.fileLine { show(file) }

// A list has one placeholder for each file.
let names = paths.map(\.lastPathComponent)
let all = try await apollo.upload(
  operation: Files.UploadFilesMutation(files: names), files: try files(for: "files"))
for error in all.errors ?? [] { print("The server refuses: \(error.message)") }
for file in all.data?.uploadFiles ?? [] { show(file.fragments.fileLine) }
