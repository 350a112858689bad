import type { Line, LineState } from '@linewarden/contract'
import { families, familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { detectorPoints } from './detector-points.ts'

const line = (Settings: Record<string, number> = {}): Line => ({
  LineID: 1,
  LineNo: 0,
  LineName: '探测器',
  RatedCurrentA: null,
  LeakageTripMa: null,
  FedBy: null,
  Settings,
})

function shown(key: string, values: Readonly<Record<string, number>>, settings: Record<string, number> = {}) {
  const family = familyOf(key)
  if (!family) throw new Error(`there is no family ${key}`)
  const Values = family.points.map((point) => values[point.key] ?? null)
  const { sensed, upkeep } = detectorPoints(family, line(settings), { Values } as LineState)
  return { sensed: sensed.map(({ point }) => point.key), upkeep: upkeep.map(({ point }) => point.key), all: sensed }
}

test('of several temperatures the hottest stands for all, against its level', () => {
  const { sensed, all } = shown(
    'detectorRs',
    { residual: 20, 'temperature.a': 30, 'temperature.b': 61, 'temperature.c': 40 },
    { 'temperature.alarm': 70, 'residual.alarm': 300 },
  )
  expect(sensed).toEqual(['residual', 'temperature.b'])
  expect(all.map(({ level }) => level?.value)).toEqual([300, 70])
})

test('battery and signal say how well it can be reached, not what it senses', () => {
  expect(shown('smoke', {})).toMatchObject({ sensed: ['smoke', 'temperature'], upkeep: ['battery', 'signal'] })
})

test.each(families.filter(({ level }) => level === 'device').map(({ key }) => [key]))('%s fits a tile', (key) => {
  const { sensed, upkeep } = shown(key, {})
  expect(sensed.length).toBeGreaterThan(0)
  expect(sensed.length).toBeLessThanOrEqual(4)
  expect(upkeep.length).toBeLessThanOrEqual(2)
})
