import { WorkerEntrypoint } from 'cloudflare:workers'
import {
  importSecretKeys,
  makeSecret,
  type NewSecret,
  type SecretMaker,
} from '../../lib/events/secrets/secrets.ts'

/** For the events Worker alone, by a service binding: it makes webhook secrets, and opens none. */
export class WebhookSecrets extends WorkerEntrypoint<Cloudflare.JobsEnv> implements SecretMaker {
  async make(endpointId: string): Promise<NewSecret> {
    return makeSecret(await importSecretKeys(this.env.WEBHOOK_SECRETS_KEY), endpointId)
  }
}
