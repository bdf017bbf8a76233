import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../../lib/api-error.ts'
import { parse } from '../../../../lib/http/validate.ts'
import { AgentListQuery, AgentPatch, AgentRegister } from '../../../../schema/wire/agents.ts'
import { HireQuery, HireRequest } from '../../../../schema/wire/hires.ts'

const ID = '0190a1b2-0000-7000-8000-00000000000f'

const registration = (change: object = {}) => ({
  name: 'Courier',
  agentType: 'autonomous',
  supportedLayers: [1],
  ...change,
})

const accepts = (schema: v.GenericSchema, value: unknown) => v.safeParse(schema, value).success

/** The fields that are refused. */
const refused = (schema: v.GenericSchema, value: unknown): string[] => {
  try {
    parse(schema, value)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [...new Set(error.details.errors?.map(({ path }) => path))]
  }
}

describe('a registration', () => {
  it('has the defaults of the API', () => {
    expect(v.parse(AgentRegister, registration())).toEqual({
      name: 'Courier',
      agentType: 'autonomous',
      supportedLayers: [1],
      feeModel: 'percentage',
      feeAmount: 500n,
    })
  })

  it('keeps every field that it is given', () => {
    const all = registration({
      feeModel: 'hybrid',
      feeAmount: 7,
      description: 'Carries parcels.',
      apiEndpoint: 'http://api.example.com',
      apiProtocol: 'mcp',
      webhookUrl: 'https://hooks.example.com/a',
      logoUrl: 'ipfs://cid/logo.png',
    })
    expect(v.parse(AgentRegister, all)).toEqual({ ...all, feeAmount: 7n })
  })

  it.each(['name', 'agentType', 'supportedLayers'])('needs %s', (field) => {
    expect(refused(AgentRegister, { ...registration(), [field]: undefined })).toEqual([field])
    expect(refused(AgentRegister, { ...registration(), [field]: null })).toEqual([field])
  })

  it.each(['id', 'pubkey', 'status', 'totalHires', 'reputationScore', 'feeamount', 'Name'])(
    'has no field %s',
    (field) => {
      expect(refused(AgentRegister, registration({ [field]: 1 }))).toEqual([field])
    },
  )

  it.each(['autonomous', 'semi-autonomous', 'oracle'])('may be of the type %s', (agentType) => {
    expect(accepts(AgentRegister, registration({ agentType }))).toBe(true)
  })

  it.each(['personal', 'Autonomous', '', 1])('is of no type %j', (agentType) => {
    expect(refused(AgentRegister, registration({ agentType }))).toEqual(['agentType'])
  })
})

describe('a name', () => {
  const name = (text: unknown) => registration({ name: text })

  it.each([
    ['3 letters', 'abc'],
    ['32 letters', 'a'.repeat(32)],
    ['3 emoji of two UTF-16 units', '😀😀😀'],
    ['32 emoji of four bytes', '😀'.repeat(32)],
    ['a letter with two combining marks', 'e\u0301\u0323'],
    ['16 letters with a combining mark each', 'e\u0301'.repeat(16)],
    ['a family, which is five code points', '👨‍👩‍👧'],
    ['spaces inside', 'a b'],
    ['32 CJK characters', '漢'.repeat(32)],
  ])('may be %s', (_what, text) => {
    expect(v.parse(AgentRegister, name(text)).name).toBe(text)
  })

  it.each([
    ['2 letters', 'ab'],
    ['33 letters', 'a'.repeat(33)],
    ['2 emoji, though four UTF-16 units', '😀😀'],
    ['33 emoji', '😀'.repeat(33)],
    ['a letter with one combining mark', 'e\u0301'],
    ['17 letters with a combining mark each', 'e\u0301'.repeat(17)],
    ['nothing', ''],
    ['spaces', '     '],
    ['2 letters in spaces', '  ab  '],
    ['a line break', 'ab\ncd'],
    ['a tab at its end', 'abcd\t'],
    ['a zero byte, which Postgres can not store', 'ab\u0000cd'],
    ['a C1 control character', 'ab\u0085cd'],
    ['a delete character', 'ab\u007fcd'],
    ['half an emoji', 'abc\ud83d'],
    ['the other half', '\ude00abc'],
    ['a number', 123],
    ['a list', ['abc']],
  ])('may not be %s', (_what, text) => {
    expect(refused(AgentRegister, name(text))).toEqual(['name'])
  })

  it('loses the white space around it before it is measured', () => {
    expect(v.parse(AgentRegister, name('  abc ')).name).toBe('abc')
    expect(v.parse(AgentRegister, name(`  ${'a'.repeat(32)}\u3000\u00a0`)).name).toBe('a'.repeat(32))
  })
})

