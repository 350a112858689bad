import { isIP } from 'node:net'
import type { Config } from './config.ts'

type Exposed = Pick<Config, 'host' | 'mqttHost' | 'databaseUrl' | 'trustProxy'>

/** Whether only this machine can reach it. */
const isLocal = (host: string): boolean => host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/**
 * What others on the network can read along or change, as the settings stand: one sentence in both languages each, with what to do. A proxy
 * that is believed is taken to bring TLS to the console.
 */
export function exposuresOf({ host, mqttHost, databaseUrl, trustProxy }: Exposed): string[] {
  const database = databaseUrl === null ? null : new URL(databaseUrl)
  const mode = database?.searchParams.get('sslmode') ?? 'disable'
  const isPlainDatabase =
    database !== null &&
    database.hostname !== '' &&
    !isLocal(database.hostname.replace(/^\[|\]$/g, '')) &&
    ['disable', 'allow', 'prefer'].includes(mode)
  return [
    ...(isLocal(host) || trustProxy !== false
      ? []
      : [
          `The console listens beyond this machine (LINEWARDEN_HOST=${host}) without TLS: whoever is on the way reads sign-ins and can operate breakers. Put a proxy with TLS in front and set LINEWARDEN_TRUST_PROXY. / 控制台在本机之外监听且未加密：网络上的人可以截获登录并操作断路器。请在前面部署 TLS 反向代理，并设置 LINEWARDEN_TRUST_PROXY。`,
        ]),
    ...(isLocal(mqttHost)
      ? []
      : [
          `Gateways are listened to beyond this machine (LINEWARDEN_MQTT_HOST=${mqttHost}) without TLS: their secrets can be read on the way. Put a TLS proxy in front, or keep them in a network of their own. / MQTT 在本机之外监听且未加密：网关密钥可能被截获。请部署 TLS 代理，或使用独立网络。`,
        ]),
    ...(isPlainDatabase
      ? [
          'DATABASE_URL reaches another machine without TLS: add sslmode=verify-full. / DATABASE_URL 连接另一台机器且未加密：请加上 sslmode=verify-full。',
        ]
      : []),
  ]
}
