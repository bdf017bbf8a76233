import { html, raw } from 'hono/html'
import { nameOf, type Schema } from './description.ts'

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
</body>
</html>
`)

/** Text with `code` in back-quotes. */
export const prose = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

/** Source text, whose long lines wrap. Quotes need no escape in it. */
export const source = (text: string): Html =>
  html`<pre>${raw(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))}</pre>`

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

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --accent: light-dark(#0b5cad, #7ab8ff) }
* { box-sizing: border-box }
[hidden], .group:not(:has(> section:not([hidden]))) { display: none !important }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr) }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line); font-size: .85rem }
nav h2 { font-size: .85rem; margin: 1rem 0 .25rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav a { display: block; padding: .15rem 0; overflow-wrap: anywhere }
input { font: inherit; width: 100%; padding: .3rem .5rem; border: 1px solid var(--line); border-radius: 4px }
main { padding: 1rem 2rem 4rem; max-width: 60rem }
a { color: var(--accent); text-decoration: none }
a:hover, p a, td a { text-decoration: underline }
section { border-top: 1px solid var(--line); padding: .5rem 0 1rem }
section:target, tr:target { background: light-dark(#fff6d6, #3a3420) }
h3 { margin: .75rem 0 .25rem; overflow-wrap: anywhere }
p { margin: .4rem 0 }
ol { padding-left: 1.5rem }
dl { margin: .5rem 0; font-size: .9rem }
dd { margin: 0 0 .3rem 1rem }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .9rem }
th, td { text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); padding: .3rem .6rem .3rem 0 }
td:last-child { overflow-wrap: anywhere }
pre, code, td:first-child { font: .85em/1.45 ui-monospace, monospace }
pre, code { background: #8882; border-radius: 4px }
code { padding: .1em .3em }
pre { padding: .75rem; margin: .25rem 0; white-space: pre-wrap; overflow-wrap: anywhere }
b.GET { color: light-dark(#1a7f37, #57d27a) } b.POST { color: light-dark(#0b5cad, #7ab8ff) }
b.PATCH { color: light-dark(#8a5a00, #e0b050) } b.DELETE { color: light-dark(#b42318, #ff8a7a) }
@media (max-width: 50rem) { body { display: block } nav { position: static; height: auto; border: 0 } main { padding: 1rem } }
`
