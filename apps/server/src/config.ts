import { resolve } from 'node:path'
import { ordinaryPages } from '@linewarden/contract'
import { hourMs } from '@linewarden/equipment'
import type { SecondFactorOf } from '@linewarden/rules/account'
import { isAdministratorAccount, secondFactorOf } from '@linewarden/rules/account'
import { confirmAboveLines } from '@linewarden/rules/control'
import type { BucketConfig } from './lib/bucket-setting.ts'
import { bucketSetting } from './lib/bucket-setting.ts'
import type { Environment } from './lib/environment.ts'
import { BadSetting, matching, oneOf, portOrOff, text, whole, yesNo } from './lib/environment.ts'
import type { MailConfig } from './lib/mail-setting.ts'
import { mailSetting } from './lib/mail-setting.ts'
import { networksSetting } from './lib/networks-setting.ts'

/** Every setting of the server, read once. Names are those of the environment (`.env.example` explains each). */
export interface Config {
  readonly host: string
  readonly port: number
  /** The certificate of the console's port, which then speaks HTTPS and nothing else; null: plain HTTP. */
  readonly tls: TlsFiles | null
  /** Where plain HTTP leads pages to HTTPS; null: nowhere. */
  readonly redirectPort: number | null
  readonly mqttHost: string
  /** MQTT without TLS; null: off. */
  readonly mqttPort: number | null
  /** MQTT over TLS; null: off. */
  readonly mqttTls: (TlsFiles & { readonly port: number }) | null
  /** Where gateways find the broker from outside, as it is written on their settings page; null: nobody said. */
  readonly mqttUrl: string | null
  /** Absolute folder of everything the server keeps: database, secrets. */
  readonly dataDir: string
  /** Absolute folder of the copy of the audit trail; null: there is none. */
  readonly auditCopy: string | null
  /** Absolute folder of photos; null: in the data folder. Several servers of one database share it. */
  readonly photoFolder: string | null
  /** In place of a folder; null: there is none. */
  readonly photoBucket: BucketConfig | null
  /** So many bytes the photos of one project may take. */
  readonly photoQuotaBytes: number
  /** By which reports are sent; null: none is. */
  readonly mail: MailConfig | null
  /** An external PostgreSQL; null: the embedded one. */
  readonly databaseUrl: string | null
  /** Sparkplug host id, in the STATE topic. */
  readonly hostId: string
  /** Origins other than our own that may open the console and the live socket. */
  readonly allowedOrigins: readonly string[]
  /** Whose X-Forwarded headers are believed: addresses and networks, comma-separated, or the last so many proxies; false: nobody's. */
  readonly trustProxy: string | number | false
  /** Who may read /metrics beside this machine: addresses and networks, comma-separated; null: nobody. */
  readonly metricsFrom: string | null
  /** Connections to the console's port that one address, of IPv6 one /64, may hold at once. */
  readonly connectionsPerAddress: number
  /** Whether the API reference is answered at /api/docs. */
  readonly apiDocs: boolean
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  readonly sessionIdleMs: number
  readonly sessionAbsoluteMs: number
  readonly rawDays: number
  /** The account that the first start makes. */
  readonly firstAccount: string
  /** Of more lines than this a person types the count before operating them together. */
  readonly confirmAboveLines: number
  /** Whose installation this is; null: nobody is named. */
  readonly company: string | null
  /** The route that an account finds at position 4 of its menu as well, by account in lower case. */
  readonly extraRoutes: ReadonlyMap<string, string>
  /** The provider's site, shown in the user menu of the console opened on one host; null: none. */
  readonly provider: { readonly host: string; readonly name: string; readonly url: string } | null
  /** The partner that may sign its users on by name; null: none. */
  readonly partner: { readonly appId: string; readonly secret: string } | null
  /** Who may sign firmware: a name, and an Ed25519 public key as its 32 bytes in base64. Empty: no firmware is taken. */
  readonly firmwareKeys: readonly { readonly name: string; readonly key: string }[]
  /** Who must have a second factor. */
  readonly requireSecondFactor: SecondFactorOf
  /** Versions of the pepper that are gone for good. */
  readonly peppersGivenUp: readonly number[]
  /** The organisation's own sign-on by OpenID Connect; null: off. */
  readonly signOn: SignOnConfig | null
  /** Folder of the built console; null: API only. */
  readonly consoleDir: string | null
}

