import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { expect, it } from 'vitest'
import { serverJson } from '../../../lib/tools/description/server-json.ts'

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../vectors/server.schema.json'), 'utf8'))
const validate = new AjvJsonSchemaValidator().getValidator(schema)
const entry = serverJson({ origin: 'https://api.agentcred.example', publisher: 'agentcred.example' })

it('our entry in the MCP registry is as its schema has it', () => {
  expect(validate(entry).errorMessage).toBeUndefined()
  expect(entry.name).toBe('example.agentcred/agentcred')
  expect(entry.remotes.map(({ type, url }) => [type, url])).toEqual([
    ['streamable-http', 'https://api.agentcred.example/v1/mcp'],
  ])
})

it.each([
  { description: 'x'.repeat(101) },
  { name: 'agentcred' },
  { version: undefined },
  { remotes: [{ type: 'streamable-http' }] },
  { remotes: [{ type: 'http', url: 'https://a' }] },
])('the schema would see %j', (change) => {
  expect(validate(JSON.parse(JSON.stringify({ ...entry, ...change }))).valid).toBe(false)
})
