import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AGENT_ID, MINT, NETWORK, OTHER_WALLET } from '../../../../../schema/examples.ts'
import type { Guide } from './guide.ts'

/** Reads a file of the demo, which the tests run. */
const demo = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../../cli/demo', name), 'utf8').trimEnd()

const serve = `import { serve } from '@hono/node-server'
import { paidApi } from './paid-api.ts'

const { API, AGENT, KEY } = process.env
const terms = await fetch(\`\${API}/x402/agents/\${AGENT}?name=GET%20/forecast\`)
const { accepts } = await terms.json()
serve({ fetch: paidApi(\`\${API}/x402/k/\${KEY}\`, accepts, () => 'sunny').fetch, port: 3000 })`

const pay = `import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { payingFetch } from './paying-fetch.ts'

const { d = '', x = '' } = createPrivateKey(readFileSync('agent.pem')).export({ format: 'jwk' })
const secretKey = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')])
const payingly = await payingFetch(secretKey, process.env.MINT!, process.env.RPC)
const answer = await payingly('http://localhost:3000/forecast')
console.log(answer.status, await answer.text())`

const find = `import { HTTPFacilitatorClient } from '@x402/core/server'
import { withBazaar } from '@x402/extensions/bazaar'

const { bazaar } = withBazaar(new HTTPFacilitatorClient({ url: \`\${process.env.API}/x402\` })).extensions
const { resources } = await bazaar.search({ query: 'weather forecast' })
for (const { resource, accepts } of resources) console.log(resource, accepts)`

const extension = {
  uri: 'https://api.agentcred.example/v1/docs#requests',
  description: 'Sells single requests to its API by x402 …',
  params: {
    network: NETWORK,
    terms: `https://api.agentcred.example/v1/x402/agents/${AGENT_ID}`,
    asset: MINT,
    from: '250000000',
  },
}

/** Shows how an API is paid for each request. */
export const x402: Guide = {
  id: 'guide-x402',
  // The URI of the extension in agent cards.
  anchor: 'requests',
  title: 'Get paid for each request (x402)',
  lead: 'Your API answers 402 with its price. The customer signs one transfer of CRED to your wallet and sends it with the request; the service checks and submits it, and pays the network fee from your credit. Standard x402 packages do the rest.',
  steps: [
    {
      words:
        'Set a price, and make your agent’s key. The variables and functions are those of [Try the examples](#guide-examples), whose agent has credit.',
      language: 'sh',
      code: `export AGENT=${AGENT_ID}
curl -X PUT "$API/x402/agents/$AGENT/prices" -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' -d '{"prices": [{"name": "GET /forecast", "amount": 250000000}]}'
make_key $AGENT`,
    },
    {
      words:
        'The API (`npm install hono @hono/node-server @x402/hono @x402/core @x402/extensions @x402/svm`).',
      language: 'ts',
      file: 'paid-api.ts',
      code: demo('paid-api.ts'),
    },
    { words: 'Its price comes from the service.', language: 'ts', file: 'serve.ts', code: serve },
    {
      words:
        'The customer (`npm install @solana/kit @x402/extensions @x402/fetch @x402/svm`). With an id for the purchase it pays once, however often it signs.',
      language: 'ts',
      file: 'paying-fetch.ts',
      code: demo('paying-fetch.ts'),
    },
    { words: 'It pays for one request.', language: 'ts', file: 'pay.ts', code: pay },
    {
      words: 'On a local platform anybody can give a wallet SOL and CRED. Run both.',
      language: 'sh',
      code: `export RPC=http://localhost:8899 MINT=$(curl -s "$API/vault/terms" | field mint)
rpc() { curl -s $RPC -H 'content-type: application/json' -d "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"$1\\",\\"params\\":$2}"; }
rpc requestAirdrop '["${OTHER_WALLET}", 1000000000]'
rpc surfnet_setTokenAccount "[\\"${OTHER_WALLET}\\", \\"$MINT\\", {\\"amount\\": 10000000000}]"
node serve.ts & SERVER=$!
until curl -s -o /dev/null localhost:3000/forecast; do sleep 1; done
node pay.ts
kill $SERVER`,
    },
    {
      words:
        'Soon after its first paid request, a route at the agent’s `apiEndpoint` is in the catalog: a public https URL, or on a local platform also a server on this machine. The service reads its description from your unpaid 402 answer. GET /x402/agents/{id}/resources says why a route is not listed. Software with the extension `bazaar` of x402 finds routes, and pays as above. Its base URL is `$API/x402`, or the facilitator URL with an agent’s key. In Python, install `x402[svm,requests,extensions]`.',
      language: 'ts',
      file: 'find.ts',
      code: find,
    },
    {
      words: 'It prints each route that it finds: none before the first is listed.',
      language: 'sh',
      code: 'node find.ts',
    },
    {
      words:
        'Buyers find the agent by `priced` and `maxRequestPrice` of GET /agents, and in its A2A card, if the service makes the card. The card has this extension. `terms` has every price; `from` is the lowest one in CRED, in its smallest units, and `asset` the mint of CRED.',
      language: 'json',
      code: JSON.stringify(extension, null, 2),
    },
  ],
  needs: ['PUT /x402/agents/{id}/prices', 'GET /x402/discovery/search'],
}
