import type { CommandStep, commandSteps, LedgerEntry, List, ledger, Reply, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import type { Plant } from '../../plant/plant.ts'
import type { LedgerFilter, LedgerRow } from '../../store/control/ledger.ts'
import * as stored from '../../store/control/ledger.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { commandRecord } from './records.ts'

const usualSize = 10

/** The ledger of commands: who ordered what, and what the equipment answered. */
export function createLedger({ database, plant }: { database: Database; plant: Plant }) {
  return {
    async page(actor: Actor, query: Request<typeof ledger>['query']): Promise<List<LedgerEntry>> {
      // Whoever is told of nobody could ask name by name what each did.
      if (actor.shared && query.Actor?.trim()) return { items: [], total: 0 }
      const limit = query.Size ?? usualSize
      const page = { offset: ((query.Page ?? 1) - 1) * limit, limit }
      const filter = filterOf(query)
      const lineIds = await stored.ledgerLines(database, filter, seenBy(actor, plant))
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) => stored.ledgerPage(db, filter, lineIds, page))
      return { items: rows.map(entry), total }
    },

    async steps(actor: Actor, commandId: string): Promise<Reply<typeof commandSteps>> {
      const filter = { ...filterOf({}), commandId }
      const lineIds = await stored.ledgerLines(database, filter, seenBy(actor, plant))
      return withRowSecurity(database, actor.scope, async (db) => {
        const { rows } = await stored.ledgerPage(db, filter, lineIds, { offset: 0, limit: 1 })
        const [row] = rows
        if (!row) throw new Refusal('command not exists')
        const steps = await stored.stepsOf(db, commandId)
        return {
          Entry: entry(row),
          Steps: steps.map(({ state, at, evidence }) => ({ State: state as CommandStep['State'], At: at, Evidence: evidence })),
        }
      })
    },
  }
}

const filterOf = (query: Request<typeof ledger>['query']): LedgerFilter => ({
  controllerId: query.ControllerID ?? null,
  lineNo: query.LineNo ?? null,
  projectId: query.HouseID ?? null,
  lineName: query.LineName?.trim() ?? null,
  actor: query.Actor?.trim() ?? null,
  action: query.Action ?? null,
  state: query.State ?? null,
  source: query.Source ?? null,
  operationId: query.RunID ?? null,
  commandId: null,
  from: query.From ?? null,
  to: query.To ?? null,
  sort: query.Sort,
})

const entry = (row: LedgerRow): LedgerEntry => ({
  Command: commandRecord(row.command, { device: { controllerId: row.controllerId }, lineNo: row.lineNo }),
  LineName: row.lineName,
  DeviceName: row.deviceName,
  GatewayName: row.gatewayName,
  HouseName: row.projectName,
})
