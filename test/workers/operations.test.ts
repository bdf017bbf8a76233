import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRequests } from '../support/openapi-requests.ts'
import { operations } from '../support/openapi-texts.ts'

/* Rules for every operation of openapi.json. A new operation needs no line here unless it breaks one. */

/** The round trips to Postgres and KV of reads that take more than one. */
const ROUND_TRIPS: Record<string, number> = {
  // On the page on which the marketplace's agents end, registered agents follow.
  listEntries: 2,
}

let requests: Awaited<ReturnType<typeof openRequests>>
beforeAll(async () => {
  requests = await openRequests()
})
afterAll(() => requests.service.stop())

it('answers 401 without a token exactly where the API description has `security`', async () => {
  const { service, pathOf } = requests
  const answers = await Promise.all(
    operations.map(async (operation) => {
      // A write without its body, which is read after the token.
      const { status, body } = await service.call(operation.method, pathOf(operation))
      return { ...operation, status, said: `${operation.id} ${status} ${body.code}` }
    }),
  )
  const saidOf = (list: typeof answers) => list.map(({ said }) => said)
  expect(saidOf(answers.filter(({ needsSession, status }) => needsSession !== (status === 401)))).toEqual([])
  // Every path leads to the Worker that has its operation.
  expect(saidOf(answers).filter((said) => /unknown_path|not_offered/.test(said))).toEqual([])
  const open = answers.filter(({ needsSession, method }) => !needsSession && method !== 'GET')
  expect(saidOf(open.filter(({ status }) => status !== 415))).toEqual([])
  expect(open.length).toBeGreaterThan(10)
})

it('answers a read in one round trip to Postgres or KV at most', async () => {
  const { service, send } = requests
  const counted: Record<string, number> = {}
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const { headers } = await send(operation)
    const line = () => service.logs.lines.find(({ requestId }) => requestId === headers.get('x-request-id'))
    await expect.poll(line).toBeDefined()
    const { sql = 0, kv = 0 }: { sql?: number; kv?: number } = Object(line()?.subrequests)
    counted[operation.id] = sql + kv
  }
  const more = Object.fromEntries(Object.entries(counted).filter(([, trips]) => trips > 1))
  expect(more).toEqual(ROUND_TRIPS)
  expect(Object.values(counted).filter((trips) => trips === 1).length).toBeGreaterThan(20)
})

it('lists every operation at the base address', async () => {
  const { body } = await requests.service.call('GET', '')
  const names = operations.map(({ method, path }) => `${method} ${path}`)
  expect((body.endpoints as string[]).toSorted()).toEqual(names.toSorted())
})
