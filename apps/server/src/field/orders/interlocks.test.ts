import { familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import type { PlantTag } from '../../plant/plant.ts'
import { newDevice, newGateway, newLine } from '../../plant/plant.ts'
import { gatewayInterlocks } from './interlocks.ts'

const project = { id: 1, cityId: 1, ownerId: null, name: 'p', timeZone: 'UTC', standard: 'GB' } as const
const tag = (id: string, on: PlantTag['on']): PlantTag => ({
  id,
  on,
  onId: 1,
  kind: 'tag',
  accountId: null,
  holder: id,
  reason: '',
  photo: false,
  placedAt: 0,
  expectedEnd: null,
})

test('a gateway is interlocked by the tags on it, on its devices and on their lines, each once, and by the longest inspection', () => {
  const gateway = newGateway({ id: 1, project, number: 'G', name: 'g', reportingPeriodMs: 1_000 })
  const family = familyOf('breaker3p')
  if (!family) throw new Error('no such family')
  const device = newDevice({ id: 1, gateway, controllerId: 'D', name: 'd', family, model: '3P' })
  gateway.devices.set('D', device)
  const [first, second, third] = [1, 2, 3].map((no) => newLine(no, device, no, 'l', null))
  if (!first || !second || !third) throw new Error('three lines')
  for (const line of [first, second, third]) device.lines.set(line.lineNo, line)
  expect(gatewayInterlocks(gateway)).toEqual({ tags: [], inspectionUntil: null })
  gateway.ownTags = [tag('on the gateway', 'gateway')]
  device.ownTags = [tag('on the device', 'device')]
  second.ownTags = [tag('on the line', 'line')]
  first.inspectionUntil = 5
  second.inspectionUntil = 7
  third.inspectionUntil = 6
  const { tags, inspectionUntil } = gatewayInterlocks(gateway)
  expect(tags.map(({ id }) => id)).toEqual(['on the gateway', 'on the device', 'on the line'])
  expect(inspectionUntil).toBe(7)
})
