import { development } from '../development.ts'

/** A wallet's balances in base units: SOL for network fees and rent, CRED to stake and pay with. */
type Balances = { sol: bigint; cred: bigint }

/** The local platform's embedded chain, which gives SOL and CRED to anyone. */
type LocalChain = {
  balancesOf: (address: string, signal?: AbortSignal) => Promise<Balances>
  /** Adds 10 SOL and 10,000 CRED to a wallet. */
  addTestFunds: (address: string) => Promise<void>
}

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const CONFIRMED = { commitment: 'confirmed' }
const LAMPORTS = 10_000_000_000
const CRED = 10_000_000_000_000n

/**
 * Opens the embedded chain.
 * @returns undefined where the platform uses a real cluster
 * @throws AgentCredError if the platform does not answer
 */
export async function openLocalChain(signal?: AbortSignal): Promise<LocalChain | undefined> {
  const { chain } = await development(signal)
  if (!chain) return undefined
  const { rpcUrl, mint } = chain
  const balancesOf = async (address: string, signal?: AbortSignal): Promise<Balances> => {
    const [{ value: lamports }, { value: accounts }] = await Promise.all([
      rpc<{ value: number }>(rpcUrl, 'getBalance', [address, CONFIRMED], signal),
      rpc<{ value: TokenAccount[] }>(
        rpcUrl,
        'getTokenAccountsByOwner',
        [address, { mint }, { encoding: 'jsonParsed', ...CONFIRMED }],
        signal,
      ),
    ])
    const amounts = accounts.map(({ account }) => BigInt(account.data.parsed.info.tokenAmount.amount))
    return { sol: BigInt(lamports), cred: amounts.reduce((sum, amount) => sum + amount, 0n) }
  }
  return {
    balancesOf,
    async addTestFunds(address) {
      const { cred } = await balancesOf(address)
      await rpc(rpcUrl, 'requestAirdrop', [address, LAMPORTS])
      // It sets the balance of the associated token account, so what is there counts, too.
      const amount = Number(cred + CRED)
      await rpc(rpcUrl, 'surfnet_setTokenAccount', [address, mint, { amount }, TOKEN_PROGRAM])
    },
  }
}

/** An account of the Token program, as far as it is read. */
type TokenAccount = { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }

/** @throws Error if the chain rejects the call */
async function rpc<T>(url: string, method: string, params: unknown[], signal?: AbortSignal): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    ...(signal && { signal }),
  })
  const { result, error } = await response.json()
  if (error) throw new Error(`The local chain rejected ${method}: ${error.message}`)
  return result
}
