// From the OpenAPI document to the types of every operation.
const quoted = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** JSON Schema → a TypeScript type. In an answer what has a default, lists and records are there. */
function type(schema, indent, answer) {
  if (!schema || Object.keys(schema).length === 0) return 'unknown';
  if (schema.enum) return schema.enum.map((v) => JSON.stringify(v)).join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((t) => type({ ...schema, type: t }, indent, answer)).join(' | ');
  if (schema.anyOf || schema.oneOf)
    return (schema.anyOf ?? schema.oneOf).map((s) => type(s, indent, answer)).join(' | ');
  switch (schema.type) {
    case 'string': return 'string';
    case 'boolean': return 'boolean';
    case 'integer':
    case 'number': return 'number';
    case 'null': return 'null';
    case 'array': {
      const item = type(schema.items, indent, answer);
      return /[|]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
    }
    case 'object': return object(schema, indent, answer);
    default: return 'unknown';
  }
}

function object(schema, indent, answer) {
  const fields = Object.entries(schema.properties ?? {});
  const rest = schema.additionalProperties;
  if (fields.length === 0) {
    const value = rest && typeof rest === 'object' ? type(rest, indent, answer) : 'unknown';
    return `Record<string, ${value}>`;
  }
  const pad = indent + '  ';
  const lines = fields.map(([name, field]) => {
    const always =
      schema.required?.includes(name) ||
      (answer && (field.default !== undefined || field.type === 'array' || field.type === 'object'));
    return `${pad}${quoted(name)}${always ? '' : '?'}: ${type(field, pad, answer)};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function request(row) {
  const properties = {};
  const required = [];
  for (const p of row.parameters ?? []) {
    if (p.$ref || p.in === 'header') continue;
    properties[p.name] = p.schema;
    if (p.required) required.push(p.name);
  }
  const body = row.requestBody?.content['application/json']?.schema ?? {};
  Object.assign(properties, body.properties ?? {});
  return { type: 'object', properties, required: [...required, ...(body.required ?? [])] };
}

export function generate(openapi) {
  const rows = [];
  for (const [path, methods] of Object.entries(openapi.paths)) {
    for (const [method, row] of Object.entries(methods)) {
      rows.push({ name: row.operationId, method: method.toUpperCase(), path, row });
    }
  }
  rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  const table = rows.map((r) => {
    const place = r.path.replace('/api/v1', '');
    return `  '${r.name}': ['${r.method}', '${place}', '${r.row['x-right']}'],`;
  });
  const requests = rows.map((r) => `  '${r.name}': ${type(request(r.row), '  ', false)};`);
  const answers = rows.map((r) => {
    const schema = r.row.responses['200'].content['application/json'].schema;
    return `  '${r.name}': ${type(schema, '  ', true)};`;
  });
  return [
    '// Generated from docs/reference/openapi.json by npm run types.',
    '',
    '/** Method, path under /api/v1, right. */',
    `export const operations = {\n${table.join('\n')}\n} as const;`,
    '',
    'export type Operation = keyof typeof operations;',
    '',
    `export interface Requests {\n${requests.join('\n')}\n}`,
    '',
    `export interface Answers {\n${answers.join('\n')}\n}`,
    '',
  ].join('\n');
}
