import { html, raw } from 'hono/html'
import { nameOf, type Parameter, type Schema } from './description.ts'
import type { Sample } from './samples.ts'
import { STYLE } from './style.ts'

export type Html = ReturnType<typeof html>

/** Where the page of the schemas is. */
export const SCHEMAS = '/v1/docs/schemas'

/** A page of the reference. Without script all of it can be read. */
export const pageOf = (title: string, nav: unknown, main: unknown): string =>
  String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<nav aria-label="Contents">${nav}</nav>
<main>${main}</main>
<script src="/v1/docs/filter.js"></script>
<script src="/v1/docs/tabs.js"></script>
</body>
</html>
`)

/** Text with `code` in back-quotes, and links as Markdown has them. */
export const prose = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${linked(part)}`))

const linked = (text: string): (Html | string)[] =>
  text.split(/(\[[^\]]+\]\([^)]+\))/).map((part) => {
    const [, words, target] = part.match(/^\[([^\]]+)\]\(([^)]+)\)$/) ?? []
    return target === undefined ? part : html`<a href="${target}">${words}</a>`
  })

/** Source text, whose long lines wrap, with attributes. Quotes need no escape in it. */
export const source = (text: string, attributes = ''): Html =>
  html`<pre${raw(attributes)}>${raw(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))}</pre>`

/** JSON that scrolls where it is long. */
export const answerSource = (text: string): Html => source(text, ' class="answer" tabindex="0"')

/** A type, as a link to its schema where it has a name. */
export function typeOf(schema: Schema): Html | string {
  if (schema.$ref) {
    const name = nameOf(schema.$ref)
    return html`<a href="${SCHEMAS}#${name}">${name}</a>`
  }
  if (schema.enum) return schema.enum.join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf)
    return html`${schema.anyOf.map((option, i) => html`${i > 0 ? ' or ' : ''}${typeOf(option)}`)}`
  if (schema.items) return html`list of ${typeOf(schema.items)}`
  return `${schema.type ?? 'any'}${schema.format ? ` (${schema.format})` : ''}`
}

/** A field's or parameter's bounds and default, after a comma. */
function boundsOf({ minimum, maximum, minLength, maxLength, ...schema }: Schema): string {
  const range = (low: number | undefined, high: number | undefined, unit: string) =>
    low === undefined && high === undefined
      ? ''
      : `, ${low ?? 0}${high === undefined ? ' or more' : ` to ${high}`}${unit}`
  const fallback = schema.default === undefined ? '' : `, default ${JSON.stringify(schema.default)}`
  return range(minimum, maximum, '') + range(minLength, maxLength, ' characters') + fallback
}

/** A field or parameter: its type and bounds, then what it means. */
export const field = (name: string, schema: Schema, words: string, mark: string): Html =>
  html`<dt><code>${name}</code> ${typeOf(schema)}${boundsOf(schema)}${mark}<dd>${prose(words)}`

/** Parameters, each with its type and meaning. */
export const parameterList = (parameters: readonly Parameter[]): Html =>
  html`<dl>${parameters.map((one) => field(one.name, one.schema, one.description, one.required ? ', required' : ''))}</dl>`

export const errorLinks = (codes: string[]): Html[] =>
  codes.map((code, i) => html`${i > 0 ? ', ' : ''}<a href="#error-${code}">${code}</a>`)

/** The same request in several languages, one below the other; filter.js makes tabs of them. */
export const samples = (given: readonly Sample[]): Html =>
  html`<div class="samples">${given.map(({ language, code }) => source(code, ` data-language="${language}"`))}</div>`
