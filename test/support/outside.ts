/** What a server outside (the database's, the RPC node) does instead of answering. */
export type Fault = (request: Request) => Promise<Response> | Response

/** Something outside the Workers that they send requests to. */
export type Server = { calls: number; answer: Fault; fault?: Fault | undefined }

/** Passes a request on, and counts it. */
export async function through(server: Server, request: Request): Promise<Response> {
  server.calls += 1
  return (server.fault ?? server.answer)(request)
}

/** The number of requests that arrived while `action` ran. */
export async function count(server: Server, action: () => Promise<unknown>): Promise<number> {
  const before = server.calls
  await action()
  return server.calls - before
}

/** Lets every request meet the fault while `action` runs. */
export async function breaking<T>(server: Server, fault: Fault, action: () => Promise<T>): Promise<T> {
  server.fault = fault
  try {
    return await action()
  } finally {
    server.fault = undefined
  }
}
