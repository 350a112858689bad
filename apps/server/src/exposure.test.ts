import { expect, test } from 'vitest'
import { exposuresOf } from './exposure.ts'

const alone = { host: '127.0.0.1', mqttHost: '127.0.0.1', databaseUrl: null, trustProxy: false } as const

test('on this machine alone nothing is exposed', () => {
  expect(exposuresOf(alone)).toEqual([])
  expect(exposuresOf({ ...alone, host: '::1', mqttHost: 'localhost' })).toEqual([])
})

test.each([
  ['the console on every network', { host: '0.0.0.0' }, /LINEWARDEN_HOST=0\.0\.0\.0/],
  ['the console on every network of IPv6', { host: '::' }, /LINEWARDEN_HOST=::/],
  ['the console under a name', { host: 'console.example.com' }, /LINEWARDEN_HOST=console/],
  ['an address that only looks like this machine', { host: '127.example.com' }, /LINEWARDEN_HOST/],
  ['gateways', { mqttHost: '10.0.0.5' }, /LINEWARDEN_MQTT_HOST=10\.0\.0\.5/],
  ['gateways, also behind a proxy of the console', { mqttHost: '0.0.0.0', trustProxy: '10.0.0.2' }, /LINEWARDEN_MQTT_HOST/],
  ['a database elsewhere', { databaseUrl: 'postgres://a:geheim@db.example.com/l' }, /DATABASE_URL/],
  ['a database that takes no TLS if it likes', { databaseUrl: 'postgres://a:geheim@db/l?sslmode=prefer' }, /DATABASE_URL/],
])('%s without TLS is told in both languages, with no password', (_, difference, names) => {
  const [line, ...more] = exposuresOf({ ...alone, ...difference })
  expect(more).toEqual([])
  expect(line).toMatch(names)
  expect(line).toMatch(/\p{Script=Han}/u)
  expect(line).not.toContain('geheim')
})

test.each([
  ['the console behind a proxy', { host: '0.0.0.0', trustProxy: '10.0.0.2' }],
  ['a database with TLS', { databaseUrl: 'postgres://a:b@db.example.com/l?sslmode=verify-full' }],
  ['a database here', { databaseUrl: 'postgres://a:b@127.0.0.1/l' }],
  ['a database here, by IPv6', { databaseUrl: 'postgres://a:b@[::1]/l' }],
  ['a database on a socket', { databaseUrl: 'postgres:///l?host=/run/postgresql' }],
])('%s is not', (_, difference) => expect(exposuresOf({ ...alone, ...difference })).toEqual([]))
