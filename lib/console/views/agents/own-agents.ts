import type { useConnection } from '../../wallet/connection.tsx'

type Client = ReturnType<typeof useConnection>['client']

/** Returns a function that reads a page of the agents that a wallet has registered, of every status. */
export const ownAgents =
  (client: Client, wallet: string) => async (cursor: string | undefined, signal?: AbortSignal) => {
    const query = { owner: wallet, status: 'all', cursor } as const
    const { agents, nextCursor } = await client.call('GET /agents', { query, signal })
    return { entries: agents, nextCursor }
  }
