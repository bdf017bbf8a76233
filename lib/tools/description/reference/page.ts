import { html, raw } from 'hono/html'
import { errors } from '../../../schema/errors.ts'

/** The parts of an OpenAPI document that the page shows. */
type Document = {
  info: { title: string; version: string; summary: string; description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> }
}
type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: unknown[]
  parameters?: { name: string; in: string; required: boolean; description: string; schema: Schema }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Answer | { $ref: string }>
}
type Answer = { description: string; content?: Record<string, Media> }
type Media = { schema: Schema; example?: unknown }
type Schema = {
  $ref?: string
  type?: string
  format?: string
  description?: string
  enum?: string[]
  const?: unknown
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
}

type Html = ReturnType<typeof html>

/** What stands in the method's place for what the service sends. */
const WEBHOOK = 'WEBHOOK'

/**
 * Renders an OpenAPI document as one HTML page: no script, nothing loaded, an anchor for every operation,
 * schema and error code (`#error-<code>`, where the errors' `type` leads).
 */
export function renderReference(source: unknown): string {
  const document = source as Document
  const operations = [
    ...Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    ),
    ...Object.entries(document.webhooks).map(([path, { post }]) => ({
      path,
      method: WEBHOOK,
      operation: post,
    })),
  ]
  const { title, version, summary, description } = document.info
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API ${version}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<nav aria-label="Contents">
<strong>${title} ${version}</strong>
${document.tags.map(
  ({ name }) =>
    html`<h2>${name}</h2><ul>${operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(
        ({ path, method, operation }) =>
          html`<li><a href="#${operation.operationId}"><b class="${method}">${method}</b> ${path}</a></li>`,
      )}</ul>`,
)}
<h2>Schemas</h2><ul>${Object.keys(document.components.schemas).map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul>
<h2><a href="#errors">Error codes</a></h2>
</nav>
<main>
<h1>${title} API</h1>
<p>${summary} ${description}</p>
<p>Base address: <code>/v1</code> on this host. Machine-readable: <a href="/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${operations.map((each) => operationSection({ ...each, shared: document.components.responses }))}
<h2>Schemas</h2>
${Object.entries(document.components.schemas).map(
  ([name, schema]) =>
    html`<section id="schema-${name}"><h3>${name}</h3><p>${schema.description}</p>${schema.properties ? fieldTable(schema) : html`<p>${typeOf(schema)}</p>`}</section>`,
)}
<h2 id="errors">Error codes</h2>
<table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>
${Object.entries(errors).map(
  ([code, { status, meaning }]) =>
    html`<tr id="error-${code}"><td><code>${code}</code></td><td>${status}</td><td>${prose(meaning || '')}</td></tr>`,
)}
</tbody></table>
</main>
</body>
</html>
`)
}

const operationSection = ({
  path,
  method,
  operation,
  shared,
}: {
  path: string
  method: string
  operation: Operation
  shared: Record<string, Answer>
}): Html =>
  html`<section id="${operation.operationId}">
<h3><b class="${method}">${method}</b> ${path}</h3>
<p><strong>${operation.summary}.</strong> ${prose(operation.description)}</p>
${method === WEBHOOK ? '' : html`<p class="note">${operation.security.length > 0 ? 'Needs a session token.' : 'Public.'}</p>`}
${operation.parameters ? parameterTable(operation.parameters) : ''}
${Object.values(operation.requestBody?.content ?? {}).map((media) => mediaBlock('Request body', media))}
${Object.entries(operation.responses).map(([status, answer]) => {
  const { description, content } = resolved(answer, shared)
  const [media] = Object.values(content ?? {})
  const label = html`<h4>${status}</h4>${description.split('\n\n').map((line) => html`<p>${prose(line)}</p>`)}`
  return media?.example === undefined ? label : html`${label}${mediaBlock('Answer', media)}`
})}
</section>`

/** An answer, or the one of the document's components that it refers to. */
function resolved(answer: Answer | { $ref: string }, shared: Record<string, Answer>): Answer {
  if (!('$ref' in answer)) return answer
  const found = shared[answer.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`nothing is at ${answer.$ref}`)
  return found
}

const mediaBlock = (title: string, { schema, example }: Media): Html =>
  html`<p>${title}: ${typeOf(schema)}</p>${example === undefined ? '' : html`<pre tabindex="0">${JSON.stringify(example, null, 2)}</pre>`}`

const parameterTable = (parameters: NonNullable<Operation['parameters']>): Html =>
  html`<table><thead><tr><th>Parameter</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${parameters.map(
    (p) =>
      html`<tr><td><code>${p.name}</code>${p.required ? ' (required)' : ''}</td><td>${typeOf(p.schema)}${boundsOf(p.schema)}</td><td>${prose(p.description)}</td></tr>`,
  )}</tbody></table>`

const fieldTable = (schema: Schema): Html =>
  html`<table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${Object.entries(
    schema.properties ?? {},
  ).map(
    ([name, field]) =>
      html`<tr><td><code>${name}</code>${schema.required?.includes(name) ? '' : ' (optional)'}</td><td>${typeOf(field)}${boundsOf(field)}</td><td>${prose(field.description ?? '')}</td></tr>`,
  )}</tbody></table>`

function typeOf(schema: Schema): Html | string {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if (schema.enum) return schema.enum.join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf)
    return html`${schema.anyOf.map((option, i) => html`${i > 0 ? ' or ' : ''}${typeOf(option)}`)}`
  if (schema.items) return html`list of ${typeOf(schema.items)}`
  return `${schema.type ?? 'any'}${schema.format ? ` (${schema.format})` : ''}`
}

function boundsOf({ minimum, maximum, minLength, maxLength, ...schema }: Schema): string {
  const range = (low: number | undefined, high: number | undefined, unit: string) =>
    low === undefined && high === undefined
      ? ''
      : `, ${low ?? 0}${high === undefined ? ' or more' : ` to ${high}`}${unit}`
  const fallback = schema.default === undefined ? '' : `, default ${JSON.stringify(schema.default)}`
  return range(minimum, maximum, '') + range(minLength, maxLength, ' characters') + fallback
}

/** Text with `code` in back-quotes. */
const prose = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --accent: light-dark(#0b5cad, #7ab8ff) }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr) }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line); font-size: .85rem }
nav h2 { font-size: .85rem; margin: 1rem 0 .25rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav a { display: block; padding: .15rem 0; overflow-wrap: anywhere }
main { padding: 1rem 2rem 4rem; max-width: 60rem }
a { color: var(--accent); text-decoration: none }
a:hover { text-decoration: underline }
section { border-top: 1px solid var(--line); padding: .5rem 0 1rem }
section:target, tr:target { background: light-dark(#fff6d6, #3a3420) }
h3 { margin: .75rem 0 .25rem; overflow-wrap: anywhere }
h4 { margin: 1rem 0 0 }
p { margin: .4rem 0 }
.note { opacity: .75 }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .9rem }
th, td { text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); padding: .3rem .6rem .3rem 0; overflow-wrap: anywhere }
pre, code { font: .85em/1.45 ui-monospace, monospace; background: #8882; border-radius: 4px }
code { padding: .1em .3em }
pre { padding: .75rem; overflow: auto; margin: .25rem 0 }
b.GET { color: light-dark(#1a7f37, #57d27a) } b.POST { color: light-dark(#0b5cad, #7ab8ff) }
b.WEBHOOK { color: light-dark(#7a3fb0, #c79bff) } b.PATCH { color: light-dark(#8a5a00, #e0b050) } b.DELETE { color: light-dark(#b42318, #ff8a7a) }
@media (max-width: 50rem) { body { display: block } nav { position: static; height: auto; border: 0 } main { padding: 1rem } }
`
