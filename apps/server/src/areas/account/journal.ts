import type { listJournal, Reply, Request, verifyJournal } from '@linewarden/contract'
import { actionName } from '@linewarden/contract'
import type { Actor } from '../../http/context.ts'
import { walkAudit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import * as stored from '../../store/journal.ts'
import { asSeenBy } from '../../store/seen-by.ts'
import { treeOwner } from '../owner.ts'

/** The system log: who did, or tried, what. */
export const createJournal = ({ database }: { database: Database }) => ({
  async list(actor: Actor, body: Request<typeof listJournal>['body']): Promise<Reply<typeof listJournal>> {
    const filter = {
      tree: treeOwner(actor),
      actor: body.Actor,
      action: body.Action,
      target: body.Target,
      outcome: body.Outcome,
      from: body.From,
      to: body.To,
      page: body.Page ?? 1,
      size: body.Size ?? 10,
      sort: body.Sort,
    }
    const { rows, total } = await asSeenBy(database, actor.sight, (db) => stored.listJournal(db, filter))
    const items = rows.map((row) => ({
      ID: row.audit_id,
      At: row.at.getTime(),
      Actor: row.actor,
      Address: row.address,
      Action: row.action,
      Label: actionName(row.action),
      Target: row.target,
      Before: row.before,
      After: row.after,
      Outcome: row.outcome,
    }))
    return { items, total }
  },

  async verify(): Promise<Reply<typeof verifyJournal>> {
    const { entries, firstBroken } = await walkAudit(database.general)
    return { Entries: entries, FirstBroken: firstBroken }
  },
})
