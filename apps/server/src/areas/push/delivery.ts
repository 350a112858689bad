import { canBePushed } from '@linewarden/equipment'
import type { Ingest } from '../../field/ingest.ts'
import type { Plant, PlantGateway } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredPush, WaitingPush } from '../../store/push/push.ts'
import { pushedGateway } from '../../store/push/push.ts'
import type { Seal } from '../account/secrets.ts'
import { Aside, orAside } from './aside.ts'
import { messagesOf } from './detector-messages.ts'
import type { PushedReport } from './forms/report.ts'
import { reportsIn } from './platform-message.ts'

export interface DeliveryDeps {
  readonly database: Database
  readonly plant: Plant
  readonly ingest: Pick<Ingest, 'pushed' | 'setAside' | 'isConnected'>
  readonly seal: Seal
  readonly clock: () => number
}

/** Takes what a platform pushed into ingest; what cannot be taken is kept aside there with its reason. */
export function createDelivery({ database, plant, ingest, seal, clock }: DeliveryDeps) {
  return { deliver }

  async function deliver({ push, body }: WaitingPush): Promise<{ committed: Promise<void>; setAside: boolean }> {
    const raw = { topic: `push/${push.platform}/${push.push_id}`, payload: Buffer.from(body) }
    const all: Promise<void>[] = []
    let setAside = false
    const collect = (promise: Promise<void>) => {
      // Awaited with all others; one that fails meanwhile is not yet anybody's.
      promise.catch(() => {})
      all.push(promise)
    }
    // A message is kept aside once for each reason, however many of its reports are bad: each keeps the whole of it.
    const noted = new Set<string>()
    const aside = (problem: Aside, number: string | null) => {
      setAside = true
      if (noted.has(problem.reason)) return
      noted.add(problem.reason)
      collect(ingest.setAside({ ...raw, number, reason: problem.reason, detail: problem.message }))
    }
    const reports = orAside(() => reportsIn(push, body, seal))
    if (reports instanceof Aside) aside(reports, null)
    else
      for (const report of reports) {
        const id = await pushedGateway(database, push.project_id, report.names)
        const gateway = id === null ? undefined : plant.gateways.get(id)
        const messages = orAside(() => messagesOf(push, report, usable(push, report, gateway), clock()))
        if (messages instanceof Aside) aside(messages, gateway?.number ?? null)
        else if (gateway) collect(ingest.pushed(gateway, messages, raw))
      }
    const committed = Promise.all(all).then(() => {})
    committed.catch(() => {})
    return { committed, setAside }
  }

  function usable(push: StoredPush, { names }: PushedReport, gateway: PlantGateway | undefined): PlantGateway {
    if (!gateway)
      throw new Aside('unknown_device', `no gateway of project ${push.project_id} has the IMEI or number ${names.join(' or ')}`)
    if (gateway.disabled) throw new Aside('disabled', `gateway ${gateway.number} is disabled`)
    // A push says what a device is. Who may push for a project must not make a breaker a detector, nor speak for a gateway that is here itself.
    if (gateway.devices.size > 1 || [...gateway.devices.values()].some(({ family }) => !canBePushed(family)))
      throw new Aside('not_a_detector', `gateway ${gateway.number} is no detector of its own`)
    if (ingest.isConnected(gateway)) throw new Aside('not_a_detector', `gateway ${gateway.number} is connected by MQTT`)
    return gateway
  }
}
