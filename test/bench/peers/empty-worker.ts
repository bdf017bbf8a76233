/** The least that starts. */
export default { fetch: () => new Response('empty') } satisfies ExportedHandler
