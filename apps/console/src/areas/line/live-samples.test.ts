import { expect, test } from 'vitest'
import type { Sample } from './line-chart-option.ts'
import { inOrder, withLive } from './live-samples.ts'

const at = (time: number): Sample => [time, [1], 0]
const times = (samples: readonly Sample[]) => samples.map(([time]) => time)

test('a device whose clock was ahead and is set right goes on being drawn, each sample at its own time', () => {
  const ahead = [at(600_000), at(610_000)]
  expect(times(withLive(ahead, [], at(20_000)))).toEqual([20_000, 600_000, 610_000])
  expect(times(inOrder([at(10_000), at(605_000)], withLive(ahead, [], at(20_000))))).toEqual([
    10_000, 20_000, 600_000, 605_000, 610_000,
  ])
})

test('what moved without a new sample, or is stored already, adds nothing', () => {
  const fresh = [at(20_000)]
  expect(withLive(fresh, [at(10_000)], at(20_000))).toBe(fresh)
  expect(withLive(fresh, [at(10_000)], at(10_000))).toBe(fresh)
  expect(times(withLive(fresh, [at(10_000)], at(30_000)))).toEqual([20_000, 30_000])
})
