import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { isNode, type Node, type Source, sourcesIn } from './modules.ts'

const OPENAPI = join(import.meta.dirname, '../../openapi.json')

/** The console's files with elements. Read once: none changes while the tests of a process run. */
const VIEWS = sourcesIn('lib/console').filter(({ path }) => path.endsWith('.tsx'))

/** The names of amounts in the parameters and bodies of the API: whole numbers of 64 bits. */
export function amountNames(): Set<string> {
  const { paths, components } = JSON.parse(readFileSync(OPENAPI, 'utf8'))
  const names = new Set<string>()
  const visit = (part: unknown, name: string, seen: readonly unknown[] = []): void => {
    if (typeof part !== 'object' || part === null || seen.includes(part)) return
    const { $ref, name: parameter, schema, format, properties, ...rest } = part as Record<string, unknown>
    const visitAll = (parts: object, nameOf: (key: string) => string) => {
      for (const [key, value] of Object.entries(parts)) visit(value, nameOf(key), [...seen, part])
    }
    if (format === 'int64') names.add(name)
    if (typeof $ref === 'string')
      visit(components[$ref.split('/')[2] ?? ''][$ref.split('/')[3] ?? ''], name, [...seen, part])
    if (schema) visit(schema, typeof parameter === 'string' ? parameter : name, [...seen, part])
    visitAll(properties ?? {}, (key) => key)
    visitAll(rest, () => name)
  }
  for (const operations of Object.values<Record<string, Record<string, unknown>>>(paths))
    for (const { parameters, requestBody } of Object.values(operations)) visit([parameters, requestBody], '')
  return names
}

/** Returns the components that keep the text of an amount: `lib/console/views/vault/stake.tsx StakeForm`. */
export function amountForms(sources: readonly Source[] = VIEWS): string[] {
  const components = sources.flatMap(componentsIn).map((component) => ({
    ...component,
    uses: new Set([...component.text.matchAll(/<([A-Z]\w*)/g)].map(([, name]) => name ?? '')),
    hasState: /= use(?!Connection\b)[A-Z]/.test(component.text),
  }))
  const fields = new Set(['AmountField'])
  const having = () =>
    components.filter(({ name, uses }) => !fields.has(name) && !uses.isDisjointFrom(fields))
  for (;;) {
    // A component without state is a part of the components that use it.
    const parts = having().filter(({ hasState }) => !hasState)
    if (parts.length === 0) return having().map(({ path, name }) => `${path} ${name}`)
    for (const { name } of parts) fields.add(name)
  }
}

/** Returns the inputs that look like one for an amount but are no AmountField: path and label. */
export function otherAmountInputs(sources: readonly Source[] = VIEWS): string[] {
  const names = [...amountNames()].join('|')
  const looksLikeAmount = new RegExp(
    [
      'type="number"|inputMode="(numeric|decimal)"',
      `name=[^\\n]*\\b(${names})\\b|field\\('(${names})'\\)`,
      'label=[^\\n]*(CRED|SOL\\b|[aA]mount|[pP]rice|[fF]ee\\b|[lL]imit|[bB]udget|[cC]ost\\b|[fF]unds)',
    ].join('|'),
  )
  return sources.flatMap(({ path, text }) =>
    nodesOf({ path, text })
      .filter(({ type }) => type === 'JSXOpeningElement')
      .map(({ start, end }) => text.slice(start, end))
      .filter((tag) => /^<(input|textarea|Field|TextField)\b/.test(tag) && looksLikeAmount.test(tag))
      .map((tag) => `${path} ${/(?:label|placeholder)=["{'`]+([^"'`}]+)/.exec(tag)?.[1] ?? '(no label)'}`),
  )
}

/** The functions and constants at the top of a file, with their text. */
const componentsIn = ({ path, text }: Source) =>
  topOf({ path, text }).flatMap((node) => {
    const declared = isNode(node.declaration) ? node.declaration : node
    const named = Array.isArray(declared.declarations) ? declared.declarations : [declared]
    return named
      .filter(({ id }) => isNode(id) && typeof id.name === 'string')
      .map(({ id }) => ({ path, name: String(id.name), text: text.slice(node.start, node.end) }))
  })

function topOf({ path, text }: Source): Node[] {
  const { body }: { body: unknown[] } = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' })
  return body.filter(isNode)
}

function nodesOf(source: Source): Node[] {
  const withParts = (node: Node): Node[] => [
    node,
    ...Object.values(node).flat().filter(isNode).flatMap(withParts),
  ]
  return topOf(source).flatMap(withParts)
}
