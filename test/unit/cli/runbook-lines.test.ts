import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../support/key-files.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

it.each([
  [{ DATABASE_URL: 'postgres://o:p%40@h.test/d?sslmode=require', SOLANA_RPC_URL: 'https://n.test/?k=1' }],
  [{ DATABASE_URL: 'postgres://o:p@h.test/d' }],
])('the runbooks’ first lines export the deployment’s settings, and nothing else: %j', (secrets) => {
  const [, lines = ''] = /^```sh\n([\s\S]*?)^```/m.exec(read('functions/runbooks.md')) ?? []
  expect(lines).toContain('export DATABASE_URL=')
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.deployment'))
  writeFileSync(join(folder, '.deployment/secrets.json'), JSON.stringify(secrets))
  const printed = execFileSync(
    'sh',
    ['-e', '-c', `${lines}printf '%s\\n' "$DATABASE_URL" "$SOLANA_RPC_URL"`],
    {
      cwd: folder,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    },
  )
  expect(printed).toBe(
    `${secrets.DATABASE_URL}\n${'SOLANA_RPC_URL' in secrets ? secrets.SOLANA_RPC_URL : ''}\n`,
  )
})

it('git leaves every folder of a deployment alone', () => {
  for (const path of ['.deployment/secrets.json', '.deployment-staging/secrets.json', '.deployment2/x'])
    expect(execFileSync('git', ['check-ignore', '--no-index', path], { cwd: ROOT, encoding: 'utf8' })).toBe(
      `${path}\n`,
    )
})
