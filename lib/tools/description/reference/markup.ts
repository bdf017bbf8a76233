import { html, raw } from 'hono/html'
import { nameOf, type Parameter, type Schema } from './description.ts'
import type { Sample } from './samples.ts'
import { STYLE } from './style.ts'

export type Html = ReturnType<typeof html>

/** The path of the page of the schemas. */
export const SCHEMAS = '/v1/docs/schemas'

/** Returns a page of the reference, which is readable without scripts. */
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

/** Renders text with `code` in back-quotes, and Markdown links. */
export const prose = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${linked(part)}`))

const linked = (text: string): (Html | string)[] =>
  text.split(/(\[[^\]]+\]\([^)]+\))/).map((part) => {
    const [, words, target] = part.match(/^\[([^\]]+)\]\(([^)]+)\)$/) ?? []
    return target === undefined ? part : html`<a href="${target}">${words}</a>`
  })

/** Renders source text with attributes; long lines wrap. Quotes in it need no escape. */
export const source = (text: string, attributes = ''): Html =>
  html`<pre${raw(attributes)}>${raw(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))}</pre>`

/** Renders JSON; long JSON scrolls. */
export const answerSource = (text: string): Html => source(text, ' class="answer" tabindex="0"')

/** Renders a type; a named one is a link to its schema. */
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

/** Returns a field's or parameter's bounds and default, after a comma. */
function boundsOf({ minimum, maximum, minLength, maxLength, ...schema }: Schema): string {
  const range = (low: number | undefined, high: number | undefined, unit: string) =>
    low === undefined && high === undefined
      ? ''
      : `, ${low ?? 0}${high === undefined ? ' or more' : ` to ${high}`}${unit}`
  const fallback = schema.default === undefined ? '' : `, default ${JSON.stringify(schema.default)}`
  return range(minimum, maximum, '') + range(minLength, maxLength, ' characters') + fallback
}

/** Renders a field or parameter: its type, bounds and meaning. */
export const field = (name: string, schema: Schema, words: string, mark: string): Html =>
  html`<dt><code>${name}</code> ${typeOf(schema)}${boundsOf(schema)}${mark}<dd>${prose(words)}`

/** Renders parameters, each with its type and meaning. */
export const parameterList = (parameters: readonly Parameter[]): Html =>
  html`<dl>${parameters.map((one) => field(one.name, one.schema, one.description, one.required ? ', required' : ''))}</dl>`

export const errorLinks = (codes: string[]): Html[] =>
  codes.map((code, i) => html`${i > 0 ? ', ' : ''}<a href="#error-${code}">${code}</a>`)

/** Renders the same request in several languages, one below the other; filter.js turns them into tabs. */
export const samples = (languages: readonly Sample[]): Html =>
  html`<div class="samples">${languages.map(({ language, code }) => source(code, ` data-language="${language}"`))}</div>`
