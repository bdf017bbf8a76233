import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { openPostgres, verifiedUrl } from '../../../lib/migrations/postgres.ts'
import { CLOSED_PORT } from '../../support/process.ts'

const NEON = 'sslmode=require&channel_binding=require'

it('connects by the URL that Neon gives without a warning', async () => {
  const warnings: string[] = []
  const note = ({ message }: Error) => void warnings.push(message)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const database = await openPostgres(`postgres://u:p@127.0.0.1:${CLOSED_PORT}/d?${NEON}`)
  await expect(database.execScript('select 1')).rejects.toThrow()
  await database.close()
  await new Promise(setImmediate)
  expect(warnings).toEqual([])
})

it.each([
  ['require', 'verify-full', {}],
  ['prefer', 'verify-full', {}],
  ['verify-ca', 'verify-full', {}],
  ['verify-full', 'verify-full', {}],
  ['disable', 'disable', false],
  ['no-verify', 'no-verify', { rejectUnauthorized: false }],
])('reads sslmode=%s as %s, which is what the driver does', (given, wanted, ssl) => {
  const url = verifiedUrl(`postgres://u:p%40x@h.test/d?sslmode=${given}&application_name=a`)
  expect(url).toBe(`postgres://u:p%40x@h.test/d?sslmode=${wanted}&application_name=a`)
  expect(new pg.Client({ connectionString: url }).ssl).toEqual(ssl)
})
