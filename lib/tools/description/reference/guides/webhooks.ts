import { MCP_AGENT_ID } from '../../../../../schema/examples.ts'
import type { Guide } from './guide.ts'

const file = `import { createServer } from 'node:http'
import { answerChallenge, createClient, verifyWebhook, WebhookRefused } from '@agentcred/client'

const client = createClient({ baseUrl: process.env.API! })
const { keys } = await client.call('GET /events/keys')

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  // The bytes as they came: JSON that is parsed and written again has another signature.
  const body = Buffer.concat(chunks)
  const headers = new Headers(request.headers as Record<string, string>)
  try {
    const verified = await verifyWebhook({ headers, body }, { keys })
    const proof = await answerChallenge(verified, process.env.WALLET!)
    if (proof) return response.end(proof)
    // The same id may come twice: act once.
    console.log(verified.id, verified.event.type)
    response.writeHead(204).end()
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error
    response.writeHead(401).end()
  }
}).listen(3001, () => console.log('listening'))`

/** Shows how a receiver verifies webhooks. */
export const webhooks: Guide = {
  id: 'guide-webhooks',
  title: 'Verify webhooks',
  lead: 'Anybody can send a POST to your server, so verify the signature before you act on it. Any Standard Webhooks library can verify with the secret, too: `secret` of a new endpoint, or `webhookSecret` of an agent when its first webhookUrl is set.',
  steps: [
    {
      words:
        'The receiver verifies each webhook with the service’s public keys. At the first one it proves that its URL wants the events of your wallet.',
      language: 'ts',
      file: 'receiver.ts',
      code: file,
    },
    {
      words:
        'Run it, and create a webhook endpoint for it. The variables and `post` are those of [Try the examples](#guide-examples).',
      language: 'sh',
      code: `node receiver.ts > received.txt & RECEIVER=$!
until grep -q listening received.txt; do sleep 1; done
post /events/endpoints '{"url": "http://localhost:3001/"}'`,
    },
    {
      words: 'Hire an agent: `hire.created` arrives within seconds.',
      language: 'sh',
      code: `post /agents/hire '{"agentId": "${MCP_AGENT_ID}"}'
until grep hire.created received.txt; do sleep 1; done
kill $RECEIVER`,
    },
  ],
  needs: ['GET /events/keys', 'POST /events/endpoints', 'POST /agents/hire'],
}