/** A certificate with its chain, and its key, as PEM files. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

/** How people sign on at their organisation's OpenID Connect provider. */
export interface SignOnConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What the button on the login page says. */
  readonly name: string
  /** The claim that is the name of the account here. */
  readonly claim: string
  /** Whose tenant and which role somebody gets who has no account yet; null: they are refused. */
  readonly create: { readonly owner: string; readonly role: string } | null
}

/** Reads the settings; throws BadSetting for the first that cannot be used. Unknown LINEWARDEN_ names are refused too: a typing error must not silently mean the default. */
export function readConfig(env: Environment): Config {
  for (const name of Object.keys(env)) {
    if (name.startsWith('LINEWARDEN_') && !known.has(name))
      throw new BadSetting(name, env[name] ?? '', 'there is no such setting')
  }
  return {
    host: text(env, 'LINEWARDEN_HOST', '127.0.0.1'),
    port: whole(env, 'LINEWARDEN_PORT', 8080, 0, 65_535),
    mqttHost: text(env, 'LINEWARDEN_MQTT_HOST', '127.0.0.1'),
    ...listeners(env),
    mqttUrl:
      env.LINEWARDEN_MQTT_URL === undefined
        ? null
        : matching(env, 'LINEWARDEN_MQTT_URL', '', /^mqtts?:\/\/[^\s/@]{1,253}$/, 'mqtt://host:port or mqtts://host:port'),
    dataDir: resolve(text(env, 'LINEWARDEN_DATA', 'data')),
    auditCopy: env.LINEWARDEN_AUDIT_COPY === undefined ? null : resolve(text(env, 'LINEWARDEN_AUDIT_COPY', '')),
    photoFolder: env.LINEWARDEN_PHOTOS === undefined ? null : resolve(text(env, 'LINEWARDEN_PHOTOS', '')),
    photoBucket: bucketSetting(env, 'LINEWARDEN_PHOTO_BUCKET'),
    photoQuotaBytes: whole(env, 'LINEWARDEN_PHOTO_QUOTA_MB', 2_048, 1, 1_000_000) * 1_048_576,
    mail: mailSetting(env),
    databaseUrl: databaseUrl(env),
    hostId: matching(env, 'LINEWARDEN_HOST_ID', 'linewarden', /^[A-Za-z0-9_-]{1,32}$/, 'letters, digits, - and _, at most 32'),
    allowedOrigins: origins(env),
    trustProxy: trustProxy(env),
    metricsFrom: env.LINEWARDEN_METRICS_FROM === undefined ? null : networksSetting(env, 'LINEWARDEN_METRICS_FROM'),
    connectionsPerAddress: whole(env, 'LINEWARDEN_CONNECTIONS_PER_ADDRESS', 1_000, 10, 100_000),
    apiDocs: yesNo(env, 'LINEWARDEN_API_DOCS', true),
    logLevel: oneOf(env, 'LINEWARDEN_LOG', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    sessionIdleMs: whole(env, 'LINEWARDEN_SESSION_IDLE_MINUTES', 30, 1, 24 * 60) * 60_000,
    sessionAbsoluteMs: whole(env, 'LINEWARDEN_SESSION_HOURS', 12, 1, 24 * 7) * hourMs,
    rawDays: whole(env, 'LINEWARDEN_RAW_DAYS', 90, 2, 3650),
    firstAccount: firstAccount(env),
    confirmAboveLines: whole(env, 'LINEWARDEN_CONFIRM_LINES', confirmAboveLines, 0, 500),
    company: env.LINEWARDEN_COMPANY === undefined ? null : text(env, 'LINEWARDEN_COMPANY', ''),
    extraRoutes: extraRoutes(env),
    provider: provider(env),
    partner: partner(env),
    firmwareKeys: firmwareKeys(env),
    requireSecondFactor: secondFactor(env),
    peppersGivenUp: peppersGivenUp(env),
    signOn: signOn(env),
    consoleDir: env.LINEWARDEN_CONSOLE === 'off' ? null : resolve(text(env, 'LINEWARDEN_CONSOLE', 'apps/console/dist')),
  }
}

/** Every setting of ours; those of others (`DATABASE_URL`) and files of secrets are not among them. */
export const known = new Set([
  'LINEWARDEN_HOST',
  'LINEWARDEN_PORT',
  'LINEWARDEN_MQTT_HOST',
  'LINEWARDEN_MQTT_PORT',
  'LINEWARDEN_MQTT_URL',
  'LINEWARDEN_TLS_CERT',
  'LINEWARDEN_TLS_KEY',
  'LINEWARDEN_HTTP_PORT',
  'LINEWARDEN_MQTTS_PORT',
  'LINEWARDEN_MQTTS_CERT',
  'LINEWARDEN_MQTTS_KEY',
  'LINEWARDEN_DATA',
  'LINEWARDEN_AUDIT_COPY',
  'LINEWARDEN_PHOTOS',
  'LINEWARDEN_PHOTO_BUCKET',
  'LINEWARDEN_PHOTO_BUCKET_KEY',
  'LINEWARDEN_PHOTO_BUCKET_REGION',
  'LINEWARDEN_PHOTO_QUOTA_MB',
  'LINEWARDEN_SMTP_URL',
  'LINEWARDEN_SMTP_TLS',
  'LINEWARDEN_MAIL_FROM',
  'LINEWARDEN_PUBLIC_URL',
  'LINEWARDEN_HOST_ID',
  'LINEWARDEN_ORIGINS',
  'LINEWARDEN_TRUST_PROXY',
  'LINEWARDEN_METRICS_FROM',
  'LINEWARDEN_CONNECTIONS_PER_ADDRESS',
  'LINEWARDEN_API_DOCS',
  'LINEWARDEN_LOG',
  'LINEWARDEN_SESSION_IDLE_MINUTES',
  'LINEWARDEN_SESSION_HOURS',
  'LINEWARDEN_RAW_DAYS',
  'LINEWARDEN_FIRST_ACCOUNT',
  'LINEWARDEN_CONFIRM_LINES',
  'LINEWARDEN_COMPANY',
  'LINEWARDEN_EXTRA_ROUTE',
  'LINEWARDEN_PROVIDER',
  'LINEWARDEN_PARTNER',
  'LINEWARDEN_FIRMWARE_KEYS',
  'LINEWARDEN_REQUIRE_SECOND_FACTOR',
  'LINEWARDEN_OIDC_ISSUER',
  'LINEWARDEN_OIDC_CLIENT',
  'LINEWARDEN_OIDC_NAME',
  'LINEWARDEN_OIDC_CLAIM',
  'LINEWARDEN_OIDC_CREATE',
  'LINEWARDEN_CONSOLE',
  'LINEWARDEN_PEPPER',
  'LINEWARDEN_PEPPERS_GIVEN_UP',
])

/** What speaks TLS and what does not. With a certificate MQTT over TLS is on by itself; MQTT without it stays until it is turned off. */
function listeners(env: Environment): Pick<Config, 'tls' | 'redirectPort' | 'mqttPort' | 'mqttTls'> {
  const tls = tlsFiles(env, 'LINEWARDEN_TLS_CERT', 'LINEWARDEN_TLS_KEY')
  const mqttFiles = tlsFiles(env, 'LINEWARDEN_MQTTS_CERT', 'LINEWARDEN_MQTTS_KEY') ?? tls
  const redirectPort = portOrOff(env, 'LINEWARDEN_HTTP_PORT', null)
  if (redirectPort !== null && !tls) throw withoutCertificate('LINEWARDEN_HTTP_PORT', redirectPort, 'LINEWARDEN_TLS_CERT')
  const mqttsPort = portOrOff(env, 'LINEWARDEN_MQTTS_PORT', mqttFiles ? 8883 : null)
  if (mqttsPort !== null && !mqttFiles)
    throw withoutCertificate('LINEWARDEN_MQTTS_PORT', mqttsPort, 'LINEWARDEN_TLS_CERT or LINEWARDEN_MQTTS_CERT')
  const mqttPort = portOrOff(env, 'LINEWARDEN_MQTT_PORT', 1883)
  if (mqttPort === null && mqttsPort === null)
    throw new BadSetting(
      'LINEWARDEN_MQTT_PORT',
      'off',
      'gateways could connect nowhere; turn MQTT over TLS on (LINEWARDEN_MQTTS_PORT) first',
      '网关将无处可连；请先用 LINEWARDEN_MQTTS_PORT 启用加密的 MQTT',
    )
  return { tls, redirectPort, mqttPort, mqttTls: mqttFiles && mqttsPort !== null ? { ...mqttFiles, port: mqttsPort } : null }
}

/** Both files, or neither. */
function tlsFiles(env: Environment, certName: string, keyName: string): TlsFiles | null {
  const [cert, key] = [text(env, certName, ''), text(env, keyName, '')]
  if (cert === '' && key === '') return null
  if (cert === '' || key === '') {
    const [missing, given] = cert === '' ? [certName, keyName] : [keyName, certName]
    throw new BadSetting(
      missing,
      '',
      `${given} is set; a certificate and its key are needed together, each as a PEM file`,
      `已设置 ${given}；证书和私钥（PEM 文件）必须同时指定`,
    )
  }
  return { cert: resolve(cert), key: resolve(key) }
}

const withoutCertificate = (name: string, value: number, certName: string) =>
  new BadSetting(
    name,
    String(value),
    `there is no certificate; set ${certName} and its key too, or leave it out`,
    `没有证书；请同时设置 ${certName.replace(' or ', ' 或 ')} 及其私钥，或删除此项`,
  )

/** `loopback` is a proxy on this machine: in a private network people sit too, who write in that header what they like. */
function trustProxy(env: Environment): string | number | false {
  const value = env.LINEWARDEN_TRUST_PROXY ?? 'no'
  if (value === 'no') return false
  if (value === 'loopback' || value === 'yes') return '127.0.0.0/8, ::1'
  if (/^[1-9]$/.test(value)) return Number(value)
  return networksSetting(env, 'LINEWARDEN_TRUST_PROXY', 'no, loopback, the number of proxies (1 to 9), or ')
}

function firstAccount(env: Environment): string {
  const value = text(env, 'LINEWARDEN_FIRST_ACCOUNT', 'admin')
  if (isAdministratorAccount(value)) return value
  throw new BadSetting(
    'LINEWARDEN_FIRST_ACCOUNT',
    value,
    'a mobile number, or a letter and 2 to 31 letters, digits, . - or _ is needed, and not system',
    '应为手机号，或以字母开头、由字母、数字、点、横线或下划线组成的 3 至 32 个字符，且不能是 system',
  )
}

function databaseUrl(env: Environment): string | null {
  const value = env.DATABASE_URL
  if (value === undefined || value === '') return null
  // The value holds a password: it is never repeated in a message.
  if (!URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol)) {
    throw new BadSetting('DATABASE_URL', '(hidden)', 'postgres://user:password@host:5432/database is needed')
  }
  return value
}

