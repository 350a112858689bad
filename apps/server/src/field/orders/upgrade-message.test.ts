import { gatewayUpgradeRefusals } from '@linewarden/rules/firmware'
import { expect, test } from 'vitest'
import { newGateway } from '../../plant/plant.ts'
import { maxPieceBytes, readUpgradeMessage } from './upgrade-message.ts'

const project = { id: 1, cityId: 1, ownerId: null, name: 'p', timeZone: 'UTC', standard: 'GB' } as const
const gateway = newGateway({ id: 1, project, number: 'G', name: 'g', reportingPeriodMs: 1_000 })
const id = '0b5f3c1e-7a5e-4d57-9a5c-3c1f7a0f9e11'
const read = (word: unknown) => readUpgradeMessage(gateway, Buffer.from(JSON.stringify(word)), 5)

test.each([
  ['the first byte', { offset: 0, length: 1 }],
  ['as much as there is for one question', { offset: 0x7fff_ffff, length: maxPieceBytes }],
])('a gateway may ask for %s', (_, asked) =>
  expect(read({ id, ...asked })).toEqual({ gateway, upgradeId: id, at: 5, content: { kind: 'asks', ...asked } }),
)

test.each([
  ['nothing', { offset: 0, length: 0 }],
  ['more than there is for one question', { offset: 0, length: maxPieceBytes + 1 }],
  ['what lies before the beginning', { offset: -1, length: 1 }],
  ['what lies beyond any image', { offset: 0x8000_0000, length: 1 }],
  ['half a byte', { offset: 0, length: 1.5 }],
  ['a length in words', { offset: 0, length: '1' }],
  ['a length alone', { length: 1 }],
])('not for %s', (_, asked) => expect(read({ id, ...asked })).toMatch(/^"offset" and "length"/))

test('it says that it is ready, or why it refuses, in words that there are', () => {
  expect(read({ id, state: 'ready' })).toMatchObject({ content: { kind: 'ready' } })
  for (const reason of gatewayUpgradeRefusals)
    expect(read({ id, state: 'refused', reason })).toMatchObject({ content: { kind: 'refused', reason } })
  expect(read({ id, state: 'refused', reason: 'no mood' })).toMatch(/^"reason" must be/)
  expect(read({ id, state: 'done' })).toMatch(/^"state" must be/)
})

test.each([
  ['no object', 7],
  ['null', null],
  ['without an id', { state: 'ready' }],
  ['with the id of nothing', { id: 'x', state: 'ready' }],
  ['with an id that no offer has', { id: '-'.repeat(36), state: 'ready' }],
])('%s says nothing', (_, word) => expect(read(word)).toEqual(expect.any(String)))

test('neither does what is no JSON, or longer than any word', () => {
  expect(readUpgradeMessage(gateway, Buffer.from('{'), 5)).toBe('not JSON')
  const padded = (length: number) => Buffer.from(JSON.stringify({ id, state: 'ready' }).padEnd(length))
  expect(readUpgradeMessage(gateway, padded(1_024), 5)).toMatchObject({ content: { kind: 'ready' } })
  expect(readUpgradeMessage(gateway, padded(1_025), 5)).toMatch(/^1025 bytes/)
})
