import { createInterface } from 'node:readline/promises'
import { readCommandLine, runMain, UsageError } from './arguments.ts'
import { openDeployment } from './deploy/deployment.ts'
import { takeEnvironment } from './deploy/wrangler.ts'
import { destroy } from './destroy/run.ts'

/** `npm run destroy`: removes the deployment that `npm run setup` made. */
await runMain('destroy', async () => {
  const { values } = readCommandLine('destroy')
  const { yes, plan: isPlan, abandon: isAbandoned } = values
  const timeout = Number(values.timeout)
  if (!(timeout > 0 && timeout <= 600)) throw new UsageError('--timeout must be from 1 to 600 seconds')
  if (!isPlan && yes === undefined && !process.stdin.isTTY)
    throw new UsageError('without a terminal, confirm with --yes <name>')
  const env = takeEnvironment()
  const folder = openDeployment({ DEPLOYMENT_DIR: env.DEPLOYMENT_DIR })
  const ask = async (name: string) => yes ?? (await askOnTerminal(`Type ${name} to remove all of this: `))
  const options = { isPlan, isAbandoned, ask, timeoutMs: timeout * 1000, now: new Date() }
  const work = () => destroy({ folder, env, say: console.log }, options)
  await (isPlan ? work() : folder.alone(work))
})

async function askOnTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}
