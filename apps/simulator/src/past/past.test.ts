import { COUNTER_SLOT, dayMs, hourMs, MEASURE_SLOTS, minuteMs, SLOTS } from '@linewarden/equipment'
import { beforeAll, describe, expect, test } from 'vitest'
import { demoPlan } from '../demo-plan.ts'
import { feedTree } from '../feed-tree.ts'
import { startFleet } from '../fleet.ts'
import type { ChannelPast } from './channel.ts'
import type { Past, PastFact } from './past.ts'
import { livePast, PlantClock } from './past.ts'
import type { PastStep } from './story.ts'
import { timeCells } from './time-cells.ts'

const until = Date.UTC(2026, 10, 24, 3, 20)
const from = until - 9 * dayMs
const cabinet = demoPlan()[0]?.gateways[0]
if (!cabinet) throw new Error('the demo has no cabinet')
const [powerSlot, residualSlot] = [9, 10] as const

async function pastWith(steps: readonly PastStep[], seed = 1) {
  const clock = new PlantClock(from)
  if (!cabinet) throw new Error('no cabinet')
  const fleet = startFleet([cabinet], { url: 'mqtt://127.0.0.1:1', now: clock.now, connected: false })
  const past = await livePast(fleet, clock, { stories: new Map([[cabinet.number, { from, steps }]]), until, seed })
  return { past, fleet }
}

const channelOf = ({ channels }: Past, controllerId: string, lineNo: number): ChannelPast => {
  const found = channels.find((each) => each.controllerId === controllerId && each.lineNo === lineNo)
  if (!found) throw new Error(`no channel ${controllerId}/${lineNo}`)
  return found
}
const rowsOf = ({ at, values }: ChannelPast['readings']): readonly Float64Array[] =>
  at.map((_, row) => values.subarray(row * SLOTS, (row + 1) * SLOTS))
const meanKw = ({ mean }: ChannelPast, hour: number): number => mean[hour * MEASURE_SLOTS + powerSlot] ?? Number.NaN
const inWords = (facts: readonly PastFact[]) =>
  facts.map((fact) =>
    fact.kind === 'alarm' ? `${fact.act} ${fact.alarm.key}` : fact.kind === 'position' ? fact.value : fact.kind,
  )

