import { errors } from '../../../../schema/errors.ts'
import {
  type Description,
  type Media,
  nameOf,
  operationsOf,
  type Parameter,
  type Placed,
  resolved,
  type Schema,
} from './description.ts'
import { GUIDES, type Guide, guidesFor } from './guides/index.ts'
import { writeJson } from './literal.ts'
import { codesOf } from './operation-section.ts'
import { BEFORE } from './overrides.ts'
import { samplesOf } from './samples.ts'
import { examplesOf } from './schemas-page.ts'

const SCHEMAS = '/v1/docs/schemas.md'

/** Returns the reference as Markdown, for models and other readers without a browser. */
export function referenceMarkdown(document: Description): string {
  const { title, version, summary, description } = document.info
  const operations = operationsOf(document)
  const guides = guidesFor(operations.map(({ method, path }) => `${method} ${path}`))
  return join([
    `# ${title} API ${version}`,
    `${summary} ${description}`,
    `The base address is /v1 on this host. The fields of schemas: [schemas](${SCHEMAS}). Machine-readable: [OpenAPI 3.1](/v1/openapi.json), [3.0](/v1/openapi-3.0.json).`,
    '## Guides',
    ...guides.map(guideMarkdown),
    ...document.tags.flatMap(({ name, description: words }) => [
      `## ${name}`,
      words,
      ...operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map((placed) => operationMarkdown(placed, document)),
    ]),
    '## Webhooks',
    ...Object.entries(document.webhooks).map(
      ([type, { post }]) => `### ${type}\n\n${post.description} ${bodyOf(post.requestBody?.content)}`,
    ),
    '## Error codes',
    list(Object.entries(errors).map(([code, { status, meaning }]) => `\`${code}\` (${status}): ${meaning}`)),
  ])
}

/** Returns the schemas as Markdown, each with its fields and its first example. */
export function schemasMarkdown(document: Description): string {
  const examples = examplesOf(document)
  return join([
    `# ${document.info.title} API ${document.info.version}: schemas`,
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => [
      `## ${name}`,
      schema.description ?? '',
      schema.properties ? fieldsOf(schema) : typeOf(schema),
      ...(examples.has(name) ? [fenced('json', writeJson(examples.get(name)))] : []),
    ]),
  ])
}

/** Returns llms.txt (llmstxt.org): a table of contents for models. */
export function llmsText(document: Description): string {
  const { title, summary, description } = document.info
  const operations = operationsOf(document).map(({ method, path }) => `${method} ${path}`)
  return join([
    `# ${title}`,
    `> ${summary}`,
    description,
    '## Docs',
    list([
      '[API reference](/v1/docs.md): guides, every operation with samples and an answer, error codes',
      `[Schemas](${SCHEMAS}): the fields of requests and answers`,
      '[OpenAPI 3.1](/v1/openapi.json): the same, for programs',
    ]),
    '## Guides',
    list(
      guidesFor(operations).map(
        ({ title: words, lead }) => `[${words}](/v1/docs.md#${anchorOf(words)}): ${lead}`,
      ),
    ),
  ])
}

/** Returns a heading's anchor in rendered Markdown, as on GitHub. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')

const guideMarkdown = (guide: Guide): string => withAnchors(guideText(guide))

/** Replaces links to the page's anchors of guides by links to the headings' anchors. */
const withAnchors = (text: string): string =>
  GUIDES.reduce((all, { id, title }) => all.replaceAll(`](#${id})`, `](#${anchorOf(title)})`), text)

const guideText = ({ title, lead, steps }: Guide): string =>
  join([
    `### ${title}`,
    lead,
    ...steps.map(({ words, language, file, code }, i) =>
      join([`${i + 1}. ${words}${file ? ` Save it as \`${file}\`.` : ''}`, fenced(language, code)]),
    ),
  ])

function operationMarkdown(placed: Placed, document: Description): string {
  const { method, path, operation } = placed
  const { operationId, summary, description, security, parameters, requestBody, responses } = operation
  const [media] = Object.values(requestBody?.content ?? {})
  const schema = media?.schema.$ref ? document.components.schemas[nameOf(media.schema.$ref)] : undefined
  const answers = Object.entries(responses).map(
    ([status, answer]) => [status, resolved(answer, document)] as const,
  )
  const codes = codesOf(operation, document)
  return join([
    `### ${method} ${path}`,
    `**${summary}.** ${description} ${security.length > 0 ? 'Needs a session token.' : 'Public.'}`,
    parameters ? `Parameters:\n\n${list(parameters.map(parameterLine))}` : '',
    media ? `${bodyOf(requestBody?.content)}${schema?.properties ? `\n\n${fieldsOf(schema)}` : ''}` : '',
    BEFORE[operationId] ? fenced('sh', `# First run\n${BEFORE[operationId]}`) : '',
    ...samplesOf(placed).map(({ language, code }) => fenced(FENCES[language] ?? '', code)),
    ...answers.flatMap(([status, { description: words, content }]) => {
      const [body] = Object.values(content ?? {})
      if (!/^[12]/.test(status)) return []
      return [
        `Answer ${status}: ${body?.schema.$ref ? `${typeOf(body.schema)}. ` : ''}${words}`,
        ...(body?.example === undefined ? [] : [fenced('json', writeJson(body.example))]),
      ]
    }),
    codes.length > 0 ? `Errors: ${codes.map((code) => `\`${code}\``).join(', ')}` : '',
  ])
}

const FENCES: Record<string, string> = { curl: 'sh', TypeScript: 'ts', Python: 'py' }

const parameterLine = ({ name, schema, description, required }: Parameter): string =>
  `\`${name}\` (${typeOf(schema)}${required ? ', required' : ''}): ${description}`

const fieldsOf = ({ properties = {}, required = [] }: Schema): string =>
  list(
    Object.entries(properties).map(
      ([name, field]) =>
        `\`${name}\` (${typeOf(field)}${required.includes(name) ? ', required' : ''}): ${field.description ?? ''}`,
    ),
  )

const bodyOf = (content: Record<string, Media> = {}): string =>
  Object.values(content)
    .map(({ schema }) => `Body: ${typeOf(schema)}.`)
    .join(' ')

function typeOf({ $ref, type, format, enum: values, const: only, anyOf, items }: Schema): string {
  if ($ref) return `[${nameOf($ref)}](${SCHEMAS}#${nameOf($ref).toLowerCase()})`
  if (values) return values.join(' | ')
  if (only !== undefined) return JSON.stringify(only)
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (items) return `list of ${typeOf(items)}`
  return `${type ?? 'any'}${format ? ` (${format})` : ''}`
}

const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``
const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')
const join = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')
