import { describe, expect, test } from 'vitest'
import { keyMayCall, rightsOfKey } from './key-rights.ts'
import type { Rights } from './permits.ts'

const read = { name: 'tree', area: 'monitor', method: 'GET', permission: 'session' }

describe('a key that only reads', () => {
  test.each([
    [true, 'equipment', {}],
    [true, 'a list that is asked for by POST', { method: 'POST', reads: true as const }],
    [true, 'its own signing out', { name: 'logout', area: 'account', method: 'PUT' }],
    [false, 'changes', { method: 'PUT' }],
    [false, 'deletes', { method: 'DELETE' }],
    [false, 'users', { area: 'people' }],
    [false, 'accounts and keys', { area: 'account' }],
    [false, 'the system log', { area: 'audit' }],
    [false, 'subscriptions at platforms', { area: 'push' }],
    [false, 'an area that nobody has named yet', { area: 'new' }],
    [false, 'which projects somebody sees', { permission: 'system.users' }],
    [false, 'files, which name people', { name: 'exportEvents', method: 'POST', reads: true as const }],
    [false, 'what only whoever runs the installation may', { permission: 'platform' }],
    [false, 'orders to lines', { name: 'operateLine', area: 'control', method: 'PUT' }],
    [false, 'a grant by the control password', { name: 'grantControl', area: 'account', method: 'POST' }],
  ])('%s: %s', (may, _, difference) => {
    expect(keyMayCall({ ...read, ...difference }, { operates: false })).toBe(may)
  })
})

describe('a key that operates', () => {
  test.each([
    [true, 'operateLine', 'control'],
    [true, 'grantControl', 'account'],
    [false, 'startRun', 'control'],
    [false, 'updateLine', 'settings'],
    [false, 'addKey', 'account'],
    [false, 'tagLines', 'control'],
  ])('%s: %s', (may, name, area) => {
    expect(keyMayCall({ ...read, name, area, method: 'PUT' }, { operates: true })).toBe(may)
  })
})

const sub: Rights = {
  platform: false,
  administrator: false,
  privileges: ['devmon', 'devmon.realtime'],
  buttons: ['lineSwitch', 'tagLines', 'gatewayEnable'],
  shared: false,
}
const administrator: Rights = { platform: true, administrator: true, privileges: [], buttons: [], shared: false }
const rights = (maker: Rights, operates: boolean) => rightsOfKey(maker, { operates }, ['devmon', 'system.log'])

test('it has of its maker what reads, and to operate lines, where it may and its maker may', () => {
  expect(rights(sub, false)).toEqual({ ...sub, buttons: [] })
  expect(rights(sub, true)).toEqual({ ...sub, buttons: ['lineSwitch'] })
  expect(rights({ ...sub, buttons: [] }, true).buttons).toEqual([])
  expect(rights({ ...sub, shared: true }, true).buttons).toEqual([])
})

test('of an administrator it has the pages, and is none', () => {
  const made = rights(administrator, true)
  expect(made).toEqual({
    ...administrator,
    platform: false,
    administrator: false,
    privileges: ['devmon', 'system.log'],
    buttons: ['lineSwitch'],
  })
})
