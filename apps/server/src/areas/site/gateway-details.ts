import type { gatewayDetails, Reply } from '@linewarden/contract'
import type { PlantGateway } from '../../plant/plant.ts'
import { asideText } from './aside-texts.ts'
import type { SiteDeps } from './deps.ts'
import { devicesOf } from './finding.ts'
import type { GatewayRecords } from './gateway-records.ts'

type Details = Reply<typeof gatewayDetails>

/** One gateway with what stands behind it, and what of it could not be taken. */
export function createGatewayDetails({ ingest }: Pick<SiteDeps, 'ingest'>, records: GatewayRecords) {
  return async (gateway: PlantGateway): Promise<Details> => ({
    ...(await records.one(gateway)),
    Refused: refusalOf(gateway),
    RefusedDevices: refusedDevices(gateway),
    SetAside: setAside(gateway),
    Devices: devicesOf(gateway),
  })

  /** Why it was turned away the last time, unless it was let in since. */
  function refusalOf(gateway: PlantGateway): Details['Refused'] {
    const last = ingest.attempts.refusalOf(gateway)
    return last && { Reason: last.reason, At: last.at, Address: last.address }
  }

  /** What stands behind it and was not recognised. */
  function refusedDevices(gateway: PlantGateway): Details['RefusedDevices'] {
    return ingest.refusedDevices(gateway).map(({ controllerId, reason, detail, since, messages }) => ({
      ID: controllerId,
      Reason: reason,
      Detail: detail,
      Since: since,
      Messages: messages,
    }))
  }

  /** What it says that cannot be taken, and what to do about it. Its devices that were not recognised are told by themselves. */
  function setAside(gateway: PlantGateway): Details['SetAside'] {
    return ingest.asidesOf(gateway).flatMap(({ reason, detail, lastAt, messages }) => {
      const text = asideText(reason)
      return text ? [{ Reason: reason, Text: text, Detail: detail, LastAt: lastAt, Messages: messages }] : []
    })
  }
}
