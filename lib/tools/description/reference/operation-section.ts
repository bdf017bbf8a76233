import { html } from 'hono/html'
import {
  type Answer,
  type Description,
  type Media,
  nameOf,
  type Operation,
  type Placed,
  resolved,
  type Schema,
} from './description.ts'
import { writeJson } from './literal.ts'
import {
  answerSource,
  errorLinks,
  field,
  type Html,
  parameterList,
  prose,
  samples,
  source,
  typeOf,
} from './markup.ts'
import { BEFORE } from './overrides.ts'
import { samplesOf } from './samples.ts'

/** Renders an operation: its purpose, its fields, the request in each language, and an answer. */
export function operationSection(placed: Placed, document: Description, common: string[]): Html {
  const { path, method, operation } = placed
  const { operationId, summary, description, security, parameters, requestBody } = operation
  const [media] = Object.values(requestBody?.content ?? {})
  const own = codesOf(operation, document).filter((code) => !common.includes(code))
  const before = BEFORE[operationId]
  return html`<section id="${operationId}"><div>
<h3><b class="${method}">${method}</b> ${path}</h3>
<p><strong>${summary}.</strong> ${prose(description)}
<p>${security.length > 0 ? 'Needs a session token.' : 'Public.'}
${parameters ? html`<h4>Parameters</h4>${parameterList(parameters)}` : ''}
${media ? bodyFields(media, document) : ''}
${answersOf(operation, document).map(([status, answer]) => answerLine(status, answer))}
${own.length > 0 ? html`<p>Errors: ${errorLinks(own)}` : ''}
</div><div>
${before ? html`<p>First run, in the shell of <a href="#guide-examples">the examples</a>:${source(before)}` : ''}${samples(samplesOf(placed))}${exampleOf(operation, document)}
</div></section>`
}

const answersOf = ({ responses }: Operation, document: Description): [string, Answer][] =>
  Object.entries(responses).flatMap(([status, answer]): [string, Answer][] =>
    /^[12]|^30[^4]/.test(status)
      ? [[`${status}${'304' in responses ? ' or 304' : ''}`, resolved(answer, document)]]
      : [],
  )

/** Renders the fields of a request's body, which has one schema. */
function bodyFields({ schema }: Media, { components }: Description): Html {
  const found: Schema = schema.$ref ? (components.schemas[nameOf(schema.$ref)] ?? schema) : schema
  const heading = html`<h4>Body: ${typeOf(schema)}</h4>`
  if (!found.properties) return heading
  return html`${heading}<dl>${Object.entries(found.properties).map(([name, one]) =>
    field(name, one, one.description ?? '', found.required?.includes(name) ? ', required' : ''),
  )}</dl>`
}

const answerLine = (status: string, { description, content }: Answer): Html => {
  const [media] = Object.values(content ?? {})
  return html`<p>${status}: ${media?.schema.$ref ? html`${typeOf(media.schema)}. ` : ''}${prose(description)}`
}

/** Renders the first answer with an example, as JSON. */
function exampleOf({ responses }: Operation, document: Description): Html | string {
  for (const [status, answer] of Object.entries(responses)) {
    const [media] = Object.values(resolved(answer, document).content ?? {})
    if (media?.example !== undefined)
      return html`<p><strong>Answer ${status}</strong></p>${answerSource(writeJson(media.example))}`
  }
  return ''
}

/** Returns the error codes in an operation's answers, where each begins a line. */
export const codesOf = ({ responses }: Operation, document: Description): string[] =>
  Object.values(responses).flatMap((answer) =>
    [...resolved(answer, document).description.matchAll(/^`(\w+)`: /gm)].map(([, code]) => code ?? ''),
  )
