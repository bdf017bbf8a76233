import fc from 'fast-check'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { agentStatuses, feeModels } from '../../../schema/values.ts'
import { AgentPatch, AgentRegister } from '../../../schema/wire/agents.ts'
import { CalendarDate } from '../../../schema/wire/common.ts'
import { declarationExample, RegistrationMessageRequest } from '../../../schema/wire/registry.ts'
import { schemas } from '../../support/description.ts'
import { fits } from '../../support/json-schema.ts'

const agrees = (name: string, check: v.GenericSchema, body: unknown) =>
  v.is(check, body) === fits(schemas[name] ?? false, body, schemas)

it('a fee fits its schema exactly when it is accepted, for any model or none', () => {
  const fees = fc.oneof(fc.integer({ min: -1, max: 20_000 }), fc.constantFrom(10_000, 10_001, 2 ** 53, 0.5))
  const bodies = fc.record(
    { feeModel: fc.constantFrom(...feeModels, 'monthly'), feeAmount: fees },
    { requiredKeys: [] },
  )
  const agent = { name: 'Scout', agentType: 'oracle', supportedLayers: [1] }
  fc.assert(fc.property(bodies, (fee) => agrees('AgentRegister', AgentRegister, { ...agent, ...fee })))
})

it('a change of an agent fits its schema exactly when it is accepted', () => {
  const url = fc.constantFrom('https://scout.example.com/', null, 'scout', 1)
  const patches = fc.record(
    {
      status: fc.constantFrom(...agentStatuses, 'closed', null),
      reason: fc.constantFrom('Phishing', '', null),
      feeModel: fc.constantFrom(...feeModels, null),
      feeAmount: fc.constantFrom(0, 10_000, 10_001, -1, null),
      apiEndpoint: url,
      webhookUrl: url,
      logoUrl: url,
      // No owner may change it.
      pubkey: fc.constant('x'),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(patches, (patch) => agrees('AgentPatch', AgentPatch, patch)),
    { numRuns: 2_000 },
  )
})

it('a body accepts no unknown field, also in nested objects', () => {
  const bodies = [
    { ...declarationExample, uptime: 1 },
    { ...declarationExample, serviceManifest: { ...declarationExample.serviceManifest, uptime: 1 } },
    declarationExample,
  ]
  for (const body of bodies)
    expect(agrees('RegistrationMessageRequest', RegistrationMessageRequest, body)).toBe(true)
  expect(bodies.map((body) => v.is(RegistrationMessageRequest, body))).toEqual([false, false, true])
})

it('a pattern takes every day that exists, and of others the 29th of February alone', () => {
  const said = Object(schemas.AttestationRequest?.properties).issuedDate
  const parts = fc.tuple(fc.integer({ min: 0, max: 10_001 }), fc.nat(14), fc.nat(33))
  const pad = (number: number, length: number) => String(number).padStart(length, '0')
  fc.assert(
    fc.property(parts, ([year, month, day]) => {
      const date = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
      return v.is(CalendarDate, date) === fits(said, date) || date.endsWith('-02-29')
    }),
    { numRuns: 5_000 },
  )
})
