/** What an endpoint (the database's, the RPC node's) does instead of answering. */
export type Fault = (request: Request) => Promise<Response> | Response

/** Something outside the Workers that they send requests to. */
export type Endpoint = { calls: number; answer: Fault; fault?: Fault | undefined }

/** Passes a request on, and counts it. */
export async function through(endpoint: Endpoint, request: Request): Promise<Response> {
  endpoint.calls += 1
  return (endpoint.fault ?? endpoint.answer)(request)
}

/** The number of requests that arrived while `action` ran. */
export async function count(endpoint: Endpoint, action: () => Promise<unknown>): Promise<number> {
  const before = endpoint.calls
  await action()
  return endpoint.calls - before
}

/** Lets every request meet the fault while `action` runs. */
export async function breaking<T>(endpoint: Endpoint, fault: Fault, action: () => Promise<T>): Promise<T> {
  endpoint.fault = fault
  try {
    return await action()
  } finally {
    endpoint.fault = undefined
  }
}
