import { WorkerEntrypoint } from 'cloudflare:workers'
import { connect } from '../../lib/db/connect.ts'
import { type CardAnswer, type CardRequest, publishCard } from '../../lib/discovery/cards/publish.ts'
import type { CardService } from '../../lib/discovery/cards/read.ts'
import { KEY_SET_PATH } from './card-routes.ts'

/** For the agents and registry Workers, by a service binding: they hold no key to sign cards with. */
export class Cards extends WorkerEntrypoint<Cloudflare.ProtocolsEnv> implements CardService {
  async card(request: CardRequest): Promise<CardAnswer> {
    const { env } = this
    const api = `${env.API_ORIGIN}/v1`
    return publishCard(
      {
        db: connect(env.DATABASE_URL),
        signingKey: env.CARD_SIGNING_KEY,
        keySetUrl: `${api}${KEY_SET_PATH}`,
        terms: { network: env.X402_NETWORK, mint: env.VAULT_MINT, api },
        publisher: env.ARD_PUBLISHER,
      },
      request,
    )
  }
}
