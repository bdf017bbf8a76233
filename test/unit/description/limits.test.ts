import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { IDLE_AFTER_MS } from '../../../lib/agents/parts/rules.ts'
import { ACCESS_SECONDS, ASSERTION_SECONDS, REQUEST_SECONDS } from '../../../lib/auth/oauth/rules.ts'
import { SESSION_SECONDS } from '../../../lib/auth/session/token.ts'
import { FEW, STEPS } from '../../../lib/discovery/search/queries.ts'
import { MAX_WORDS } from '../../../lib/discovery/search/score.ts'
import { DELIVERY_RETENTION_MS } from '../../../lib/events/deletion.ts'
import * as webhooks from '../../../lib/events/limits.ts'
import { GIVEN_UP_AFTER_MS, UPTIME_DAYS } from '../../../lib/liveness/probe-state.ts'
import { MAX_CHARGES } from '../../../lib/payments/collections/collection-plan.ts'
import { LAPSE_DAYS } from '../../../lib/payments/rules.ts'
import { TIMESTAMP_TOLERANCE_MS } from '../../../lib/registry/rules.ts'
import { REVISABLE_DAYS } from '../../../lib/reputation/ratings/rate.ts'
import { MAX_OPEN_EXPEDITED } from '../../../lib/reputation/rules.ts'
import { DAY_MS } from '../../../lib/time.ts'
import { readWorkers } from '../../../lib/tools/wrangler.ts'
import { SIGNING_PERIOD_MS } from '../../../lib/transactions/relay/limits.ts'
import * as x402 from '../../../lib/x402/rules.ts'
import { errors } from '../../../schema/errors.ts'
import { figure, span } from '../../../schema/figures.ts'
import { registrationFields } from '../../../schema/wire/registry.ts'
import { document, fields, operations, schemas } from '../../support/description.ts'

/** The settings of wrangler.toml, which no text can import. */
const settings: Record<string, string> = Object.assign({}, ...readWorkers().map(({ vars }) => vars))
const setting = (name: string): string => figure(Number(settings[name]))

const operation = (id: string) => Object(operations.find(({ operationId }) => operationId === id)).description
const webhook = (type: string) => Object(document.webhooks[type]?.post).description
const parameter = (id: string, wanted: string) =>
  Object(
    operations.find(({ operationId }) => operationId === id)?.parameters?.find(({ name }) => name === wanted),
  ).description
const field = (schema: string, name: string) => Object(Object(schemas[schema]?.properties)[name]).description

