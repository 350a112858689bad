import { expect, test } from 'vitest'
import { exposuresOf } from './exposure.ts'
import type { Certificate } from './tls/certificate.ts'

const alone = {
  host: '127.0.0.1',
  tls: null,
  mqttHost: '127.0.0.1',
  mqttPort: 1883,
  mqttTls: null,
  databaseUrl: null,
  trustProxy: false,
} as const
const files = { cert: '/etc/own.crt', key: '/etc/own.key' }
const none = { console: null, mqtt: null }
const exposures = (difference: object) => exposuresOf({ ...alone, ...difference }, none)

test('on this machine alone nothing is exposed', () => {
  expect(exposures({})).toEqual([])
  expect(exposures({ host: '::1', mqttHost: 'localhost' })).toEqual([])
})

test.each([
  ['the console on every network', { host: '0.0.0.0' }, /LINEWARDEN_HOST=0\.0\.0\.0/],
  ['gateways, with the way to TLS', { mqttHost: '0.0.0.0' }, /Set LINEWARDEN_TLS_CERT or LINEWARDEN_MQTTS_CERT/],
  [
    'gateways, also where those with TLS have a port',
    { mqttHost: '0.0.0.0', mqttTls: { ...files, port: 8883 } },
    /port 1883: .* way\. Have them/,
  ],
  ['a database that is not asked who it is', { databaseUrl: 'postgres://a:geheim@db/l?sslmode=no-verify' }, /DATABASE_URL/],
  [
    'a database that is not asked who it is, in the words of libpq',
    { databaseUrl: 'postgres://a:geheim@db/l?sslmode=require&uselibpqcompat=true' },
    /DATABASE_URL/,
  ],
  ['a database elsewhere, named at the end', { databaseUrl: 'postgres://a:geheim@localhost/l?host=10.0.0.9' }, /DATABASE_URL/],
  ['the console on every network of IPv6', { host: '::' }, /LINEWARDEN_HOST=::/],
  ['the console under a name', { host: 'console.example.com' }, /LINEWARDEN_HOST=console/],
  ['an address that only looks like this machine', { host: '127.example.com' }, /LINEWARDEN_HOST/],
  ['gateways', { mqttHost: '10.0.0.5' }, /LINEWARDEN_MQTT_HOST=10\.0\.0\.5/],
  ['gateways, also behind a proxy of the console', { mqttHost: '0.0.0.0', trustProxy: '10.0.0.2' }, /LINEWARDEN_MQTT_HOST/],
  ['a database elsewhere', { databaseUrl: 'postgres://a:geheim@db.example.com/l' }, /DATABASE_URL/],
  ['a database that takes no TLS if it likes', { databaseUrl: 'postgres://a:geheim@db/l?sslmode=prefer' }, /DATABASE_URL/],
])('%s without TLS is told in both languages, with no password', (_, difference, names) => {
  const [exposure, ...more] = exposures(difference)
  expect(more).toEqual([])
  expect(exposure?.Said.en).toMatch(names)
  expect(exposure?.Said.zh).toMatch(/请.*\p{Script=Han}/u)
  expect(JSON.stringify(exposure)).not.toContain('geheim')
})

test.each([
  ['the console with a certificate of its own', { host: '0.0.0.0', tls: files }],
  ['gateways that cannot come without TLS', { mqttHost: '0.0.0.0', mqttPort: null }],
  ['a database with TLS, in short', { databaseUrl: 'postgres://a:b@db.example.com/l?ssl=true' }],
  ['the console behind a proxy', { host: '0.0.0.0', trustProxy: '10.0.0.2' }],
  ['a database with TLS', { databaseUrl: 'postgres://a:b@db.example.com/l?sslmode=verify-full' }],
  ['a database here', { databaseUrl: 'postgres://a:b@127.0.0.1/l' }],
  ['a database here, by IPv6', { databaseUrl: 'postgres://a:b@[::1]/l' }],
  ['a database on a socket', { databaseUrl: 'postgres:///l?host=/run/postgresql' }],
])('%s is not', (_, difference) => expect(exposures(difference)).toEqual([]))

test('a certificate that is not valid, that nobody renews, or whose successor cannot be used, is told once for all that show it', () => {
  const certificate = (isEnding: boolean, isRefused: boolean, notValid: object | null = null) =>
    ({ path: '/etc/own.crt', endsOn: '2030-01-09', isEnding, isRefused, notValid }) as unknown as Certificate
  const of = (own: Certificate) => exposuresOf(alone, { console: own, mqtt: own })
  expect(of(certificate(false, false))).toEqual([])
  expect(of(certificate(true, false))).toEqual([
    {
      Kind: 'certificate',
      Said: { en: expect.stringMatching(/own\.crt ends on 2030-01-09\. /), zh: expect.stringContaining('2030-01-09') },
    },
  ])
  const notYet = { en: 'It is not valid before 2030-01-02.', zh: '2030-01-02 起才生效。' }
  expect(of(certificate(false, false, notYet))).toEqual([
    {
      Kind: 'certificate',
      Said: {
        en: 'It is not valid before 2030-01-02. Until then browsers and gateways turn this server away.',
        zh: '2030-01-02 起才生效。在此之前，浏览器和网关会拒绝连接本服务器。',
      },
    },
  ])
  for (const each of [certificate(false, true), certificate(true, true, notYet)])
    expect(of(each)[0]?.Said).toEqual({
      en: expect.stringContaining('a new one in its place that cannot be used'),
      zh: expect.stringContaining('新证书无法使用'),
    })
})
