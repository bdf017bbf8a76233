import { Connection, type ConnectionConfig } from '@solana/web3.js'

/**
 * A Connection of web3.js whose WebSocket ends with the chain's: test files share a process, where it would
 * try every second, for ever, to reach a chain that is gone.
 */
export function openConnection(url: string, fetch?: ConnectionConfig['fetch']): Connection {
  const connection = new Connection(url, { commitment: 'confirmed', ...(fetch && { fetch }) })
  const socket: { setAutoReconnect(on: boolean): void } = Reflect.get(connection, '_rpcWebSocket')
  socket.setAutoReconnect(false)
  return connection
}
