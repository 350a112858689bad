import { isUntouched } from '@linewarden/rules/firmware'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { firmwareReports } from '../../store/firmware/firmware-campaign.ts'
import type { Book } from './book.ts'
import type { GatewayMessages } from './gateway-messages.ts'
import type { Evidence } from './upgrade-lives.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
}

interface Parts {
  readonly book: Book
  readonly messages: GatewayMessages
}

/**
 * What gateways in an upgrade told another server when they came back there: a version counts wherever it was told. What they told here the
 * plant has, with whether it was a new session.
 */
export async function reportedElsewhere({ database, plant }: Deps, { book, messages }: Parts): Promise<readonly Evidence[]> {
  const away = [...book.places.keys()].flatMap((id) => {
    const upgrade = book.upgradeOf(id)
    const gateway = upgrade && plant.gateways.get(upgrade.gatewayId)
    return gateway && !isUntouched(upgrade) && !messages.reaches(gateway) ? [{ upgrade, gateway }] : []
  })
  if (away.length === 0) return []
  const ids = away.map(({ gateway }) => gateway.id)
  const reports = await firmwareReports(database, ids)
  return away.flatMap(({ upgrade, gateway }): Evidence[] => {
    const report = reports.get(gateway.id)
    if (!report || report.at <= (gateway.firmwareAt ?? 0)) return []
    return [[upgrade.upgradeId, { kind: 'reported', ...report, restarted: report.at > upgrade.since }]]
  })
}
