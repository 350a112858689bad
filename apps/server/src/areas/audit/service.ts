import type { listJournal, Reply, Request, verifyJournal } from '@linewarden/contract'
import { aboutNothing, actionName, subjectStored } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { tenantOf } from '../../access/owner.ts'
import { partialScopeOf, seesGroup } from '../../access/seen.ts'
import type { AuditCopy } from '../../audit/copy.ts'
import { allNames, createSubjectNames, type SubjectSources } from '../../audit/names.ts'
import type { Plant } from '../../plant/plant.ts'
import { walkAudit } from '../../store/audit/chain.ts'
import * as stored from '../../store/audit/list.ts'
import type { SeenByAccount } from '../../store/audit/readers.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { namesWithin } from '../../store/people/user.ts'

interface TrailDeps {
  readonly database: Database
  readonly plant: Plant
  readonly subjects: SubjectSources
  readonly auditCopy: Pick<AuditCopy, 'check'>
}

/** The system log: who did, or tried, what. Below the administrator: one's own entries, and those about what one sees. */
export const createAuditTrail = ({ database, plant, subjects, auditCopy }: TrailDeps) => {
  const things = createSubjectNames(subjects)

  async function seenOf(actor: Actor, db: Database): Promise<SeenByAccount | null> {
    const within = partialScopeOf(actor)
    if (!within) return null
    return {
      accountId: actor.accountId,
      names: await namesWithin(db, actor.accountId, actor.tenant, within),
      projectIds: within.projectIds,
      gatewayIds: within.gatewayIds,
      groupIds: [...plant.cities.values()].filter((group) => seesGroup(actor, plant, group)).map(({ id }) => id),
    }
  }
  return {
    async list(actor: Actor, body: Request<typeof listJournal>['body']): Promise<Reply<typeof listJournal>> {
      const { subjects: called, names } = body.Target ? await things.called(actor, body.Target) : allNames
      // Of an inspection from before it is not told whether its number is a gateway's or a device's.
      const formerly = called.flatMap(({ kind, id }) =>
        kind === 'gateway' || kind === 'device' ? [{ kind: 'gatewayOrDevice', id } as const] : [],
      )
      const wanted = {
        tenant: tenantOf(actor),
        actor: body.Actor,
        action: body.Action,
        target: body.Target,
        called: [...called, ...formerly],
        outcome: body.Outcome,
        from: body.From,
        to: body.To,
        page: body.Page ?? 1,
        size: body.Size ?? 10,
        sort: body.Sort,
      }
      const { rows, total } = await withRowSecurity(database, actor.scope, async (db) =>
        stored.listJournal(db, { ...wanted, about: await seenOf(actor, db) }),
      )
      const about = rows.map((row) => subjectStored(row.subject_kind, row.subject_id))
      const labels = await things.labels(
        actor,
        rows.map(({ target }, i) => ({ target, subject: about[i] ?? aboutNothing })),
      )
      const items = rows.map((row, i) => ({
        ID: row.audit_id,
        At: row.at.getTime(),
        Actor: row.actor,
        Address: row.address,
        Action: row.action,
        Label: actionName(row.action),
        Target: row.target,
        TargetLabel: labels[i] ?? { zh: row.target, en: row.target },
        Subject: { Kind: about[i]?.kind ?? 'nothing', ID: about[i]?.id ?? '' },
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
