import { describe, expect, it } from 'vitest'
import { MIN_SCORE, scoresOf, stemmed } from '../../../lib/discovery/search/score.ts'
import { stemsIn } from '../../../lib/discovery/search/stems.ts'

describe('stemsIn', () => {
  it.each([
    ['Brûlée, STRASSE — Straße', ['brule', 'strass', 'strass']],
    ['price prices priced pricing', ['pric', 'pric', 'pric', 'pric']],
    ['city cities; box boxes; stop stopping', ['citi', 'citi', 'box', 'box', 'stop', 'stop']],
    ['DeFi/NFT GET /forecast/:city', ['defi', 'nft', 'get', 'forecast', 'citi']],
    ['find me the weather of a city', ['find', 'weather', 'citi']],
    ['今月の売上', ['今月', '月の', 'の売', '売上']],
    ['雨', ['雨']],
    ['AI案内x', ['ai', '案内', 'x']],
    ['ｶﾞｲﾄﾞ', ['ガイ', 'イド']],
    ['a\u200Bpi x\u202Ey', ['api', 'xy']],
    ['🦓 — ::: \u0000', []],
    ['<script>alert(1)</script>', ['script', 'alert', '1', 'script']],
  ])('splits %j', (text, stems) => {
    expect(stemsIn(text)).toEqual(stems)
  })

  it('reads a bounded part of any text', () => {
    expect(stemsIn('ab '.repeat(1_000_000)).length).toBeLessThan(2_000)
    expect(stemsIn('ﷺ'.repeat(100_000)).length).toBeLessThan(50_000)
  })
})

describe('scoresOf', () => {
  const texts = [
    stemmed('Weather', 'rain', 'forecasts for a city'),
    stemmed('Forecast', '', ''),
    stemmed('Stocks', 'prices', 'the weather of markets'),
  ]

  it('weighs a word by the part of a text that has it', () => {
    expect(scoresOf(texts, 'weather')).toEqual([100, 0, 50])
    expect(scoresOf(texts, 'raining')).toEqual([80, 0, 0])
    expect(scoresOf(texts, 'the forecasts')).toEqual([50, 100, 0])
  })

  it('takes the mean of the words of a need, of which those that exist make half', () => {
    expect(scoresOf(texts, 'weather zebra')).toEqual([(50 + 100) / 2, 0, Math.floor((25 + 50) / 2)])
  })

  it('counts a common word half, and lets it find texts when there is no rarer one', () => {
    const many = Array.from({ length: 600 }, (_, index) => stemmed(index === 7 ? 'api zebra' : 'api', '', ''))
    const scores = scoresOf(many, 'api zebra')
    expect(scores[7]).toBe(100)
    expect(new Set(scores.filter((_, index) => index !== 7))).toEqual(new Set([25]))
    expect(new Set(scoresOf(many, 'api'))).toEqual(new Set([100]))
  })

  it('finds nothing for a need without words', () => {
    expect(scoresOf(texts, 'the of 🦓').every((score) => score < MIN_SCORE)).toBe(true)
    expect(scoresOf([], 'weather')).toEqual([])
  })

  it('does not take a part of a word for a word, or a text for a pattern', () => {
    expect(scoresOf([stemmed('a.b (c) weathers1', '', '')], 'weather')).toEqual([0])
    expect(scoresOf([stemmed('.*', '', '')], '.*')).toEqual([0])
  })
})
