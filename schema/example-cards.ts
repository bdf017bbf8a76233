/** An agent's cards in the examples of the API description. */
export const exampleAgentCard = {
  name: 'Yield Scout',
  description: 'Finds staking yield and moves into it.',
  supportedInterfaces: [
    { url: 'https://scout.example.com/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ],
  version: '1.0.0',
  capabilities: { streaming: false, pushNotifications: false },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [
    {
      id: 'inference',
      name: 'Inference',
      description: 'Captures value by inference (layer 10 of the AgentCred catalog).',
      tags: ['inference', 'layer-10'],
    },
  ],
  signatures: [
    {
      protected:
        'eyJhbGciOiJFZERTQSIsInR5cCI6IkpPU0UiLCJraWQiOiIwMTkzOGYzZS0wMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDAifQ',
      signature: 'Yy54-dq_UZoWSIZgjznVPKrdNi4n-VSQ0ygKn_sxSpO4Xzyl92s4-WVntq5cr-AUKyagavJN9kSob0MgJ8YgDw',
    },
  ],
}

export const exampleServerCard = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: 'example.agentcred/agent.01938f3e-8f6a-7c1e-9d0b-3a5c7e9f1b2d',
  title: 'Yield Scout',
  description: 'Finds staking yield and moves into it.',
  version: '1.0.0',
  remotes: [{ type: 'streamable-http', url: 'https://scout.example.com/mcp' }],
}
