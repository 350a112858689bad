import type { listJournal, Reply, Request, verifyJournal } from '@linewarden/contract'
import { actionName } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { treeOwner } from '../../access/owner.ts'
import { narrowed, seesGroup } from '../../access/seen.ts'
import type { AuditCopy } from '../../audit/copy.ts'
import type { Plant } from '../../plant/plant.ts'
import { walkAudit } from '../../store/audit.ts'
import type { SeenByAccount } from '../../store/concerns.ts'
import type { Database } from '../../store/core/database.ts'
import { asSeenBy } from '../../store/core/seen-by.ts'
import * as stored from '../../store/journal.ts'
import { namesWithin } from '../../store/people/user.ts'
import { allNames, createLogTargets } from './log-targets.ts'

interface JournalDeps {
  readonly database: Database
  readonly plant: Plant
  readonly auditCopy: Pick<AuditCopy, 'check'>
}

/** The system log: who did, or tried, what. Below the administrator: one's own entries, and those about what one sees. */
export const createJournal = ({ database, plant, auditCopy }: JournalDeps) => {
  const targets = createLogTargets({ database, plant })

  async function seenOf(actor: Actor, db: Database): Promise<SeenByAccount | null> {
    const within = narrowed(actor)
    if (!within) return null
    return {
      accountId: actor.accountId,
      names: await namesWithin(db, actor.accountId, actor.tree, within),
      projectIds: within.projectIds,
      gatewayIds: within.gatewayIds,
      groupIds: [...plant.cities.values()].filter((group) => seesGroup(actor, plant, group)).map(({ id }) => id),
    }
  }
  return {
    async list(actor: Actor, body: Request<typeof listJournal>['body']): Promise<Reply<typeof listJournal>> {
      const { targets: called, names } = body.Target ? await targets.called(actor, body.Target) : allNames
      const wanted = {
        tree: treeOwner(actor),
        actor: body.Actor,
        action: body.Action,
        target: body.Target,
        called,
        outcome: body.Outcome,
        from: body.From,
        to: body.To,
        page: body.Page ?? 1,
        size: body.Size ?? 10,
        sort: body.Sort,
      }
      const { rows, total } = await asSeenBy(database, actor.sight, async (db) =>
        stored.listJournal(db, { ...wanted, about: await seenOf(actor, db) }),
      )
      const labels = await targets.labels(actor, rows)
      const items = rows.map((row, i) => ({
        ID: row.audit_id,
        At: row.at.getTime(),
        Actor: row.actor,
        Address: row.address,
        Action: row.action,
        Label: actionName(row.action),
        Target: row.target,
        TargetLabel: labels[i] ?? { zh: row.target, en: row.target },
        Before: row.before,
        After: row.after,
        Outcome: row.outcome,
      }))
      return { items, total, about: { Names: names } }
    },

    async verify(): Promise<Reply<typeof verifyJournal>> {
      const { entries, firstBroken } = await walkAudit(database.general)
      return { Entries: entries, FirstBroken: firstBroken, Copy: await auditCopy.check() }
    },
  }
}
