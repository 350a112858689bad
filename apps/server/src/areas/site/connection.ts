import type { announcedGateways, gatewayAccess, Reply } from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { SiteDeps } from './deps.ts'

/** Where gateways connect, and which try that nobody has added. */
export function createConnection({ config, ingest, clock }: Pick<SiteDeps, 'config' | 'ingest' | 'clock'>) {
  return {
    access: (): Reply<typeof gatewayAccess> => ({
      Url: config.mqttUrl,
      Port: ingest.ports.tls ?? ingest.port,
      Tls: ingest.ports.tls !== null,
    }),

    announced(): Reply<typeof announcedGateways> {
      const items = ingest.attempts.unknownGateways().map((each) => ({
        Number: each.number,
        FirstAt: each.firstAt,
        LastAt: each.lastAt,
        Tries: each.tries,
        Address: each.address,
        Mqtt5: ingest.attempts.speaksMqtt5(each.number),
      }))
      return { items, total: items.length }
    },

    async dismiss(actor: Actor, number: string): Promise<null> {
      const audit = { ...by(actor, clock(), 'gateway.dismiss', actor.tenant), subject: aboutNothing, target: number }
      if (!(await ingest.attempts.dismiss(number, audit))) throw new Refusal('gateway not exists')
      return null
    },
  }
}
