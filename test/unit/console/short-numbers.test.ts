import { expect, it } from 'vitest'
import { shortNumbers } from '../../../lib/console/kit/short-numbers.ts'

it.each([
  [
    [0, 2_500, 5_000],
    ['0', '2,500', '5,000'],
  ],
  [
    [0, 5_000, 10_000, 15_000],
    ['0', '5K', '10K', '15K'],
  ],
  [
    [0, 1_250_000, 2_500_000],
    ['0', '1.25M', '2.5M'],
  ],
  [
    [1_000_100, 1_000_200],
    ['1,000,100', '1,000,200'],
  ],
  [
    [0.1, 0.25],
    ['0.1', '0.25'],
  ],
])('labels %j by %j', (numbers, labels) => {
  expect(shortNumbers(numbers)).toEqual(labels)
})
