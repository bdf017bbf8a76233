import * as v from 'valibot'
import { exampleOf } from '../../docs.ts'
import { AGENT_ID, BUDGET_ACCOUNT, FEE_PAYER, MINT, NETWORK, OTHER_WALLET } from '../../examples.ts'
import { OwnText, UserText } from '../answer-text.ts'
import { body } from '../body.ts'
import { WireAmount, WireUuid } from '../common.ts'

const price = { name: 'GET /forecast', amount: 250_000, asset: MINT }

// Separate from the schemas that the Worker validates by, so that its bundle has no schemas of answers.
const RequestPrice = body(
  'RequestPrice',
  'The price of one kind of request to an agent.',
  {
    name: [
      UserText,
      'The owner’s name for it. A method and a path make it a route at the origin of the agent’s `apiEndpoint`.',
    ],
    amount: [WireAmount, 'Smallest units of the asset.'],
    asset: [OwnText, 'The mint.'],
  },
  price,
)

export const RequestPrices = body(
  'RequestPrices',
  'The prices of requests to an agent.',
  { agentId: [WireUuid, 'The agent.'], prices: [v.array(RequestPrice), 'Ordered by name.'] },
  { agentId: AGENT_ID, prices: [price] },
)

const Accepts = body(
  'X402Accepts',
  'One way to pay, in the format of x402 version 2.',
  {
    scheme: [v.literal('exact'), 'The scheme.'],
    network: [OwnText, 'The network’s CAIP-2 id.'],
    payTo: [OwnText, 'Who is paid: the agent’s owner.'],
    price: [
      v.strictObject({
        amount: OwnText,
        asset: OwnText,
        extra: v.strictObject({ agentId: WireUuid, priceName: UserText }),
      }),
      'The price, its agent and its name. The amount is decimal text.',
    ],
    maxTimeoutSeconds: [
      v.pipe(v.number(), v.integer()),
      'How long the server waits for the client’s signature.',
    ],
    extra: [
      v.strictObject({ paymentFlow: v.literal('upfront') }),
      'Tells servers to settle before they serve the request.',
    ],
  },
  {
    scheme: 'exact',
    network: NETWORK,
    payTo: OTHER_WALLET,
    price: { amount: '250000', asset: MINT, extra: { agentId: AGENT_ID, priceName: 'GET /forecast' } },
    maxTimeoutSeconds: 60,
    extra: { paymentFlow: 'upfront' },
  },
)

const accepts = exampleOf(Accepts)

const MissingAccount = body(
  'MissingTokenAccount',
  'An associated token account of the owner that is missing, frozen or owned by somebody else.',
  { asset: [OwnText, 'Its mint.'], address: [OwnText, 'Its address.'] },
  { asset: MINT, address: BUDGET_ACCOUNT },
)

export const RequestTerms = body(
  'RequestTerms',
  'The prices of requests to an agent, and how to pay.',
  {
    agentId: [WireUuid, 'The agent.'],
    network: [OwnText, 'The network’s CAIP-2 id.'],
    feePayer: [OwnText, 'The payer of the network’s fee: the service.'],
    ready: [
      v.boolean(),
      'Whether the agent can be paid now: it is active, and its owner’s accounts can receive payments.',
    ],
    missing: [
      v.array(MissingAccount),
      'The owner’s token accounts that cannot be paid. Standard clients do not create them.',
    ],
    prices: [v.array(RequestPrice), 'Ordered by name.'],
    accepts: [v.array(Accepts), 'The same prices in the same order, as `accepts` for a resource server.'],
  },
  {
    agentId: AGENT_ID,
    network: NETWORK,
    feePayer: FEE_PAYER,
    ready: true,
    missing: [],
    prices: [price],
    accepts: [accepts],
  },
)
