/** Sends the jobs Worker's requests where each belongs: SQL to the neighbours, webhooks to the receiver. */
export default {
  fetch: (request, env) => (request.headers.has('webhook-id') ? env.RECEIVER : env.OUTSIDE).fetch(request),
} satisfies ExportedHandler<{ RECEIVER: Fetcher; OUTSIDE: Fetcher }>
