import { expect, it } from 'vitest'
import { type ClientDocument, clientTypes } from '../../../lib/tools/description/client-types.ts'

type Schemas = ClientDocument['components']['schemas']

const amount = { type: 'integer', format: 'int64' }
const typesOf = (schemas: Schemas) => {
  const head = { openapi: '3.1.0', info: { title: 'Test', version: '1' } }
  return clientTypes({ ...head, paths: {}, components: { schemas, examples: {} } } as ClientDocument)
}

it('refuses by name a field that is an amount in one schema and a number in another', async () => {
  const inList = { type: 'array', items: { type: 'object', properties: { fee: { type: 'number' } } } }
  const schemas = {
    A: { type: 'object', properties: { fee: amount } },
    B: { type: 'object', properties: { list: inList } },
  }
  await expect(typesOf(schemas)).rejects.toThrow('"fee" is not an amount wherever it stands')
})

it('refuses by name a list of amounts, whose entries have no names', async () => {
  const schemas = { A: { type: 'object', properties: { fees: { type: 'array', items: amount } } } }
  await expect(typesOf(schemas)).rejects.toThrow('"fees" is not an amount wherever it stands, or a list')
})

it('amounts become bigint and are listed, texts of the same name stay texts', async () => {
  const schemas = {
    A: { type: 'object', properties: { fee: amount } },
    B: { type: 'object', properties: { fee: { type: 'string' } } },
  }
  const files = await typesOf(schemas)
  expect(files['lib/client/generated/types.ts']).toMatch(/A = \{\s+fee\?: bigint;/)
  expect(files['lib/client/generated/types.ts']).toMatch(/B = \{\s+fee\?: string;/)
  expect(files['lib/client/generated/facts.ts']).toContain(
    `AMOUNT_FIELDS: ReadonlySet<string> = new Set([\n  'fee',\n])`,
  )
})
