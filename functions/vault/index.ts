import { createApp } from '../../lib/http/app.ts'
import { DatabaseHealth } from '../../lib/http/database-health.ts'
import type { VaultHealth } from '../../lib/http/health.ts'
import { createRpc } from '../../lib/solana/rpc.ts'
import { deps } from './deps.ts'
import { routes } from './routes.ts'

export default createApp({ routes, deps })

/** For the root Worker alone, by a service binding: it asks the RPC node that this Worker works with. */
export class Health extends DatabaseHealth<Cloudflare.VaultEnv> implements VaultHealth {
  async rpc(): Promise<boolean> {
    return createRpc(this.env.SOLANA_RPC_URL).answers()
  }
}