describe('texts have the figures of the code', () => {
  it.each([
    ['hires an hour', operation('hireAgent'), `${setting('HIRES_PER_ADDRESS')} new hires an hour`],
    ['new agents', operation('registerAgent'), `register ${setting('AGENTS_PER_ADDRESS')} agents an hour`],
    [
      'changes of agents',
      operation('changeAgent'),
      `${setting('STATUS_CHANGES_PER_ADDRESS')} changes an hour`,
    ],
    ['charges', operation('chargeHire'), `${setting('CHARGES_PER_ADDRESS')} an hour`],
    ['attestations', operation('attestSkill'), `${setting('ATTESTATIONS_PER_ADDRESS')} an hour`],
    ['expedited requests', operation('requestVerification'), `${setting('EXPEDITED_PER_ADDRESS')} a day`],
    ['webhook endpoints', operation('createEndpoint'), `${setting('WEBHOOKS_PER_ADDRESS')} an hour`],
    [
      'registrations',
      operation('registerSignedAgent'),
      `${setting('REGISTRY_KEYS_PER_ADDRESS')} new keys and make ${figure(10 * Number(settings.REGISTRY_KEYS_PER_ADDRESS))} changes`,
    ],
    ['scanned agents', operation('listAgents'), `at most ${figure(STEPS)} agents`],
    ['read agents', operation('listRegisteredAgents'), `more than a thousand agents`],
    ['collected charges', operation('collect'), 'a hundred charges'],
    ['looked up words', field('ArdQuery', 'text'), `first ${figure(MAX_WORDS)} significant words`],
    ['days of revision', errors.rating_final.meaning, `${REVISABLE_DAYS} days old`],
    ['consent', errors.request_expired.meaning, span(REQUEST_SECONDS * 1000, 'minute')],
    ['sessions', field('AuthSession', 'expiresAt'), span(SESSION_SECONDS * 1000, 'hour')],
    ['signing', field('StackRequest', 'signing'), span(SIGNING_PERIOD_MS, 'minute')],
    ['registrations', registrationFields.timestamp, span(TIMESTAMP_TOLERANCE_MS, 'minute')],
    ['registrations', field('RegistrationMessage', 'message'), span(TIMESTAMP_TOLERANCE_MS, 'minute')],
    ['held events', field('EndpointPatch', 'enabled'), span(DELIVERY_RETENTION_MS, 'day')],
    ['uptime', field('EndpointState', 'uptime30d'), `last ${UPTIME_DAYS} days`],
    ['dead endpoints', field('EndpointState', 'status'), `after ${GIVEN_UP_AFTER_MS / DAY_MS} days down`],
    ['idle agents', parameter('listAgents', 'layer'), span(IDLE_AFTER_MS, 'day')],
    ['failing time', errors.webhook_disabled.meaning, span(webhooks.FAILING_LIMIT_MS, 'day')],
    ['failing time', field('OwnAgent', 'webhookDisabledAt'), span(webhooks.FAILING_LIMIT_MS, 'day')],
    ['failing time', field('Endpoint', 'disabledReason'), span(webhooks.FAILING_LIMIT_MS, 'day')],
    ['backlog', field('Endpoint', 'disabledReason'), `more than ${figure(webhooks.MAX_WAITING)} waiting`],
    ['failing time', webhook('endpoint.disabled'), span(webhooks.FAILING_LIMIT_MS, 'day')],
    ['backlog', webhook('endpoint.disabled'), `more than ${figure(webhooks.MAX_WAITING)} waiting`],
    ['unpaid backlog', webhook('endpoint.disabled'), `beyond ${figure(webhooks.MAX_FREE_WAITING)} the`],
    [
      'events of an unconfirmed URL',
      field('Endpoint', 'proof'),
      `${figure(webhooks.BUCKETS.url.tokens)} events, and then ${figure(3_600_000 / webhooks.BUCKETS.url.everyMs)} an hour`,
    ],
    ['failed payments', webhook('payment.failed'), `at most ${figure(x402.MAX_FAILURE_EVENTS)} a day`],
    ['refusals', webhook('request.refused'), `Once in ${span(x402.REFUSAL_EVENT_MS, 'hour')}`],
    ['ended routes', field('ListedRoutes', 'routes'), span(x402.UNLISTED_RESOURCE_MS, 'day')],
    ['consent', field('AuthorizationRequest', 'expiresAt'), span(REQUEST_SECONDS * 1000, 'minute')],
    ['access tokens', field('TokenAnswer', 'expires_in'), span(ACCESS_SECONDS * 1000, 'hour')],
    ['assertions', field('TokenRequest', 'client_assertion'), span(ASSERTION_SECONDS * 1000, 'minute')],
    ['lapse of charges', field('Charge', 'status'), `within ${LAPSE_DAYS} days`],
    ['signing', field('PaymentTransactionResponse', 'expiresAt'), span(SIGNING_PERIOD_MS, 'minute')],
    ['open requests', field('VerificationRequest', 'priority'), `${figure(MAX_OPEN_EXPEDITED)} open`],
    [
      'open requests',
      field('RequestedVerification', 'priority'),
      `${figure(MAX_OPEN_EXPEDITED)} expedited requests open`,
    ],
  ])('%s: "%s"', (_, text, figures) => {
    expect(text).toContain(figures)
  })

  it('names round numbers in words', () => {
    expect([FEW, MAX_CHARGES]).toEqual([1_000, 100])
  })

  const sized = fields.flatMap(({ where, check, said }) => {
    const [, most] = /([\d,]+) characters(?! are kept)/.exec(String(said.description)) ?? []
    return most === undefined ? [] : [{ where, check, most: Number(most.replace(',', '')) }]
  })
  it.each(sized)('$where takes at most $most characters', ({ check, most }) => {
    expect(v.is(check, 'a'.repeat(most))).toBe(true)
    expect(v.is(check, 'a'.repeat(most + 1))).toBe(false)
  })

  it('state the length of many fields', () => {
    expect(sized.length).toBeGreaterThan(8)
  })
})
