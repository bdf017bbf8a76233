import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as v from 'valibot'
import { expect } from 'vitest'
import { describedSchemas } from '../../schema/docs.ts'
import { Problem } from '../../schema/wire/problem.ts'
import { noteOnFailure } from './failure-notes.ts'
import type { LogLine } from './logs.ts'

const ROOT = join(import.meta.dirname, '../..')

type Media = { schema: { $ref?: string } }
type Operation = { responses: Record<string, { content?: Record<string, Media> }> }

const document: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
  readFileSync(join(ROOT, 'openapi.json'), 'utf8'),
)

// Each describes its schemas. By name, since to read wrangler.toml would load all of wrangler.
const groups = new Map<string, string>()
for (const file of globSync('functions/*/routes.ts', { cwd: ROOT })) {
  const module: { routes: { path: string }[] } = await import(/* @vite-ignore */ `../../${file}`)
  for (const { path } of module.routes) groups.set(path, basename(dirname(file)))
}
const schemas = new Map([...describedSchemas()].map(([schema, { name }]) => [name, schema]))

const templates = Object.keys(document.paths)
  // A literal path goes before a parameter: /agents/hire is not an agent.
  .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
  .map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace('{id}', '[0-9a-fA-F-]{36}').replace(/\{\w+\}/g, '[^/]+')}$`),
  }))

/**
 * Asserts that an answer matches openapi.json: the operation documents the status, and the body has exactly
 * the fields of its schema. The wire schemas are strict, so an undocumented field fails, too.
 * @param logged the Worker's log line of the request, which a failed test shows for a 500
 */
export function expectDocumented(
  method: string,
  path: string,
  answer: { status: number; headers: Headers; body: unknown; text: string },
  logged?: () => Promise<LogLine>,
) {
  const pathname = path.split('?')[0] || '/'
  const template = templates.find(({ pattern }) => pattern.test(pathname))
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
  const operation = template && document.paths[template.path]?.[verb]
  const where = `${method} ${path} -> ${answer.status}`
  const { code } = Object(answer.body)
  if (answer.status === 500 && logged)
    noteOnFailure(async () => `${where}: the Worker logged ${JSON.stringify(await logged())}`)
  if (operation && (code === 'unknown_path' || code === 'not_offered'))
    noteOnFailure(
      () =>
        `${where}: this service was started without the group ${groups.get(template.path)} (startService({ groups }))`,
    )
  expect(answer.headers.get('x-request-id'), where).toBeTruthy()
  if (method === 'OPTIONS') return
  if (!operation) {
    expect([404, 405], where).toContain(answer.status)
  } else {
    expect(Object.keys(operation.responses), where).toContain(String(answer.status))
  }
  if (method === 'HEAD' || answer.status === 304) return expect(answer.text, where).toBe('')
  const media = operation?.responses[String(answer.status)]?.content?.['application/json']
  const named = schemas.get(media?.schema.$ref?.split('/').at(-1) ?? '')
  // Errors that several operations share stand elsewhere in the document; all are problems.
  const schema = named ?? (answer.status >= 400 ? Problem : undefined)
  if (schema) expect(v.safeParse(schema, answer.body).issues ?? [], where).toEqual([])
}
