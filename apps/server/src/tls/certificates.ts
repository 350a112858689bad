import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import type { Config } from '../config.ts'
import { Loop } from '../lib/every.ts'
import { Certificate } from './certificate.ts'

/** The certificates of the listeners; null: that listener speaks no TLS of its own. */
export interface Certificates {
  readonly console: Certificate | null
  readonly mqtt: Certificate | null
  readonly metrics: readonly Gauge[]
  /** Reads every file again, as it also does by itself each minute. */
  renew(): Promise<void>
  close(): Promise<void>
}

const lookEveryMs = 60_000

/** Opens the certificates that the settings name. Throws StartRefusal when one cannot be used. */
export async function openCertificates(
  { tls, mqttTls }: Pick<Config, 'tls' | 'mqttTls'>,
  { clock, log }: { clock: () => number; log: Logger },
): Promise<Certificates> {
  const own = tls && (await Certificate.open(tls, { clock, log }))
  const isShared = tls?.cert === mqttTls?.cert && tls?.key === mqttTls?.key
  const mqtt = mqttTls && (isShared ? own : await Certificate.open(mqttTls, { clock, log }))
  const named = [
    { listener: 'console', certificate: own },
    { listener: 'mqtt', certificate: mqtt },
  ].filter((each): each is { listener: string; certificate: Certificate } => each.certificate !== null)
  const all = new Set(named.map(({ certificate }) => certificate))
  const renew = async () => {
    for (const certificate of all) await certificate.renew()
  }
  // Files are looked at instead of watched: links that are turned, as certbot does, and network folders tell a watcher nothing.
  const loop = new Loop(lookEveryMs, renew, { log, unref: true })
  if (all.size > 0) loop.start()
  await renew()
  return { console: own, mqtt, metrics: metricsOf(named), renew, close: () => loop.close() }
}

function metricsOf(named: readonly { listener: string; certificate: Certificate }[]): Gauge[] {
  if (named.length === 0) return []
  const gauge = (name: string, help: string, value: (certificate: Certificate) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['listener'],
      registers: [],
      collect() {
        for (const { listener, certificate } of named) this.set({ listener }, value(certificate))
      },
    })
  return [
    gauge('linewarden_certificate_days_left', 'Days until the certificate in use ends', ({ daysLeft }) => daysLeft),
    gauge(
      'linewarden_certificate_valid',
      "1: the certificate in use is valid now, as this machine's clock goes",
      ({ notValid }) => (notValid ? 0 : 1),
    ),
    gauge('linewarden_certificate_refused', '1: the files hold a new certificate that cannot be used', ({ isRefused }) =>
      isRefused ? 1 : 0,
    ),
  ]
}