describe('a cabinet with a week behind it', () => {
  const tripAt = from + 3 * dayMs + 5 * hourMs
  const cutAt = from + 5 * dayMs
  const steps: readonly PastStep[] = [
    { at: tripAt, target: 'BJ01-S1/5', fault: 'leakageTrip', given: { times: 1.4 } },
    { at: tripAt + 30 * minuteMs, target: 'BJ01-S1/5', operate: 'close', reason: { zh: '送电', en: 'Close' } },
    { at: cutAt, target: 'GW-BJ-01', cutForMs: 150 * minuteMs },
  ]
  let past: Past
  let fleet: Awaited<ReturnType<typeof pastWith>>['fleet']
  beforeAll(async () => {
    ;({ past, fleet } = await pastWith(steps))
  })

  test('its incomer carries its branches in every hour, within one per cent', () => {
    const incomer = channelOf(past, 'BJ01-T1', 1)
    const branches = feedTree(cabinet).map(({ line }) => channelOf(past, line.controllerId, line.lineNo))
    const errors = Array.from(incomer.coveredMs, (covered, hour) => {
      const sum = branches.reduce((total, branch) => total + meanKw(branch, hour), 0)
      return covered === 0 ? 0 : Math.abs(meanKw(incomer, hour) - sum) / sum
    })
    expect(Math.max(...errors)).toBeLessThan(0.01)
  })

  test('what its hours count is what its counter rose', () => {
    const { used, readings } = channelOf(past, 'BJ01-T1', 2)
    const counters = rowsOf(readings).map((values) => values[COUNTER_SLOT] ?? Number.NaN)
    const kept = Math.floor((readings.at[0] ?? 0) / hourMs) + 1
    const { firstHour } = channelOf(past, 'BJ01-T1', 2)
    const counterAt = (hour: number) => counters[readings.at.findLastIndex((at) => at < hour * hourMs)] ?? Number.NaN
    const last = firstHour + used.length - 1
    const hours = used.subarray(kept - firstHour, last - firstHour).filter((each) => !Number.isNaN(each))
    const counted = hours.reduce((sum, each) => sum + each, 0)
    expect(counted).toBeCloseTo(counterAt(last) - counterAt(kept), 6)
  })

  test('what was not reported is missing and not zero', () => {
    const { coveredMs, mean, readings, firstHour } = channelOf(past, 'BJ01-T1', 2)
    const hour = Math.floor(cutAt / hourMs) + 1 - firstHour
    expect([coveredMs[hour], mean[hour * MEASURE_SLOTS]]).toEqual([0, Number.NaN])
    expect(readings.at.filter((at) => at >= cutAt && at < cutAt + 150 * minuteMs)).toEqual([])
  })

  test('a trip is told once, with what was read when it happened, and its line is dead until it is closed', () => {
    const own = past.facts.filter((fact) => 'controllerId' in fact && fact.controllerId === 'BJ01-S1' && fact.lineNo === 5)
    expect(inWords(own)).toEqual(['lockout', 'open', 'raise trip.leakage', 'operation', 'closed', 'return trip.leakage'])
    const { readings } = channelOf(past, 'BJ01-S1', 5)
    const tripped = rowsOf(readings).filter((values, i) => (values[residualSlot] ?? 0) > 300 && (readings.at[i] ?? 0) >= tripAt)
    expect(tripped.map((values) => values[residualSlot])).toEqual([420])
    const during = readings.at.findLastIndex((at) => at < tripAt + 29 * minuteMs)
    expect(rowsOf(readings)[during]?.[0]).toBe(0)
  })

  test('nothing happens that the story does not bring about', () => {
    const others = past.facts.filter((fact) => !('controllerId' in fact && fact.controllerId === 'BJ01-S1' && fact.lineNo === 5))
    expect(inWords(others)).toEqual(['link', 'link'])
  })

  test('the present goes on where the past ended: counters, temperatures, positions', () => {
    const gateway = fleet.gatewayOf('BJ01-T1')
    const line = gateway.line('BJ01-T1', 2)
    const { readings } = channelOf(past, 'BJ01-T1', 2)
    const last = rowsOf(readings).at(-1)
    expect(until - (readings.at.at(-1) ?? 0)).toBeLessThan(10_000)
    expect(line.energyKwh).toBe(last?.[COUNTER_SLOT])
    expect(line.temperatureC[0]).toBe(last?.[11])
    expect([line.position, line.tripReadings]).toEqual(['closed', null])
  })

  test('the same seed gives the same past, another seed another one', async () => {
    const again = (await pastWith(steps)).past
    expect(again.facts).toEqual(past.facts)
    for (const [i, { mean, used, readings }] of again.channels.entries())
      expect([mean, used, readings.at]).toEqual([past.channels[i]?.mean, past.channels[i]?.used, past.channels[i]?.readings.at])
  })
})

test('a slow fault goes on from where it is, however long ago it began', async () => {
  const { fleet } = await pastWith([
    { at: from, target: 'BJ01-T1/2', fault: 'contactHeating', given: { excessK: 90, over: '18d' } },
  ])
  const heated = fleet.gatewayOf('BJ01-T1').line('BJ01-T1', 2).fault.contactExcessK[0]
  expect(heated).toBeCloseTo(45, 0)
  const started = startFleet([cabinet], { url: 'mqtt://127.0.0.1:1', now: () => until, connected: false })
  started.run('contactHeating', { controllerId: 'BJ01-T1', lineNo: 2 }, { excessK: 90, over: '18d' }, from)
  expect(started.gatewayOf('BJ01-T1').line('BJ01-T1', 2).fault.contactExcessK[0]).toBeCloseTo(heated ?? 0, 1)
})

test('cells follow one another without a gap, cross no hour, and are close around what happens', () => {
  const moment = until - 20 * dayMs + 1_234
  const cells = [...timeCells(until - 30 * dayMs - 77, until, [moment])]
  let reached = until - 30 * dayMs - 77
  for (const { from: begins, ms } of cells) {
    expect(begins).toBe(reached)
    expect(Math.floor(begins / hourMs)).toBe(Math.floor((begins + ms - 1) / hourMs))
    reached = begins + ms
  }
  expect(reached).toBe(until)
  const around = cells.filter(({ from: begins }) => Math.abs(begins - moment) < 55_000)
  expect([Math.max(...around.map(({ ms }) => ms)), around.every(({ kept }) => kept)]).toEqual([2_000, true])
})
