import { describe, expect, it } from 'vitest'
import { readWorkers, type WorkerConfig } from '../../../lib/tools/wrangler.ts'
import { bindingsOf } from '../../bench/harness/bindings.ts'

const SERVICES = { outbound: 'outside', kv: 'kv', queue: 'queue' }

const workers = readWorkers()
const jobs = workers.find(({ group }) => group === 'jobs') as WorkerConfig
const changed = (options: object): WorkerConfig => ({
  ...jobs,
  options: { ...jobs.options, ...options } as never,
})

describe('bindings of the Workers in the benchmark', () => {
  it.each(workers.map((worker) => [worker.group, worker] as const))(
    'knows each kind of binding of the %s Worker',
    (_group, worker) => {
      expect(() => bindingsOf(worker, SERVICES)).not.toThrow()
    },
  )

  it('binds an empty service in place of a Worker that does not run', () => {
    const { CLOCK, LIVE, SETTLEMENT, DELIVERIES } = bindingsOf(jobs, SERVICES)
    expect(CLOCK).toEqual({ object: 'Clock' })
    expect(LIVE).toEqual({ service: 'nobody', entrypoint: 'Nobody' })
    expect(SETTLEMENT).toEqual({ service: 'nobody' })
    expect(DELIVERIES).toEqual({ queue: 'queue' })
  })

  it('names a kind of binding when it is unknown', () => {
    const worker = changed({ d1Databases: { ARCHIVE: 'archive' } })
    expect(() => bindingsOf(worker, SERVICES)).toThrow('does not know d1Databases (of jobs)')
  })
})
