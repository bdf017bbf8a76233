import { readCommandLine, runMain } from './arguments.ts'
import { folderOf } from './deploy/stage.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { backlogsOf, openCloudflare } from './setup/cloudflare.ts'

const TIMEOUT_MS = 30_000

/**
 * `npm run queues`: prints the queues' backlogs, which wrangler does not show. The numbers are approximate.
 */
await runMain('queues', async () => {
  const { values } = readCommandLine('queues')
  const env = takeEnvironment()
  const { accountId, name } = folderOf(env, values).deployment()
  const client = openCloudflare(env, { timeoutMs: TIMEOUT_MS })
  for (const { queue, messages, bytes, oldest } of await backlogsOf(client, accountId, name)) {
    const since = oldest === undefined ? '' : `, the oldest from ${oldest.toISOString()}`
    console.log(`${queue.padEnd(name.length + 21)} ${messages} messages, ${bytes} bytes${since}`)
  }
})
