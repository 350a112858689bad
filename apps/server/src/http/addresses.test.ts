import { expect, test } from 'vitest'
import { isThisMachine, proxies, readForwarded } from './addresses.ts'

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['203.0.113.9, 198.51.100.7', '203.0.113.9, 198.51.100.7'],
  ['<img src=x onerror=alert(1)>, 198.51.100.7', '198.51.100.7'],
  ['203.0.113.9, x, 198.51.100.7', '198.51.100.7'],
  ['198.51.100.7:54321', '198.51.100.7'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['198.51.100.7, unknown', null],
  ['x'.repeat(12_000), null],
  ['', null],
])('of %j the proxy itself has said %j', (header, usable) => expect(readForwarded(header)).toBe(usable))

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['127.0.0.1, 10.0.0.1', false],
  ['', false],
])('%j is this machine: %j', (address, own) => expect(isThisMachine(address)).toBe(own))

test('only those proxies are believed that were named', () => {
  const isProxy = proxies('127.0.0.0/8, 10.0.0.2, 2001:db8::/64')
  const believed = ['127.0.0.1', '::ffff:10.0.0.2', '10.0.0.2', '2001:db8::5', '10.0.0.3', '192.168.1.50', 'x'].filter(isProxy)
  expect(believed).toEqual(['127.0.0.1', '::ffff:10.0.0.2', '10.0.0.2', '2001:db8::5'])
  expect([proxies(false)('127.0.0.1'), proxies(1)('192.0.2.1')]).toEqual([false, true])
})
