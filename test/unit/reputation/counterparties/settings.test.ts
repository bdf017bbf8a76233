import { describe, expect, it } from 'vitest'
import { readFeeSettings } from '../../../../lib/reputation/counterparties/settings.ts'

const settings = { PROTOCOL_FEE_BPS: '100', FEE_STEP: '1', MIN_PAID: '0.5' }

describe('the settings of payments', () => {
  it('are basis points and decimal CRED', () => {
    expect(readFeeSettings(settings)).toEqual({ feeBps: 100, feeStep: 1_000_000_000n, minPaid: 500_000_000n })
    const smallest = readFeeSettings({
      PROTOCOL_FEE_BPS: '0',
      FEE_STEP: '0.000000001',
      MIN_PAID: '999999999',
    })
    expect(smallest).toEqual({ feeBps: 0, feeStep: 1n, minPaid: 999_999_999_000_000_000n })
  })

  it.each([
    ['PROTOCOL_FEE_BPS', ''],
    ['PROTOCOL_FEE_BPS', '1.5'],
    ['PROTOCOL_FEE_BPS', '-1'],
    ['PROTOCOL_FEE_BPS', '10001'],
    ['FEE_STEP', ''],
    ['FEE_STEP', '0'],
    ['FEE_STEP', '0.0'],
    ['FEE_STEP', '.5'],
    ['FEE_STEP', '1e3'],
    ['FEE_STEP', '0.0000000001'],
    ['MIN_PAID', '1,5'],
    ['MIN_PAID', '-1'],
  ])('%s can not be %j', (name, value) => {
    expect(() => readFeeSettings({ ...settings, [name]: value })).toThrow(name)
  })
})
