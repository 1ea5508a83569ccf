// Compares apollo-cli with graphql-js: see scripts/differential.
'use strict';
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const [library, corpora, tool, folder, count, seed] = process.argv.slice(2);
const graphql = require(library);
const { validateSDL } = require(path.join(library, 'validation/validate.js'));
const { specifiedSDLRules } = require(path.join(library, 'validation/specifiedRules.js'));

// MARK: - Chance

let state = Number(seed) >>> 0;

/** A number from 0 to 1 (mulberry32), the same for the same seed. */
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

const below = (limit) => Math.floor(random() * limit);
const pick = (list) => list[below(list.length)];

// MARK: - Documents

/** What an older graphql-js does not know: documents with it are left out. */
const isNewer = (text) => /oneOf|@stream|@defer|^\s*"[^]*"\s*(query|mutation|subscription|fragment|\{)/.test(text);

function load(name) {
  return JSON.parse(fs.readFileSync(path.join(corpora, name), 'utf8'));
}

function seeds() {
  const operations = load('validation.json');
  const definitions = load('validation_sdl.json');
  const schemas = load('schema_validation.json');
  return [
    ...operations.cases.filter((item) => !item.extensions)
      .map((item) => ({ schema: operations.schemas[item.schema], text: item.document })),
    ...definitions.cases.filter((item) => !item.base).map((item) => ({ text: item.document })),
    ...schemas.cases.filter((item) => !item.extensions).map((item) => ({ text: item.sdl })),
  ].filter((item) => item.text.length < 20000 && !isNewer(item.text + (item.schema ?? '')));
}

const token =
  /"""(?:\\"""|[^])*?"""|"(?:\\.|[^"\\\n])*"|\.\.\.|[_A-Za-z][_0-9A-Za-z]*|-?\d+(?:\.\d+)?|#[^\n]*|\s+|[^]/gu;
const insertions = [
  '{', '}', '(', ')', '[', ']', '!', '$', '|', '&', '=', ':', '...', ' on ', ' null ', ' 1 ', '"d" ', '"🦊é" ',
  '@skip(if: true) ', '@deprecated ', 'extend ', 'implements ', '__typename ', ' Int ', '# "é\n', ',', '\r\n', '\t', '\ufeff',
];

/** Changes one thing: what is written, where it is, or how often. */
function change(tokens) {
  const words = tokens.flatMap((text, index) => (/^[_A-Za-z]/.test(text) ? [index] : []));
  const index = below(tokens.length);
  const other = below(tokens.length);
  const word = words.length > 0 ? pick(words) : undefined;
  switch (below(7)) {
    case 0: tokens.splice(index, 0, pick(insertions)); break;
    case 1: if (word !== undefined) tokens[word] = tokens[pick(words)]; break;
    case 2: tokens.splice(index, 1); break;
    case 3: [tokens[index], tokens[other]] = [tokens[other], tokens[index]]; break;
    case 4: tokens.splice(index, 0, ' ', ...tokens.slice(index, index + 1 + below(12)), ' '); break;
    case 5: if (word !== undefined) tokens[word] = tokens[word].replace(/(.)(.)$/, '$2$1'); break;
    default: tokens.splice(index, 0, '# changed\n');
  }
}

function changed(item, all) {
  let text = item.text;
  if (random() < 0.3) text += '\n' + pick(all.filter((other) => other.schema === item.schema)).text;
  const tokens = text.match(token) ?? [];
  for (let left = 1 + below(3); left > 0 && tokens.length > 0; left--) change(tokens);
  return { schema: item.schema, text: tokens.join('') };
}

// MARK: - Verdicts

/** Lines as they are, columns in code points. */
function places(text, locations) {
  const lines = text.split(/\r\n|[\n\r]/);
  return (locations ?? []).map(
    ({ line, column }) => [line, [...(lines[line - 1] ?? '').slice(0, column - 1)].length + 1]);
}

const builtSchemas = new Map();

function reference({ schema, text }) {
  const found = (rule, errors) =>
    errors.map((error) => ({ rule, message: error.message, places: places(text, error.locations) }));
  let document;
  try {
    document = graphql.parse(text);
  } catch (error) {
    return found('Syntax', [error]);
  }
  const name = (rule) => rule.name.replace(/Rule$/, '');
  if (schema === undefined) {
    return specifiedSDLRules.flatMap((rule) => found(name(rule), validateSDL(document, null, [rule])));
  }
  if (!builtSchemas.has(schema)) {
    builtSchemas.set(schema, graphql.buildSchema(schema, { assumeValid: true, assumeValidSDL: true }));
  }
  return graphql.specifiedRules.flatMap((rule) =>
    found(name(rule), graphql.validate(builtSchemas.get(schema), document, [rule], { maxErrors: 10000 })));
}

const sdlRules = new Set(specifiedSDLRules.map((rule) => rule.name.replace(/Rule$/, '')));

function ours({ schema, text }) {
  const document = path.join(folder, 'document.graphql');
  fs.writeFileSync(document, text);
  const command = ['validate', '--specification', '--format', 'json'];
  if (schema === undefined) {
    command.push('--schema', document);
  } else {
    fs.writeFileSync(path.join(folder, 'schema.graphqls'), schema);
    command.push('--schema', path.join(folder, 'schema.graphqls'), document);
  }
  const { status, stdout, stderr } = spawnSync(tool, command, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0 && status !== 1) return [{ rule: `exit ${status}`, message: stderr, places: [] }];
  const problems = JSON.parse(stdout)
    .filter((item) => item.severity === 'error' && (schema === undefined || item.file === document))
    .map(({ rule, message, line, column, notes }) => ({
      rule, message,
      places: [...(line ? [[line, column]] : []), ...notes.map((note) => [note.line, note.column])],
    }));
  const syntax = problems.filter((item) => item.rule === 'Syntax');
  // The reference stops at the first syntax error, and knows the rules for whole schemas by no name.
  if (syntax.length > 0) return syntax.slice(0, 1);
  return problems.filter((item) => schema !== undefined || sdlRules.has(item.rule));
}

// MARK: - Comparing

/**
 * What newer versions of the reference say otherwise.
 *
 * They have more rules, know no other fault of a subscription with `@skip`, and refuse descriptions of shorthand queries
 * for what they are. And they tell a conflict once that older ones tell for each pair of fields, so one that only we or
 * they tell is known if the other tells it of the same response name at a place they have in common.
 */
function isKnown(problem, others) {
  const { rule, places } = problem;
  const alike = others.filter((other) => other.rule === rule);
  const says = (words) => [problem, ...alike].some(({ message }) => message.includes(words));
  switch (rule) {
    case 'KnownOperationTypes': return true;
    case 'SingleFieldSubscriptions': return says('`@skip`');
    case 'Syntax': return says('description');
    case 'OverlappingFieldsCanBeMerged':
      return alike.some((other) => conflictingName(other) === conflictingName(problem) &&
        other.places.some((place) => places.some((same) => String(same) === String(place))));
    default: return false;
  }
}

/** The response name that a conflict is about. */
const conflictingName = ({ message }) => /^Fields "(\w+)" conflict/.exec(message)?.[1];

/** A problem as it is compared. In which order fields conflict has changed between versions. */
function key({ rule, places }) {
  const list = rule === 'OverlappingFieldsCanBeMerged' ? places.map(String).sort() : places;
  return `${rule} ${JSON.stringify(list)}`;
}

const all = seeds();
const differences = new Map();
let [same, otherWords, known] = [0, 0, 0];
for (let index = 0; index < Number(count); index++) {
  const item = changed(pick(all), all);
  let expected;
  try {
    expected = reference(item);
  } catch {
    continue; // The reference has no answer, as it takes some schemas for right without looking.
  }
  const found = ours(item);
  const missing = expected.filter((problem) => !found.some((other) => key(other) === key(problem)));
  const extra = found.filter((problem) => !expected.some((other) => key(other) === key(problem)));
  if (missing.length === 0 && extra.length === 0) {
    same++;
    const words = (problems) => problems.map((problem) => problem.message).sort().join('\n');
    if (words(found) !== words(expected)) otherWords++;
  } else if (missing.every((problem) => isKnown(problem, found)) && extra.every((problem) => isKnown(problem, expected))) {
    known++;
  } else {
    const kind = `missing: ${missing.map(({ rule }) => rule)}; extra: ${extra.map(({ rule }) => rule)}`;
    const before = differences.get(kind);
    const example = before && before.text.length <= item.text.length ? before : { ...item, missing, extra };
    differences.set(kind, { ...example, times: (before?.times ?? 0) + 1 });
  }
}
console.log(
  `graphql-js ${graphql.version}, seed ${seed}: ${same} of ${count} documents have the same problems at the same places, ` +
  `${otherWords} of them in other words; ${known} differ as versions do.`);
for (const [kind, { times, text, missing, extra }] of differences) {
  console.log(`\n${times} × ${kind}\n${text}\nmissing ${JSON.stringify(missing)}\nextra ${JSON.stringify(extra)}`);
}
process.exitCode = differences.size === 0 ? 0 : 1;
