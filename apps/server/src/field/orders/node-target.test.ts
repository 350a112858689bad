import { wire } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { nodeTargetOf } from '../intake/session.ts'

const own = ['bdSeq', ...[wire.info, wire.command, wire.result].flatMap((names) => Object.values(names))]

test.each([...own, 'Node Control/Rebirth'])('a gateway that says %s says nothing unknown', (name) => {
  expect(nodeTargetOf(name).of).not.toBe('unknown')
})

test('its clock and its signal are taken; anything else is told as unknown, by its name', () => {
  expect(nodeTargetOf(wire.info.clockSynchronised)).toEqual({ of: 'clock' })
  expect(nodeTargetOf(wire.info.signal)).toEqual({ of: 'signal' })
  expect(nodeTargetOf('temperature')).toEqual({ of: 'unknown', name: 'temperature', family: 'gateway' })
})
