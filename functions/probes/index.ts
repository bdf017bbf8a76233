import { probeRound } from '../../lib/liveness/round.ts'
import { logInfo } from '../../lib/log.ts'
import { deps } from './deps.ts'

export default {
  async scheduled(_controller, env) {
    logInfo({ job: 'probes', ...(await probeRound(deps(env, () => new Date()))) })
  },
} satisfies ExportedHandler<Cloudflare.ProbesEnv>
