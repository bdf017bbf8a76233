import type { Guide } from './guide.ts'

/**
 * A step uses names from earlier steps; `API` and `wallet` are the reader's own. A test runs both guides
 * together, each with a wallet.
 */
export const hirer: Guide = {
  id: 'guide-hirer',
  title: 'From a wallet to a paid hire in ten calls',
  lead: 'You have a Solana wallet with some SOL and CRED. `wallet` is `fromWalletStandard(wallet, account)` in a browser, or any object that signs.',
  steps: [
    {
      words: 'Make a client.',
      language: 'ts',
      code: 'const client = createClient({ baseUrl: API, wallet })',
    },
    {
      words:
        'Log in: the wallet signs a challenge. Without this step the first call that needs a session does it.',
      language: 'ts',
      code: 'await client.login()',
    },
    {
      words: 'Look for an agent.',
      language: 'ts',
      code: "const { agents } = await client.call('GET /agents', { query: { q: 'yield', layer: 17 } })",
    },
    {
      words: 'Read the ratings of wallets that paid for it.',
      language: 'ts',
      code: "const { ratings } = await client.call('GET /reputation/ratings', { query: { agentId: agents[0].id } })",
    },
    {
      words: 'Hire it, for at most 100 CRED a period.',
      language: 'ts',
      code: 'const hire = await client.hire({ agentId: agents[0].id, budgetLimit: 100_000_000_000n })',
    },
    {
      words:
        'Put 50 CRED into a budget account of your own. The agent’s owner can collect only what was charged.',
      language: 'ts',
      code: 'await client.fund({ hireId: hire.id, amount: 50_000_000_000n })',
    },
    {
      words: 'The agent works and charges. Read the charges.',
      language: 'ts',
      code: "const { charges } = await client.call('GET /payments/charges', { query: { role: 'hirer', hireId: hire.id } })",
    },
    {
      words: 'Read what was collected and what is left.',
      language: 'ts',
      code: "const { budgets } = await client.call('GET /payments/budgets', { query: { hireId: hire.id } })",
    },
    {
      words: 'Rate the agent after it was paid.',
      language: 'ts',
      code: "await client.call('POST /reputation/ratings', { body: { hireId: hire.id, rating: 5, comment: 'It did what it says.' } })",
    },
    { words: 'Take back the rest.', language: 'ts', code: 'await client.withdraw({ hireId: hire.id })' },
  ],
}

export const owner: Guide = {
  id: 'guide-owner',
  title: 'Offer an agent and get paid',
  lead: 'You run an agent, and have a wallet with some SOL.',
  steps: [
    {
      words: 'Make a client.',
      language: 'ts',
      code: 'const client = createClient({ baseUrl: API, wallet })',
    },
    {
      words: 'Register the agent: 20 CRED for each unit of its work.',
      language: 'ts',
      code: "const agent = await client.call('POST /agents/register', { body: { name: 'Yield Scout', agentType: 'autonomous', supportedLayers: [17], feeModel: 'flat', feeAmount: 20_000_000_000 } })",
    },
    {
      words: 'Open your payout account (the collector), once. It collects charges from budget accounts.',
      language: 'ts',
      code: 'await client.openCollector()',
    },
    {
      words: 'Read who hired it. A webhook or `client.events({ live: true })` notifies you at once.',
      language: 'ts',
      code: "const { hires } = await client.call('GET /agents/{id}/hires', { path: { id: agent.id } })",
    },
    {
      words: 'Charge for two units. You choose the reference; sending it again does not charge twice.',
      language: 'ts',
      code: "await client.call('POST /payments/charges', { body: { hireId: hires[0].id, reference: 'job-1', units: 2n, layer: 17 } })",
    },
    {
      words: 'Collect the due charges. The protocol fee is 1 %.',
      language: 'ts',
      code: 'await client.collect()',
    },
  ],
}
