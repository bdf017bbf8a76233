import { CATALOG_KEY, catalogText } from '../../../lib/x402/catalog/catalog.ts'
import type { CatalogRoute } from '../../../lib/x402/catalog/catalog-queries.ts'
import type { Address, Wallet } from '../../../schema/wallet.ts'
import { drawInteger, drawUuid } from '../../support/random.ts'
import { type Bench, startNeighbours } from '../harness/bench.ts'
import { drawWallet } from '../harness/draws.ts'
import { type Action, median } from '../harness/load.ts'
import { alternate, CPU_ROUNDS } from '../harness/measure.ts'
import { amount } from '../harness/quick.ts'
import { MEASURED_COLUMNS, measuredRows, type Section } from '../harness/report.ts'
import { countsOf, startWorker } from '../harness/subjects.ts'

const ITEMS = 1_000
const LIST = `list, 20 of ${ITEMS}`
const SEARCH = `search for three words in ${ITEMS}`
const PARSE = 'parsing the value of KV, in Node'

/** The rows that this part promises. */
export const subjects = (): string[] => [LIST, SEARCH, PARSE]

const VOCABULARY = Array.from({ length: 2_000 }, (_, index) => `word${index}`)
const words = (count: number) =>
  Array.from({ length: count }, () => VOCABULARY[drawInteger(VOCABULARY.length)]).join(' ')

/** A route whose document has 1 KB, as a route of two parameters has. */
const route = (number: number): CatalogRoute => ({
  agentId: drawUuid(),
  agentName: words(2),
  owner: drawWallet().publicKey as Wallet,
  reputationScore: 100 - number / 20,
  endpoint: 'live',
  priceName: `GET /${words(1)}/:city`,
  asset: drawWallet().publicKey as Address,
  amount: 250_000n,
  url: `https://api${number}.example.com/${words(1)}/:city`,
  checkedAt: new Date(0),
  isRanked: true,
  total: ITEMS,
  document: JSON.stringify({
    description: words(30),
    mimeType: 'application/json',
    serviceName: words(2),
    tags: words(4).split(' '),
    info: {
      input: { type: 'http', method: 'GET', queryParams: { day: words(1) } },
      output: { example: words(20) },
    },
    schema: {
      type: 'object',
      properties: { input: { type: 'object', properties: { day: { type: 'string' } } } },
    },
  }),
})

/** GET /x402/discovery/resources and /search over a whole catalog. */
export async function catalog(bench: Bench): Promise<Section[]> {
  const database = await bench.createDatabase('catalog')
  const neighbours = await startNeighbours({ databaseUrl: database.url, hasChain: true })
  const { text } = catalogText(Array.from({ length: ITEMS }, (_, number) => route(number)))
  await fetch(`http://${neighbours.ready.kv}/${CATALOG_KEY}`, { method: 'PUT', body: text })
  const start = () => startWorker(bench, neighbours, 'x402')
  const list: Action = (client) => client.send({ path: '/v1/x402/discovery/resources' })
  const search: Action = (client, number) =>
    client.send({
      path: `/v1/x402/discovery/search?query=word${number % 2_000}+word${(7 * number) % 2_000}+word3`,
    })
  const first = await start()
  const counts = await countsOf(first, neighbours, list, 0)
  const again = await countsOf(first, neighbours, search, 0)
  const measured = await alternate(
    [
      { name: LIST, ...first, process: first.process, action: list },
      { name: SEARCH, ...(await start()), action: search },
    ],
    CPU_ROUNDS,
  )
  const times = Array.from({ length: amount(50, 5) }, () => {
    const from = performance.now()
    JSON.parse(text)
    return performance.now() - from
  })
  return [
    {
      title: `A catalog of ${ITEMS} priced routes, cached per isolate for ten seconds`,
      columns: MEASURED_COLUMNS,
      rows: [
        ...measuredRows(measured, { [LIST]: counts.kvReads, [SEARCH]: again.kvReads }),
        [PARSE, median(times), '', '', '', Buffer.byteLength(text), ''],
      ],
      goals: [
        { what: 'reads of KV by the first request', measured: counts.kvReads, limit: 1, is: 'at most' },
        { what: 'statements', measured: counts.sql + again.sql, limit: 0, is: 'at most' },
        {
          what: 'CPU ms of a search',
          measured: measured.get(SEARCH)?.cpuMs ?? Number.NaN,
          limit: 5,
          is: 'at most',
        },
      ],
    },
  ]
}
