import { deps } from './deps.ts'
import { settleAll } from './sweep.ts'

export default {
  // By the time as it is, not as it was scheduled for: the state read of the chain may be minutes younger.
  async scheduled(_controller, env, ctx) {
    await settleAll(deps(env, ctx, () => new Date()))
  },
} satisfies ExportedHandler<Cloudflare.SettlementEnv>
