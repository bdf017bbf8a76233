import type { InferInput } from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentPatch, AgentRegister } from '../../schema/wire/agents.ts'
import { register } from '../support/agents.ts'
import { type Body, type Call, type Service, startService } from '../support/service.ts'

/* A function that leaves out a column of an agent stores null without an error. */

type Patch = InferInput<typeof AgentPatch>
type Register = InferInput<typeof AgentRegister>
type OptionalOf<T> = { [Key in keyof T]-?: undefined extends T[Key] ? Key : never }[keyof T]

/** A value of each optional field of a registration. None is the default. */
const REGISTERED: { [Field in OptionalOf<Register>]: Register[Field] } = {
  description: 'Finds yield.',
  feeModel: 'flat',
  feeAmount: 700,
  apiEndpoint: 'https://a.example.com/a2a',
  apiProtocol: 'a2a-http',
  webhookUrl: 'https://a.example.com/hooks',
  logoUrl: 'ipfs://a/logo.png',
}

/** A value of each field of a change. test/workers/agents.test.ts has the reason of a suspension. */
const PATCHED: { [Field in Exclude<keyof Patch, 'reason'>]: Patch[Field] } = {
  status: 'inactive',
  description: 'Finds more yield.',
  feeModel: 'hybrid',
  feeAmount: 800,
  apiEndpoint: 'https://b.example.com/mcp',
  apiProtocol: 'mcp',
  webhookUrl: 'https://b.example.com/hooks',
  logoUrl: 'ar://b/logo.png',
}

const optionalOf = (entries: Record<string, { type: string }>) =>
  Object.keys(entries).filter((field) => entries[field]?.type === 'optional')
const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

let service: Service
let call: Call
beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents'] })
  ;({ call } = await service.signIn())
})
afterAll(() => service.stop())

/** Reads an agent by GET, and its webhook's URL from the answer to an owner's change of its status. */
async function read(id: string, status: string): Promise<Body> {
  const { webhookUrl } = (await call('PATCH', `/agents/${id}`, { body: { status } })).body
  return { ...(await call('GET', `/agents/${id}`)).body, webhookUrl }
}

describe.each([
  {
    request: 'AgentRegister',
    fields: optionalOf(AgentRegister.entries),
    samples: REGISTERED as Body,
    stores: 'register_agent.sql',
    store: async () => read((await register(call, REGISTERED)).id, 'active'),
  },
  {
    request: 'AgentPatch',
    fields: Object.keys(AgentPatch.entries).filter((field) => field !== 'reason'),
    samples: PATCHED as Body,
    stores: 'change_agent.sql',
    async store() {
      const { id } = await register(call)
      expect((await call('PATCH', `/agents/${id}`, { body: PATCHED })).status).toBe(200)
      return read(id, 'inactive')
    },
  },
])('$stores', ({ request, fields, samples, stores, store }) => {
  let stored: Body
  beforeAll(async () => {
    stored = await store()
  })

  it.each(fields)(`stores %s of ${request}`, (field) => {
    expect(samples, `test/workers/agent-fields.test.ts has no value of ${field}`).toHaveProperty(field)
    expect(stored[field], `${stores} does not store ${columnOf(field)}`).toBe(samples[field])
  })
})
