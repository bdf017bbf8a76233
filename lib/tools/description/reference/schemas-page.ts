import { html } from 'hono/html'
import { type Description, type Media, nameOf, operationsOf, resolved, type Schema } from './description.ts'
import { writeJson } from './literal.ts'
import { field, type Html, pageOf, prose, source, typeOf } from './markup.ts'

/** Renders the schemas of an OpenAPI document as an HTML page, each with its fields and its first example. */
export function renderSchemas(document: Description): string {
  const { title, version } = document.info
  const schemas = Object.entries(document.components.schemas)
  const examples = examplesOf(document)
  const nav = html`<strong><a href="/v1/docs">${title} ${version}</a></strong>
<h2>Schemas</h2><ul>${schemas.map(([name]) => html`<li><a href="#${name}">${name}</a>`)}</ul>`
  const main = html`<h1>Schemas</h1>
<p>The fields of requests and answers. <a href="/v1/docs">Operations, guides and error codes</a></p>
${schemas.map(([name, schema]) => schemaSection(name, schema, examples.get(name)))}`
  return pageOf(`${title} API ${version}: schemas`, nav, main)
}

const schemaSection = (name: string, schema: Schema, example: unknown): Html =>
  html`<section id="${name}"><h2>${name}</h2><p>${prose(schema.description ?? '')}</p>${
    schema.properties
      ? html`<dl>${Object.entries(schema.properties).map(([name, one]) =>
          field(name, one, one.description ?? '', schema.required?.includes(name) ? '' : ', optional'),
        )}</dl>`
      : html`<p>${typeOf(schema)}</p>`
  }${example === undefined ? '' : source(writeJson(example))}</section>`

/** Returns the first example of each body's schema. */
export function examplesOf(document: Description): Map<string, unknown> {
  const operations = [
    ...operationsOf(document).map(({ operation }) => operation),
    ...Object.values(document.webhooks).map(({ post }) => post),
  ]
  const media: Media[] = operations.flatMap(({ requestBody, responses }) => [
    ...Object.values(requestBody?.content ?? {}),
    ...Object.values(responses).flatMap((answer) => Object.values(resolved(answer, document).content ?? {})),
  ])
  const examples = new Map<string, unknown>()
  for (const { schema, example } of media) {
    const name = schema.$ref && nameOf(schema.$ref)
    if (name && example !== undefined && !examples.has(name)) examples.set(name, example)
  }
  return examples
}
