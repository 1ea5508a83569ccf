// Does the work of the benchmarks with graphql-js.
//
//   node graphql-js.js warm TASK FILE…   for each line of standard input, does the task and prints the nanoseconds
//   node graphql-js.js cold SCHEMA [OPERATIONS]   validates once and ends; OPERATIONS is a folder
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
const read = (name) => fs.readFileSync(name, "utf8");
const readAll = (file) =>
  fs.statSync(file).isDirectory()
    ? fs.readdirSync(file).sort().map((name) => read(path.join(file, name))).join("\n")
    : read(file);

/// Runs the task of a name on the texts of files.
function task(name, [text, other]) {
  // What is not measured is made when it is first needed.
  const lazy = (make) => { let value; return () => (value ??= make()); };
  const schema = lazy(() => graphql.buildSchema(other ?? text, { assumeValid: true }));
  const document = lazy(() => graphql.parse(text));
  const changed = lazy(() => graphql.buildSchema(text.replaceAll("first: Int", "firstOnes: Int"), { assumeValid: true }));
  return {
    lex() {
      const lexer = new graphql.Lexer(new graphql.Source(text));
      while (lexer.advance().kind !== "<EOF>");
    },
    parse: () => graphql.parse(text),
    // A schema keeps the verdict of its validation, so each round needs a new one.
    schema: () => graphql.validateSchema(graphql.buildSchema(text)),
    operations() {
      if (graphql.validate(schema(), graphql.parse(text)).length > 0) process.exit(4);
    },
    print: () => graphql.print(document()),
    parseAndPrint: () => graphql.print(graphql.parse(text)),
    printSchema: () => graphql.printSchema(schema()),
    introspect: () => JSON.stringify(graphql.introspectionFromSchema(schema())),
    compare() {
      graphql.findBreakingChanges(schema(), changed());
      graphql.findDangerousChanges(schema(), changed());
    },
  }[name];
}

function warm(run) {
  for (let i = 0; i < 15; i++) run();
  let pending = 0;
  process.stdin.on("data", (data) => {
    for (pending += String(data).split("\n").length - 1; pending > 0; pending--) {
      const start = process.hrtime.bigint();
      run();
      const elapsed = process.hrtime.bigint() - start;
      process.stdout.write(`${elapsed}\n`);
    }
  });
}

function cold(schemaFile, operations) {
  const schema = graphql.buildSchema(read(schemaFile));
  graphql.validateSchema(schema);
  if (operations === undefined) return;
  // GitHub's schema breaks rules; the operations are checked nevertheless.
  schema.__validationErrors = [];
  if (graphql.validate(schema, graphql.parse(readAll(operations))).length > 0) process.exit(4);
}

const [, , mode, ...rest] = process.argv;
if (mode === "cold") cold(...rest);
else warm(task(rest[0], rest.slice(1).map(readAll)));
