// Times graphql-js in a warm process: one number of nanoseconds a line, for each sample.
//
//   node graphql-js.js parse schema.graphqls
//   node graphql-js.js operations folder     the schema is github.graphqls beside the folder
"use strict";
const fs = require("fs");
const path = require("path");

function load() {
  for (const name of ["graphql", "/usr/share/nodejs/graphql"]) {
    try {
      return require(name);
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  process.exit(3); // not installed
}

const graphql = load();
const [, , task, file] = process.argv;
const read = (name) => fs.readFileSync(name, "utf8");
const text = fs.statSync(file).isDirectory()
  ? fs.readdirSync(file).sort().map((name) => read(path.join(file, name))).join("\n")
  : read(file);
let schema;
const tasks = {
  lex() {
    const lexer = new graphql.Lexer(new graphql.Source(text));
    while (lexer.advance().kind !== "<EOF>");
  },
  parse() {
    graphql.parse(text);
  },
  schema() {
    // A schema keeps the verdict of its validation, so each round needs a new one.
    graphql.validateSchema(graphql.buildSchema(text));
  },
  operations() {
    schema ??= graphql.buildSchema(read(path.join(file, "../github.graphqls")), { assumeValid: true });
    if (graphql.validate(schema, graphql.parse(text)).length > 0) process.exit(4);
  },
};

const run = tasks[task];
for (let i = 0; i < 15; i++) run();
for (let i = 0; i < 30; i++) {
  const start = process.hrtime.bigint();
  run();
  console.log(String(process.hrtime.bigint() - start));
}
