import { once } from 'node:events'
// First, as for every script: it speeds up what is loaded after it.
import '../../../lib/cli/loading.ts'

/*
 * Loaded by `node --import` before the setup: loads its modules, and lets it begin when a byte comes on
 * stdin. A test that starts it many times has the next one loaded while one runs.
 */
await import('../../../lib/cli/setup/run.ts')
await import('../../../lib/cli/destroy/run.ts')
await once(process.stdin, 'data')
process.stdin.destroy()
