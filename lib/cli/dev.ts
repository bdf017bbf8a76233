import { readSettings, type Settings } from '../local/settings.ts'
import { readCommandLine } from './arguments.ts'
import { printJson, shortPrinter } from './dev-output.ts'
import { type Platform, startMarket } from './example/market.ts'

const startedAt = performance.now()
let isReady = false

/** Prints the next step of the start, and the seconds since its beginning. */
function say(doing: string) {
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s  ${doing}`)
}

/**
 * `npm run dev`: runs the whole service on this machine, until SIGINT or SIGTERM. In a terminal it prints a
 * short line for each request. Elsewhere, and with --json, it prints the Workers' log. The addresses are
 * printed last; elsewhere also at once, for programs that wait for them.
 */
async function main() {
  const { values } = readCommandLine('dev')
  const isTerminal = process.stdout.isTTY === true && !values.json
  const settings = readSettings(process.env)
  // Before anything starts: the default handler would leave child processes behind, which keep their ports.
  const signalled = new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  say('starting database and chain')
  const begunAnew = (platform: Platform) => printAddresses(platform, settings)
  let isQuiet = () => false
  const print = isTerminal ? shortPrinter({ isVerbose: values.verbose, isQuiet: () => isQuiet() }) : printJson
  const market = await startMarket(settings, {
    fresh: values.fresh,
    example: values.example,
    say,
    print,
    begunAnew,
  })
  const { platform, filled, lost, stop } = market
  isQuiet = market.isFilling
  const isFilled = market.isFilling()
  if (!(isTerminal && isFilled)) printAddresses(platform, settings)
  isReady = true
  const ready = filled.then(() => {
    // The log of the filling has scrolled the first ones away. With --json programs read the output.
    if (isFilled && !values.json) printAddresses(platform, settings)
    suggest(platform, settings)
  })
  await Promise.race([signalled, lost, ready])
  await Promise.race([signalled, lost])
  console.log('stopping')
  await stop()
}

/** Prints all addresses. */
function printAddresses(platform: Platform, settings: Settings) {
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
}

/** Prints suggestions for what to try. */
function suggest(platform: Platform, settings: Settings) {
  console.log('Try, in a browser and in another shell:')
  console.log(`  ${new URL('/', platform.baseUrl)}  (connect the development wallet; hire, pay, stake)`)
  console.log(`  curl -s '${platform.baseUrl}/agents?limit=3'`)
  const isUsual = settings.port === 8787 && settings.solanaPort === 8899
  console.log(`  npm run demo${isUsual ? '' : ` -- ${platform.baseUrl} ${platform.solanaUrl}`}`)
}

try {
  await main()
} catch (error) {
  console.error(
    `AgentCred ${isReady ? 'stopped' : "can't start"}: ${error instanceof Error ? error.message : error}`,
  )
  if (error instanceof Error && error.cause instanceof Error)
    console.error(`  because: ${error.cause.message}`)
  process.exitCode = 1
}
