import { gatewayOf } from '../../../lib/cli/deploy/config.ts'
import { type Bench, type Neighbours, SERVICES, serversOf, startNeighbours } from '../harness/bench.ts'
import { NOBODY } from '../harness/bindings.ts'
import type { Action } from '../harness/load.ts'
import { alternate, CPU_ROUNDS } from '../harness/measure.ts'
import { MEASURED_COLUMNS, measuredRows, type Section } from '../harness/report.ts'
import { seedAgents } from '../harness/seed.ts'
import { type StartedWorker, startWorker } from '../harness/subjects.ts'
import { ourWorker, prepare, workerConfigs } from '../harness/workerd.ts'

const GATEWAY = 'through the gateway'
const ROUTE = 'by a route of its own'

/** The rows that this part promises. */
export const subjects = (): string[] => [GATEWAY, ROUTE]

const list: Action = (client) => client.send({ path: '/v1/agents?limit=1' })

/** Measures the extra cost of a request through root (lib/cli/deploy, topology "gateway"). */
export async function gateway(bench: Bench): Promise<Section[]> {
  const database = await bench.createDatabase('gateway')
  await seedAgents(database, 1_000)
  const neighbours = await startNeighbours({ databaseUrl: database.url })
  const measured = await alternate(
    [
      { name: GATEWAY, ...(await startGateway(bench, neighbours)), action: list },
      { name: ROUTE, ...(await startWorker(bench, neighbours, 'agents')), action: list },
    ],
    CPU_ROUNDS,
  )
  const cpuOf = (name: string) => measured.get(name)?.cpuMs ?? Number.NaN
  return [
    {
      title: 'GET /agents, 1 of 1,000, in the two topologies',
      columns: MEASURED_COLUMNS,
      rows: measuredRows(measured, { [GATEWAY]: 1, [ROUTE]: 1 }),
      goals: [
        {
          what: 'CPU ms that the gateway adds',
          measured: cpuOf(GATEWAY) - cpuOf(ROUTE),
          limit: 0.3,
          is: 'at most',
        },
      ],
    },
  ]
}

/** Root in front of the agents Worker, its table as long as a deployment's. */
async function startGateway(bench: Bench, neighbours: Neighbours): Promise<StartedWorker> {
  const groups = workerConfigs().map(({ group, name, routes }): Parameters<typeof gatewayOf>[0][number] => [
    group,
    { name, routes: routes.map((pattern) => ({ pattern })) },
  ])
  const { table, services } = gatewayOf(groups)
  const agents = await ourWorker('agents', bench.settings, SERVICES)
  const root = await ourWorker('root', { ...bench.settings, GATEWAY: table }, SERVICES)
  const bindings = services.map(({ binding }) => [
    binding,
    { service: binding === 'GATEWAY_AGENTS' ? 'agents' : NOBODY },
  ])
  const entry = { ...root, bindings: { ...root.bindings, ...Object.fromEntries(bindings) } }
  const prepared = await prepare({ workers: [entry, agents], servers: serversOf(neighbours) })
  const started = await prepared.start()
  return { origin: started.origin, process: started }
}
