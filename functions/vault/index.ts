import { createApp } from '../../lib/http/app.ts'
import { DatabaseHealth } from '../../lib/http/database-health.ts'
import type { VaultHealth } from '../../lib/http/health.ts'
import { toolsOf } from '../../lib/http/tools.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import { deps } from './deps.ts'
import { routes } from './routes.ts'

const app = createApp({ routes, deps })

export default app
export const Tools = toolsOf(app)

/** For the root Worker alone, by a service binding: it asks the RPC node that this Worker works with. */
export class Health extends DatabaseHealth<Cloudflare.VaultEnv> implements VaultHealth {
  async rpc(): Promise<boolean> {
    return createRpc(this.env.SOLANA_RPC_URL).answers()
  }
}