function origins(env: Environment): string[] {
  const value = env.LINEWARDEN_ORIGINS
  if (value === undefined || value === '') return []
  return value.split(',').map((each) => {
    const trimmed = each.trim()
    if (!URL.canParse(trimmed) || new URL(trimmed).origin !== trimmed) {
      throw new BadSetting('LINEWARDEN_ORIGINS', value, 'a comma-separated list such as https://console.example.com is needed')
    }
    return trimmed
  })
}

/** `host|name|url`: all three, or none. */
function provider(env: Environment): Config['provider'] {
  const value = env.LINEWARDEN_PROVIDER
  if (value === undefined || value === '') return null
  const [host = '', name = '', url = ''] = value.split('|').map((each) => each.trim())
  if (host === '' || name === '' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new BadSetting(
      'LINEWARDEN_PROVIDER',
      value,
      'host|name|url is needed, such as console.example.com|Example|https://example.com',
    )
  // As browsers say it.
  return { host: host.toLowerCase(), name, url }
}

/** `account=/route`, separated by commas; a route that no page has would be a menu item that leads nowhere. */
function extraRoutes(env: Environment): Config['extraRoutes'] {
  const value = env.LINEWARDEN_EXTRA_ROUTE
  if (value === undefined || value === '') return new Map()
  return new Map(
    value.split(',').map((each): [string, string] => {
      const [, account, route] = /^([^=]+)=(\S+)$/.exec(each.trim()) ?? []
      if (account === undefined || route === undefined || !ordinaryPages.some((page) => page.route === route))
        throw new BadSetting(
          'LINEWARDEN_EXTRA_ROUTE',
          value,
          `account=/route is needed, separated by commas, each with one of the routes ${ordinaryPages.map((page) => page.route).join(' ')}`,
        )
      return [account.trim().toLowerCase(), route]
    }),
  )
}

/** `app:secret`; the secret is never repeated in a message. */
function partner(env: Environment): Config['partner'] {
  const value = env.LINEWARDEN_PARTNER
  if (value === undefined || value === '') return null
  const [, appId, secret] = /^([A-Za-z0-9_-]{1,32}):(\S{32,})$/.exec(value) ?? []
  if (appId === undefined || secret === undefined || /^(.)\1*$/.test(secret))
    throw new BadSetting(
      'LINEWARDEN_PARTNER',
      '(hidden)',
      'app:secret is needed, with at least 32 random characters for the secret',
    )
  return { appId, secret }
}

/** `yes` is what it was before it could be asked of more than those who run the installation. */
function secondFactor(env: Environment): SecondFactorOf {
  const asked = oneOf(env, 'LINEWARDEN_REQUIRE_SECOND_FACTOR', 'no', [...secondFactorOf, 'yes'])
  return asked === 'yes' ? 'platform' : asked
}

function peppersGivenUp(env: Environment): number[] {
  const value = env.LINEWARDEN_PEPPERS_GIVEN_UP
  if (value === undefined || value === '') return []
  if (!/^\d{1,4}(,\d{1,4})*$/.test(value))
    throw new BadSetting('LINEWARDEN_PEPPERS_GIVEN_UP', value, 'numbers of versions are needed, separated by commas, such as 1,2')
  return value.split(',').map(Number)
}

/** `name:key`, separated by commas. */
function firmwareKeys(env: Environment): Config['firmwareKeys'] {
  const value = env.LINEWARDEN_FIRMWARE_KEYS
  if (value === undefined || value === '') return []
  return value.split(',').map((each) => {
    const [, name, key] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(each.trim()) ?? []
    if (name === undefined || key === undefined)
      throw new BadSetting(
        'LINEWARDEN_FIRMWARE_KEYS',
        value,
        'name:key is needed, the key as the 32 bytes of an Ed25519 public key in base64; separate several by commas',
      )
    return { name, key }
  })
}

function signOn(env: Environment): SignOnConfig | null {
  const issuer = env.LINEWARDEN_OIDC_ISSUER
  if (issuer === undefined || issuer === '') return null
  const { protocol = '', hostname = '' } = URL.canParse(issuer) ? new URL(issuer) : {}
  // Without TLS anybody on the way could be the provider.
  if (protocol !== 'https:' && !(protocol === 'http:' && /^(127\.|localhost$|\[::1\]$)/.test(hostname)))
    throw new BadSetting('LINEWARDEN_OIDC_ISSUER', issuer, 'an https:// address is needed')
  const [, clientId, clientSecret] = /^([^:\s]{1,128}):(\S{16,})$/.exec(env.LINEWARDEN_OIDC_CLIENT ?? '') ?? []
  if (clientId === undefined || clientSecret === undefined)
    throw new BadSetting('LINEWARDEN_OIDC_CLIENT', '(hidden)', 'client:secret is needed, as the provider gave them')
  const [, owner, role] = /^([^|]+)\|([^|]+)$/.exec(env.LINEWARDEN_OIDC_CREATE ?? '') ?? []
  if (env.LINEWARDEN_OIDC_CREATE && (owner === undefined || role === undefined))
    throw new BadSetting('LINEWARDEN_OIDC_CREATE', env.LINEWARDEN_OIDC_CREATE, 'administrator|role-number is needed')
  return {
    issuer,
    clientId,
    clientSecret,
    name: text(env, 'LINEWARDEN_OIDC_NAME', 'OpenID Connect'),
    // No default: at many providers people choose their `preferred_username` themselves, and it decides whose account it is.
    claim: matching(env, 'LINEWARDEN_OIDC_CLAIM', '', /^[A-Za-z0-9_]{1,64}$/, 'the name of one claim that people cannot choose'),
    create: owner === undefined || role === undefined ? null : { owner: owner.trim(), role: role.trim() },
  }
}
