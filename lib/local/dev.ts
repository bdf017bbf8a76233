import { parseArgs } from 'node:util'
import { startPlatform } from './platform.ts'
import { readSettings } from './settings.ts'

/** `npm run dev`: the whole service on this machine, until SIGINT or SIGTERM. */
async function main() {
  const { values } = parseArgs({ options: { fresh: { type: 'boolean', default: false } } })
  const settings = readSettings(process.env)
  // Before anything starts: a process of its own that the default handler left behind would keep its port.
  const signalled = new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  const platform = await startPlatform(settings, values.fresh)
  console.log(`AgentCred is ready: ${platform.baseUrl}`)
  console.log(`  console      ${new URL('/', platform.baseUrl)}`)
  console.log(`  reference    ${platform.baseUrl}/docs`)
  console.log(`  database     ${platform.database}`)
  if (platform.neonUrl) console.log(`  SQL (HTTP)   ${platform.neonUrl}`)
  console.log(`  Solana RPC   ${platform.solanaUrl}`)
  console.log(`  CRED mint    ${platform.mint}`)
  if (platform.inboxUrl) console.log(`  inbox        ${platform.inboxUrl}`)
  if (platform.inviteCodes.length > 0) console.log(`  invite codes ${platform.inviteCodes.join(' ')}`)
  console.log(`  state        ${settings.dataDir}`)
  console.log(`  rate limits  ${settings.rateLimits ? 'on' : 'off'}`)
  await signalled
  console.log('stopping')
  await platform.stop()
}

try {
  await main()
} catch (error) {
  console.error(`AgentCred can't start: ${error instanceof Error ? error.message : error}`)
  if (error instanceof Error && error.cause instanceof Error)
    console.error(`  because: ${error.cause.message}`)
  process.exitCode = 1
}