describe('layers', () => {
  const layers = (supportedLayers: unknown) => registration({ supportedLayers })

  it('are 1 to 22', () => {
    const all = Array.from({ length: 22 }, (_, i) => i + 1)
    expect(v.parse(AgentRegister, layers(all)).supportedLayers).toEqual(all)
  })

  it('are merged and put in order', () => {
    expect(v.parse(AgentRegister, layers([22, 3, 1, 3, 22, 10, 2])).supportedLayers).toEqual([
      1, 2, 3, 10, 22,
    ])
  })

  it.each([[0], [23], [-1], [1.5], ['1'], [null], [true], [[1]], [1e21]])('do not include %j', (layer) => {
    expect(refused(AgentRegister, layers([1, layer]))).toEqual(['supportedLayers.1'])
  })

  it.each([[[]], ['1'], [1], [{ 0: 1 }], [null], [Array(101).fill(1)]])(
    'are a list that is neither empty nor endless, not %j',
    (list) => {
      expect(refused(AgentRegister, layers(list))).toEqual(['supportedLayers'])
    },
  )
})

describe('a fee', () => {
  it.each([
    ['percentage', 0],
    ['percentage', 10_000],
    ['flat', 10_001],
    ['flat', Number.MAX_SAFE_INTEGER],
    ['hybrid', 1_000_000_000],
    ['flat', 0],
  ])('of the model %s may be %i', (feeModel, feeAmount) => {
    expect(v.parse(AgentRegister, registration({ feeModel, feeAmount })).feeAmount).toBe(BigInt(feeAmount))
  })

  it('in percent is at most all of it, given or by default', () => {
    expect(refused(AgentRegister, registration({ feeModel: 'percentage', feeAmount: 10_001 }))).toEqual([
      'feeAmount',
    ])
    expect(refused(AgentRegister, registration({ feeAmount: 10_001 }))).toEqual(['feeAmount'])
  })

  it.each([-1, 1.5, '1', 2 ** 53, 1e21, null, [1], true, Number.NaN, Number.POSITIVE_INFINITY])(
    'is never %j',
    (feeAmount) => {
      for (const feeModel of ['percentage', 'flat', 'hybrid']) {
        expect(refused(AgentRegister, registration({ feeModel, feeAmount }))).toEqual(['feeAmount'])
      }
    },
  )

  it.each(['free', 'subscription', 'Flat', ''])('has no model %j', (feeModel) => {
    expect(refused(AgentRegister, registration({ feeModel }))).toEqual(['feeModel'])
  })
})

describe('the URLs of an agent', () => {
  const URLS = {
    https: 'https://example.com/a',
    http: 'http://example.com/a',
    local: 'http://localhost:3000',
    address: 'https://127.0.0.1/a',
    port: 'https://example.com:8443/a',
    ipfs: 'ipfs://cid/a',
    ar: 'ar://id',
    credentials: 'https://user:secret@example.com/a',
    javascript: 'javascript:alert(1)',
    data: 'data:text/html,x',
    relative: '/a',
    control: 'https://example.com/\u0000',
    long: `https://example.com/${'a'.repeat(2030)}`,
    empty: '',
  }

  it.each([
    ['apiEndpoint', ['https', 'http', 'local', 'address', 'port']],
    ['logoUrl', ['https', 'http', 'local', 'address', 'port', 'ipfs', 'ar']],
    ['webhookUrl', ['https']],
  ])('%s may be %j', (field, allowed) => {
    for (const [kind, url] of Object.entries(URLS)) {
      const expected = allowed.includes(kind) ? [] : [field]
      expect([kind, refused(AgentRegister, registration({ [field]: url }))]).toEqual([kind, expected])
      expect([kind, refused(AgentPatch, { [field]: url })]).toEqual([kind, expected])
    }
  })

  it('may be left out but not null at registration', () => {
    for (const field of ['apiEndpoint', 'logoUrl', 'webhookUrl']) {
      expect(refused(AgentRegister, registration({ [field]: null }))).toEqual([field])
    }
  })
})

describe('a change of an agent', () => {
  it.each([
    { status: 'active' },
    { status: 'inactive' },
    { status: 'suspended', reason: 'Fraud' },
    { apiEndpoint: 'https://example.com' },
    { description: null, apiEndpoint: null, apiProtocol: null, webhookUrl: null, logoUrl: null },
    { description: 'x'.repeat(500), apiProtocol: 'a2a-http' },
    { status: 'inactive', logoUrl: null },
  ])('may be %j', (patch) => {
    expect(v.parse(AgentPatch, patch)).toEqual(patch)
  })

  it.each([
    [{}, ''],
    [{ status: 'suspended' }, 'reason'],
    [{ status: 'inactive', reason: 'Fraud' }, 'reason'],
    [{ reason: 'Fraud' }, 'reason'],
    [{ status: 'suspended', reason: '' }, 'reason'],
    [{ status: 'suspended', reason: '  ' }, 'reason'],
    [{ status: 'suspended', reason: 'a'.repeat(501) }, 'reason'],
    [{ status: 'suspended', reason: null }, 'reason'],
    [{ status: 'all' }, 'status'],
    [{ status: null }, 'status'],
    [{ description: '  ' }, 'description'],
    [{ description: 'x'.repeat(501) }, 'description'],
    [{ apiProtocol: 'grpc' }, 'apiProtocol'],
    [{ feeAmount: 1 }, 'feeAmount'],
    [{ pubkey: 'x' }, 'pubkey'],
  ])('may not be %j', (patch, field) => {
    expect(refused(AgentPatch, patch)).toEqual([field])
  })
})

