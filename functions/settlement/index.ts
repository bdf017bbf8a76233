import { settleAll } from '../../lib/settlement/sweep.ts'
import { deps } from './deps.ts'

export default {
  async scheduled(controller, env, ctx) {
    await settleAll(deps(env, ctx, new Date(controller.scheduledTime)))
  },
} satisfies ExportedHandler<Cloudflare.SettlementEnv>
