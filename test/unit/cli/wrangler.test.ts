import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { wrangler } from '../../../lib/cli/deploy/wrangler.ts'
import { temporaryFolder } from '../../support/key-files.ts'

/** Like wrangler's script: starts another process, which has its pipes; here neither ends by SIGTERM. */
const STUBBORN = `
process.on('SIGTERM', () => {})
const ignore = "process.on('SIGTERM', () => {}); setTimeout(() => {}, 60_000)"
const { pid } = require('node:child_process').spawn(process.execPath, ['-e', ignore], { stdio: 'inherit' })
console.log('pid ' + pid)
`

it('rejects when wrangler ignores SIGTERM', async () => {
  const script = join(temporaryFolder(), 'stubborn.cjs')
  writeFileSync(script, STUBBORN)
  const ended = wrangler(['deploy'], { env: {}, timeoutMs: 2_000, graceMs: 1, script })
  const error = await ended.catch((cause) => cause)
  const [, pid] = /pid (\d+)/.exec(error.output) ?? []
  onTestFinished(() => void (pid && process.kill(Number(pid), 'SIGKILL')))
  expect(error.message).toContain('has not ended within 2 seconds')
})