describe('the query of the agent list', () => {
  it('has defaults', () => {
    expect(v.parse(AgentListQuery, {})).toEqual({ status: 'active', sort: 'reputation', limit: 50 })
  })

  it('reads text as the value that it represents', () => {
    const query = {
      status: 'all',
      layer: '22',
      agentType: 'oracle',
      feeModel: 'flat',
      owner: '11111111111111111111111111111111',
      q: ' Cour ',
      minReputation: '100',
      sort: 'newest',
      limit: '1',
      cursor: 'abc',
    }
    expect(v.parse(AgentListQuery, query)).toEqual({
      ...query,
      layer: 22,
      q: 'Cour',
      minReputation: 100,
      limit: 1,
    })
  })

  it('ignores what it does not know', () => {
    expect(v.parse(AgentListQuery, { unknown: 'x', constructor: 'x' })).toEqual({
      status: 'active',
      sort: 'reputation',
      limit: 50,
    })
  })

  it.each([
    ['100', 100],
    ['101', 100],
    ['1000', 100],
    ['9007199254740991', 100],
    ['007', 7],
  ])('serves the limit %s as %i', (limit, served) => {
    expect(v.parse(AgentListQuery, { limit }).limit).toBe(served)
  })

  it.each([
    '0',
    '-1',
    '-0',
    'x',
    '',
    ' ',
    '1.5',
    '1e2',
    '0x10',
    '+5',
    ' 5',
    '5 ',
    '5,',
    '٥',
    '9007199254740992',
    '99999999999999999999',
  ])('refuses the limit %j', (limit) => {
    expect(refused(AgentListQuery, { limit })).toEqual(['limit'])
  })

  it.each([
    ['layer', ['0', '23', '-1', '1.5', 'x', '']],
    ['minReputation', ['-1', '101', '0.5', 'x', '']],
    ['status', ['Active', 'deleted', '']],
    ['agentType', ['personal', '']],
    ['feeModel', ['free', '']],
    ['owner', ['', 'x', '1'.repeat(31), `${'1'.repeat(32)} `]],
    ['q', ['', ' ', 'a'.repeat(201), '\u0000', '\ud83d']],
  ])('refuses %s out of bounds', (field, values) => {
    for (const value of values)
      expect([value, refused(AgentListQuery, { [field]: value })]).toEqual([value, [field]])
  })

  it('takes every status', () => {
    for (const status of ['active', 'inactive', 'suspended', 'all']) {
      expect(v.parse(AgentListQuery, { status }).status).toBe(status)
    }
  })
})

describe('a hire request', () => {
  it('has the defaults of the API: all layers, no limit, no renewal, 30 days', () => {
    expect(v.parse(HireRequest, { agentId: ID })).toEqual({
      agentId: ID,
      autoRenew: false,
      expiresInDays: 30,
    })
  })

  it('keeps what it is given', () => {
    const request = {
      agentId: ID.toUpperCase(),
      layers: [2, 1, 2],
      budgetLimit: 0,
      autoRenew: true,
      expiresInDays: 365,
    }
    expect(v.parse(HireRequest, request)).toEqual({
      ...request,
      agentId: ID,
      layers: [1, 2],
      budgetLimit: 0n,
    })
  })

  it.each([
    [
      'agentId',
      [undefined, null, '', 'x', 1, ID.slice(1), `${ID}0`, `{${ID}}`, ID.replaceAll('-', ''), `${ID}\n`],
    ],
    ['layers', [null, [], '1', {}]],
    ['budgetLimit', [null, -1, 1.5, '1', 2 ** 53, 1e21]],
    ['autoRenew', [null, 'true', 1, 0]],
    ['expiresInDays', [null, 0, -1, 366, 1.5, '30', 1e21]],
    ['budgetlimit', [1]],
  ])('refuses %s out of bounds', (field, values) => {
    for (const value of values) {
      expect([value, refused(HireRequest, { agentId: ID, [field]: value })]).toEqual([value, [field]])
    }
  })

  it.each([0, 23, 1.5, '1'])('refuses the layer %j', (layer) => {
    expect(refused(HireRequest, { agentId: ID, layers: [layer] })).toEqual(['layers.0'])
  })
})

describe('the query that ends a hire', () => {
  it('needs the id, a UUID of any version in any case', () => {
    expect(v.parse(HireQuery, { id: ID.toUpperCase() })).toEqual({ id: ID })
    expect(v.parse(HireQuery, { id: '00000000-0000-0000-0000-000000000000' })).toBeTruthy()
    expect(refused(HireQuery, {})).toEqual(['id'])
    expect(refused(HireQuery, { id: 'x' })).toEqual(['id'])
  })
})
