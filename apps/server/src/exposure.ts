import { isIP } from 'node:net'
import type { Exposure } from '@linewarden/contract'
import type { Config } from './config.ts'
import type { Certificate } from './tls/certificate.ts'
import type { Certificates } from './tls/certificates.ts'

type Exposed = Pick<Config, 'host' | 'tls' | 'mqttHost' | 'mqttPort' | 'mqttTls' | 'databaseUrl' | 'trustProxy'>

/** Whether only this machine can reach it. */
const isLocal = (host: string): boolean => host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/**
 * What others on the network can read along or change, as the settings stand, and certificates that prove nothing now, or soon no more: one
 * sentence in both languages each, with what to do. A proxy that is believed is taken to bring TLS to the console.
 */
export function exposuresOf(config: Exposed, certificates: Pick<Certificates, 'console' | 'mqtt'>): Exposure[] {
  const { host, tls, mqttHost, mqttPort, mqttTls, databaseUrl, trustProxy } = config
  const found: Exposure[] = []
  if (!tls && !isLocal(host) && trustProxy === false)
    found.push({
      Kind: 'console',
      Said: {
        en: `The console listens beyond this machine (LINEWARDEN_HOST=${host}) without TLS: whoever is on the way reads sign-ins and can operate breakers. Set LINEWARDEN_TLS_CERT and LINEWARDEN_TLS_KEY, or put a proxy with TLS in front and set LINEWARDEN_TRUST_PROXY.`,
        zh: `控制台在本机之外监听（LINEWARDEN_HOST=${host}）且未加密：网络上的人可以截获登录并操作断路器。请设置 LINEWARDEN_TLS_CERT 和 LINEWARDEN_TLS_KEY，或在前面部署 TLS 反向代理并设置 LINEWARDEN_TRUST_PROXY。`,
      },
    })
  if (mqttPort !== null && !isLocal(mqttHost))
    found.push({
      Kind: 'mqtt',
      Said: {
        en: `Gateways can connect from beyond this machine (LINEWARDEN_MQTT_HOST=${mqttHost}) without TLS on port ${mqttPort}: their secrets can be read on the way. ${mqttTls ? 'Have' : 'Set LINEWARDEN_TLS_CERT or LINEWARDEN_MQTTS_CERT with its key, have'} them connect to LINEWARDEN_MQTTS_PORT, then set LINEWARDEN_MQTT_PORT=off.`,
        zh: `网关可从本机之外（LINEWARDEN_MQTT_HOST=${mqttHost}）以未加密方式连接端口 ${mqttPort}：网关密钥可能被截获。请${mqttTls ? '' : '用 LINEWARDEN_TLS_CERT 或 LINEWARDEN_MQTTS_CERT 及其私钥启用加密，并'}让网关改连 LINEWARDEN_MQTTS_PORT，然后设置 LINEWARDEN_MQTT_PORT=off。`,
      },
    })
  if (databaseUrl !== null && isPlain(new URL(databaseUrl)))
    found.push({
      Kind: 'database',
      Said: {
        en: 'DATABASE_URL reaches another machine without TLS that proves which one it is: add sslmode=verify-full.',
        zh: 'DATABASE_URL 连接另一台机器，但未加密或未验证对方身份：请加上 sslmode=verify-full。',
      },
    })
  for (const certificate of new Set([certificates.console, certificates.mqtt]))
    if (certificate?.notValid || certificate?.isEnding || certificate?.isRefused)
      found.push({ Kind: 'certificate', Said: textOf(certificate) })
  return found
}

function textOf({ path, endsOn, notValid, isRefused }: Certificate): Exposure['Said'] {
  const now = notValid
    ? {
        en: `${notValid.en} Until then browsers and gateways turn this server away.`,
        zh: `${notValid.zh}在此之前，浏览器和网关会拒绝连接本服务器。`,
      }
    : {
        en: `The certificate ${path} ends on ${endsOn}. Renew it: afterwards browsers and gateways turn this server away.`,
        zh: `证书 ${path} 将于 ${endsOn} 到期。请及时更新：到期后浏览器和网关将拒绝连接本服务器。`,
      }
  if (!isRefused) return now
  return {
    en: `${now.en} There is a new one in its place that cannot be used (the log says why).`,
    zh: `${now.zh}新证书无法使用（原因见日志）。`,
  }
}

/** Whether somebody on the way could read the connection, or be its other end. */
function isPlain(url: URL): boolean {
  const { searchParams } = url
  const host = searchParams.get('host') ?? url.hostname.replace(/^\[|\]$/g, '')
  if (host === '' || host.startsWith('/') || isLocal(host)) return false
  const mode = searchParams.get('sslmode') ?? (['1', 'true'].includes(searchParams.get('ssl') ?? '') ? 'verify-full' : 'disable')
  // As libpq understands it, `require` asks nobody who they are; by itself the driver takes it for verify-full.
  const proving = searchParams.get('uselibpqcompat') === 'true' ? ['verify-full'] : ['require', 'verify-ca', 'verify-full']
  return !proving.includes(mode)
}
