/**
 * Lines of the copied customer that give it the price of a request. The embedded chain does so for anybody.
 * A deployment's build has nothing of it.
 */
export const FUNDING = `// The local chain gives the customer what one request costs.
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'surfnet_setTokenAccount',
  params: [wallet.address, asset, { amount: Number(price) }],
})
await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
`
