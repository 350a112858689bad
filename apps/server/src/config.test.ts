import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { known, readConfig } from './config.ts'
import { BadSetting } from './lib/environment.ts'

test('without settings everything listens on this machine only', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    mqttHost: '127.0.0.1',
    mqttPort: 1883,
    databaseUrl: null,
    trustProxy: false,
    metricsFrom: null,
    rawDays: 90,
  })
})

test('the file of examples names every setting, and no other', () => {
  const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const named = [...example.matchAll(/^(?:# )?(LINEWARDEN_\w+)=/gm)].flatMap(([, name = '']) =>
    name.endsWith('_FILE') ? [] : [name],
  )
  expect(named.sort()).toEqual([...known].sort())
})

test('what is set is taken', () => {
  const given = {
    LINEWARDEN_PORT: '9000',
    DATABASE_URL: 'postgres://a:b@c/d',
    LINEWARDEN_ORIGINS: 'https://a.example, http://b.example:81',
    LINEWARDEN_EXTRA_ROUTE: '13800000001=/hazard/workorder, Guard=/advance/warning',
    LINEWARDEN_CONSOLE: 'off',
  }
  expect(readConfig(given)).toMatchObject({
    port: 9000,
    databaseUrl: 'postgres://a:b@c/d',
    allowedOrigins: ['https://a.example', 'http://b.example:81'],
    extraRoutes: new Map([
      ['13800000001', '/hazard/workorder'],
      ['guard', '/advance/warning'],
    ]),
    consoleDir: null,
  })
})

describe('a bad setting is refused by its own name', () => {
  test.each([
    ['LINEWARDEN_PORT', '80a'],
    ['LINEWARDEN_PORT', '65536'],
    ['LINEWARDEN_PORT', '-1'],
    ['LINEWARDEN_HOST', ' '],
    ['LINEWARDEN_HOST_ID', 'a/b'],
    ['LINEWARDEN_FIRST_ACCOUNT', 'system'],
    ['LINEWARDEN_FIRST_ACCOUNT', '1st'],
    ['LINEWARDEN_AUDIT_COPY', ''],
    ['LINEWARDEN_PHOTOS', ' '],
    ['LINEWARDEN_PHOTO_QUOTA_MB', '0'],
    ['LINEWARDEN_PHOTO_BUCKET', 's3://photos'],
    ['LINEWARDEN_PHOTO_BUCKET', 'https://key:secret@s3.example.com/photos'],
    ['LINEWARDEN_TRUST_PROXY', 'true'],
    ['LINEWARDEN_TRUST_PROXY', '203.0.113.7, proxy'],
    ['LINEWARDEN_TRUST_PROXY', '0.0.0.0/0'],
    ['LINEWARDEN_TRUST_PROXY', '0'],
    ['LINEWARDEN_TRUST_PROXY', '10'],
    ['LINEWARDEN_METRICS_FROM', ''],
    ['LINEWARDEN_METRICS_FROM', 'all'],
    ['LINEWARDEN_METRICS_FROM', '0.0.0.0/0'],
    ['LINEWARDEN_METRICS_FROM', '10.0.0.5, monitor'],
    ['LINEWARDEN_CONNECTIONS_PER_ADDRESS', '0'],
    ['LINEWARDEN_API_DOCS', 'on'],
    ['LINEWARDEN_TRUST_PROXY', '10.0.0.0/33'],
    ['LINEWARDEN_LOG', 'loud'],
    ['LINEWARDEN_SESSION_HOURS', '0'],
    ['LINEWARDEN_PARTNER', 'gd'],
    ['LINEWARDEN_PARTNER', 'gd:too-short'],
    ['LINEWARDEN_PARTNER', `gd:${'x'.repeat(40)}`],
    ['LINEWARDEN_OIDC_ISSUER', 'http://id.example.com'],
    ['LINEWARDEN_OIDC_ISSUER', 'id.example.com'],
    ['LINEWARDEN_REQUIRE_SECOND_FACTOR', 'true'],
    ['LINEWARDEN_FIRMWARE_KEYS', 'works'],
    ['LINEWARDEN_FIRMWARE_KEYS', 'works:AAAA'],
    ['LINEWARDEN_FIRMWARE_KEYS', `works:${'A'.repeat(43)}=,`],
    ['LINEWARDEN_EXTRA_ROUTE', '13800000001'],
    ['LINEWARDEN_EXTRA_ROUTE', '13800000001=/hazard'],
    ['LINEWARDEN_EXTRA_ROUTE', '13800000001=/system/firmware'],
    ['LINEWARDEN_EXTRA_ROUTE', '=/hazard/workorder'],
    ['LINEWARDEN_PEPPERS_GIVEN_UP', 'all'],
    ['LINEWARDEN_RAW_DAYS', '1'],
    ['LINEWARDEN_ORIGINS', 'https://a.example/'],
    ['DATABASE_URL', 'mysql://a'],
    ['LINEWARDEN_TYPO', 'x'],
    ['LINEWARDEN_MQTT_PORT', 'no'],
    ['LINEWARDEN_MQTT_PORT', 'off'],
    ['LINEWARDEN_MQTTS_PORT', '8883'],
    ['LINEWARDEN_HTTP_PORT', '80'],
  ])('%s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(BadSetting)
    expect(() => readConfig({ [name]: value })).toThrow(name)
  })

  test('and a database password is never repeated', () => {
    expect(() => readConfig({ DATABASE_URL: 'not-a-url-with-secret' })).toThrow(/^(?!.*secret)/)
  })
})

describe('TLS', () => {
  const own = { LINEWARDEN_TLS_CERT: '/etc/own.crt', LINEWARDEN_TLS_KEY: '/etc/own.key' }
  const mqttOwn = { LINEWARDEN_MQTTS_CERT: '/etc/mqtt.crt', LINEWARDEN_MQTTS_KEY: '/etc/mqtt.key' }
  const files = { cert: '/etc/own.crt', key: '/etc/own.key' }
  const mqttFiles = { cert: '/etc/mqtt.crt', key: '/etc/mqtt.key' }

  test('is off without a certificate', () =>
    expect(readConfig({})).toMatchObject({ tls: null, redirectPort: null, mqttPort: 1883, mqttTls: null }))

  test('with one is on for console and gateways; without TLS gateways go on until it is turned off', () => {
    expect(readConfig(own)).toMatchObject({ tls: files, redirectPort: null, mqttPort: 1883, mqttTls: { ...files, port: 8883 } })
    const only = { ...own, LINEWARDEN_MQTT_PORT: 'off', LINEWARDEN_MQTTS_PORT: '9883', LINEWARDEN_HTTP_PORT: '80' }
    expect(readConfig(only)).toMatchObject({ redirectPort: 80, mqttPort: null, mqttTls: { ...files, port: 9883 } })
  })

  test('has a certificate of its own for gateways where one is named, and none where that is off', () => {
    expect(readConfig({ ...own, ...mqttOwn }).mqttTls).toEqual({ ...mqttFiles, port: 8883 })
    expect(readConfig(mqttOwn)).toMatchObject({ tls: null, mqttTls: { ...mqttFiles, port: 8883 } })
    expect(readConfig({ ...own, LINEWARDEN_MQTTS_PORT: 'off' })).toMatchObject({ tls: files, mqttTls: null })
  })

  test.each([
    [{ LINEWARDEN_TLS_CERT: 'x' }, /LINEWARDEN_TLS_KEY= .*已设置 LINEWARDEN_TLS_CERT/],
    [{ LINEWARDEN_TLS_KEY: 'x' }, /LINEWARDEN_TLS_CERT= .*已设置 LINEWARDEN_TLS_KEY/],
    [{ LINEWARDEN_MQTTS_CERT: 'x' }, /LINEWARDEN_MQTTS_KEY= .*已设置 LINEWARDEN_MQTTS_CERT/],
    [{ ...own, LINEWARDEN_MQTT_PORT: 'off', LINEWARDEN_MQTTS_PORT: 'off' }, /gateways could connect nowhere.*网关将无处可连/],
    [{ ...mqttOwn, LINEWARDEN_HTTP_PORT: '80' }, /LINEWARDEN_HTTP_PORT=80 .*没有证书/],
  ])('is refused in both languages with %j', (env, words) => expect(() => readConfig(env)).toThrow(words))
})

test.each([
  ['yes', 'platform'],
  ['no', 'no'],
  ['administrators', 'administrators'],
  ['operators', 'operators'],
  ['everybody', 'everybody'],
])('a second factor by %s is asked of: %s', (value, of) =>
  expect(readConfig({ LINEWARDEN_REQUIRE_SECOND_FACTOR: value }).requireSecondFactor).toBe(of),
)

test('only a proxy on this machine, one that is named, or the last so many, says where a request came from', () => {
  const trusted = (value: string) => readConfig({ LINEWARDEN_TRUST_PROXY: value }).trustProxy
  expect(trusted('no')).toBe(false)
  expect([trusted('loopback'), trusted('yes')]).toEqual(['127.0.0.0/8, ::1', '127.0.0.0/8, ::1'])
  expect(trusted('2')).toBe(2)
  expect(trusted('203.0.113.7,2001:db8::/32')).toBe('203.0.113.7, 2001:db8::/32')
})

describe('sign-on by OpenID Connect', () => {
  const named = { LINEWARDEN_OIDC_ISSUER: 'https://id.example.com', LINEWARDEN_OIDC_CLIENT: 'console:a-secret-of-the-provider' }
  const on = { ...named, LINEWARDEN_OIDC_CLAIM: 'employee_number' }

  test('is off without an issuer, whatever else is set', () => {
    expect(readConfig({ LINEWARDEN_OIDC_NAME: 'Example' }).signOn).toBeNull()
  })

  test('has a claim that was named, and makes no accounts unless told to', () => {
    expect(() => readConfig(named)).toThrow('LINEWARDEN_OIDC_CLAIM')
    expect(readConfig(on).signOn).toMatchObject({ claim: 'employee_number', create: null })
    const created = readConfig({ ...on, LINEWARDEN_OIDC_CREATE: '13900000000|duty' }).signOn?.create
    expect(created).toEqual({ owner: '13900000000', role: 'duty' })
  })

  test.each([
    ['LINEWARDEN_OIDC_CLIENT', 'no-secret'],
    ['LINEWARDEN_OIDC_CLAIM', 'two claims'],
    ['LINEWARDEN_OIDC_CREATE', 'only-an-administrator'],
  ])('is refused with %s=%s', (name, value) => {
    expect(() => readConfig({ ...on, [name]: value })).toThrow(name)
  })

  test('never repeats its secret', () => {
    expect(() => readConfig({ ...on, LINEWARDEN_OIDC_CLIENT: 'console secret-with-space' })).toThrow(/^(?!.*secret-with)/)
  })
})

test('a bucket is named with its key, which no message repeats', () => {
  const LINEWARDEN_PHOTO_BUCKET = 'https://s3.example.com/photos/site-1/'
  const key = { LINEWARDEN_PHOTO_BUCKET, LINEWARDEN_PHOTO_BUCKET_KEY: 'id-1:a-long-secret' }
  expect(readConfig({ ...key, LINEWARDEN_PHOTO_BUCKET_REGION: 'cn-north-1' }).photoBucket).toEqual({
    url: 'https://s3.example.com/photos/site-1',
    region: 'cn-north-1',
    keyId: 'id-1',
    secret: 'a-long-secret',
  })
  expect(() => readConfig({ LINEWARDEN_PHOTO_BUCKET })).toThrow('LINEWARDEN_PHOTO_BUCKET_KEY=(hidden)')
  const hidden = { LINEWARDEN_PHOTO_BUCKET: 'https://id:a-long-secret@s3.example.com/photos' }
  expect(() => readConfig(hidden)).toThrow(/^((?!a-long-secret).)*$/s)
})
