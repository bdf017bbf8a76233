import { html } from 'hono/html'
import { errors } from '../../../../schema/errors.ts'
import { type Description, type Operation, operationsOf, type Placed } from './description.ts'
import { type Guide, guidesFor } from './guides/index.ts'
import { errorLinks, type Html, pageOf, parameterList, prose, SCHEMAS, source, typeOf } from './markup.ts'
import { codesOf, operationSection } from './operation-section.ts'

/**
 * Renders an OpenAPI document as one HTML page: the guides, the operations in the order of the tags, the
 * webhooks and the error codes. It has an anchor for every operation, event and error code (`#error-<code>`,
 * which the errors' `type` links to). The schemas have a separate page.
 */
export function renderReference(document: Description): string {
  const { title, version, summary, description } = document.info
  const operations = operationsOf(document)
  const guides = guidesFor(operations.map(({ method, path }) => `${method} ${path}`))
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const events = Object.entries(document.webhooks)
  const common = commonErrors(operations, document)
  const nav = html`<strong>${title} ${version}</strong>
${guides.length > 0 && html`<h2>Guides</h2><ul>${guides.map(({ id, title }) => html`<li><a href="#${id}">${title}</a>`)}</ul>`}
${groups.map(
  ({ name, operations }) =>
    html`<h2>${name}</h2><ul>${operations.map(
      ({ path, method, operation }) =>
        html`<li><a href="#${operation.operationId}"><b class="${method}">${method}</b> ${path}</a>`,
    )}</ul>`,
)}
<h2>Webhooks</h2><ul>${events.map(([type, { post }]) => html`<li><a href="#${post.operationId}">${type}</a>`)}</ul>
<h2><a href="${SCHEMAS}">Schemas</a></h2>
<h2><a href="#errors">Error codes</a></h2>`
  const main = html`<h1>${title} API</h1>
<p>${summary} ${description}</p>
<p>Base address: <code>/v1</code> on this host. Machine-readable: <a href="/v1/openapi.json">openapi.json</a> (OpenAPI 3.1), <a href="/v1/openapi-3.0.json">openapi-3.0.json</a> (for generators without 3.1), <a href="/v1/docs.md">this page as Markdown</a>, <a href="/llms.txt">llms.txt</a>.
The samples work unchanged on a local platform: <a href="#guide-examples">set it up</a>. There <code>$API</code> is the base address and <code>$TOKEN</code> a session token.</p>
<p>These common errors are not listed with each operation: ${errorLinks(common)}.
An answer with status 304 has no body: nothing has changed since the ETag in If-None-Match.</p>
${guides.map(guideSection)}
${groups.map(
  ({ name, description, operations }) =>
    html`<div class="group"><h2>${name}</h2><p>${description}</p>${operations.map((each) => operationSection(each, document, common))}</div>`,
)}
<div class="group"><h2>Webhooks</h2>
${webhookWords(events[1]?.[1].post)}
${events.map(([type, { post }]) => eventSection(type, post))}
</div>
<h2 id="errors">Error codes</h2>
<table><thead><tr><th>Code<th>Status<th>Meaning<tbody>${Object.entries(errors).map(
    ([code, { status, meaning }]) =>
      html`<tr id="error-${code}"><td>${code}<td>${status}<td>${prose(meaning || '')}`,
  )}</table>`
  return pageOf(`${title} API ${version}`, nav, main)
}

const guideSection = ({ id, anchor, title, lead, steps }: Guide): Html =>
  html`<section id="${id}">${anchor ? html`<a id="${anchor}"></a>` : ''}<h2>${title}</h2><p>${prose(lead)}</p><ol>${steps.map(
    ({ words, file, code }) =>
      html`<li>${prose(words)}${file ? html` Save it as <code>${file}</code>.` : ''}${source(code)}`,
  )}</ol></section>`

/**
 * Returns the error codes of more than a quarter of the operations. The page lists them once, before these.
 */
function commonErrors(operations: Placed[], document: Description): string[] {
  const uses = Map.groupBy(
    operations.flatMap(({ operation }) => codesOf(operation, document)),
    (code) => code,
  )
  return [...uses].flatMap(([code, those]) => (those.length * 4 > operations.length ? [code] : []))
}

/** Renders the common parts of all events: their headers, and the meaning of answers. */
function webhookWords(event: Operation | undefined): Html {
  if (!event) throw new Error('there are no events')
  return html`<p>The service sends each with POST and these headers.</p>
${parameterList(event.parameters ?? [])}
${Object.entries(event.responses).map(([status, answer]) => ('$ref' in answer ? '' : html`<p><code>${status}</code>: ${prose(answer.description)}</p>`))}`
}

const eventSection = (type: string, { operationId, description, requestBody }: Operation): Html =>
  html`<section id="${operationId}"><h3>${type}</h3><p>${prose(description)} ${Object.values(
    requestBody?.content ?? {},
  ).map(({ schema }) => html`Body: ${typeOf(schema)}.`)}</p></section>`
