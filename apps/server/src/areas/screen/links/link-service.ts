import type { addScreen, editScreen, List, Reply, Request, ScreenLink, ScreenSeat } from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { Actor } from '../../../access/actor.ts'
import { tenantOf } from '../../../access/owner.ts'
import { by } from '../../../audit/audited.ts'
import type { Plant } from '../../../plant/plant.ts'
import type { Database } from '../../../store/core/database.ts'
import { withRowSecurity } from '../../../store/core/row-security.ts'
import type { LinkRow } from '../../../store/screen/link.ts'
import * as stored from '../../../store/screen/link.ts'
import { endSeat, openSeats, seatsOf } from '../../../store/screen/seat.ts'
import { tokenHash } from '../../account/token.ts'
import { newLinkKey } from './link-key.ts'
import { linkRecord, loggedOf, seatRecord } from './link-records.ts'
import { contentOf } from './link-scope.ts'

export type ScreenLinks = ReturnType<typeof createScreenLinks>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
  /** Seats of these numbers are over. */
  readonly ended: (seatNos: readonly string[]) => void
  /** Seats of these ids show something else from now on. */
  readonly changed: (seatIds: readonly string[]) => void
}

const maxLinks = 100
/** How long a seat that is over is still listed. */
const listedMs = 30 * dayMs

/** Screen links, for whoever may change the projects that they show. */
export function createScreenLinks({ database, plant, clock, ended, changed }: Deps) {
  return { list, add, edit, revoke, seats, seen, recordOf }

  async function list(actor: Actor, { Page = 1, Size = 50 }: { Page?: number; Size?: number }): Promise<List<ScreenLink>> {
    refuseGuests(actor)
    const { rows, total } = await withRowSecurity(database, actor.scope, ({ general }) =>
      stored.linksSeen(general, scopeOfLinks(actor), { page: Page, size: Size }),
    )
    return { items: await recordsOf(rows), total }
  }

  async function add(actor: Actor, body: Request<typeof addScreen>['body']): Promise<Reply<typeof addScreen>> {
    refuseGuests(actor)
    const now = clock()
    const content = contentOf(plant, actor, body, now)
    const Key = newLinkKey()
    const audit = (linkId: number) => ({
      ...by(actor, now, 'screen.add', content.ownerId),
      ...{ subject: about('screen', linkId), target: content.name, after: loggedOf(content) },
    })
    const link = { ...content, keyHash: tokenHash(Key), madeBy: actor.userName, now }
    const row = await stored.insertLink(database, link, maxLinks, audit)
    if (row === 'full') throw new Refusal('too many screens', { most: maxLinks })
    return { Screen: linkRecord(row, undefined), Key }
  }

  async function edit(actor: Actor, { ScreenID, Version, ...body }: Request<typeof editScreen>['body']): Promise<ScreenLink> {
    const before = await seen(actor, ScreenID)
    if (before.revoked_at) throw new Refusal('screen over')
    const now = clock()
    const content = contentOf(plant, actor, body, now)
    const row = await stored.updateLink(
      database,
      { ...content, linkId: ScreenID, version: Version },
      {
        ...by(actor, now, 'screen.edit', content.ownerId),
        ...{
          subject: about('screen', ScreenID),
          target: content.name,
          before: loggedOf(contentIn(before)),
          after: loggedOf(content),
        },
      },
    )
    if (row === 'changed') throw new Refusal('changed meanwhile')
    changed((await openSeats(database.general, ScreenID)).map(({ seat_id }) => seat_id))
    return recordOf(row)
  }

  /** All of it, or one seat: then another browser may take its place. */
  async function revoke(actor: Actor, linkId: number, seatId: string | undefined): Promise<ScreenLink> {
    const link = await seen(actor, linkId)
    const now = clock()
    const entry = { subject: about('screen', linkId), target: link.name }
    if (seatId !== undefined) {
      const audit = { ...by(actor, now, 'screen.take', link.owner_id), ...entry, after: { seat: seatId } }
      const seatNo = await endSeat(database, { seatId, linkId, why: 'taken', now }, audit)
      if (seatNo === undefined) throw new Refusal('changed meanwhile')
      ended([seatNo])
      return recordOf(link)
    }
    const revoked = await stored.revokeLink(database, linkId, now, {
      ...by(actor, now, 'screen.revoke', link.owner_id),
      ...entry,
    })
    if (!revoked) throw new Refusal('screen over')
    ended(revoked.seatNos)
    return recordOf(revoked.row)
  }

  async function seats(actor: Actor, linkId: number): Promise<List<ScreenSeat>> {
    await seen(actor, linkId)
    const items = (await seatsOf(database.general, linkId, clock() - listedMs)).map(seatRecord)
    return { items, total: items.length }
  }

  /** A link that the actor may change. Throws Refusal. */
  async function seen(actor: Actor, linkId: number): Promise<LinkRow> {
    refuseGuests(actor)
    const row = await withRowSecurity(database, actor.scope, ({ general }) =>
      stored.linkSeen(general, scopeOfLinks(actor), linkId),
    )
    if (!row) throw new Refusal('screen not exists')
    return row
  }

  async function recordsOf(rows: readonly LinkRow[]): Promise<ScreenLink[]> {
    const uses = await stored.usesOf(
      database.general,
      rows.map(({ link_id }) => link_id),
    )
    return rows.map((row) => linkRecord(row, uses.get(row.link_id)))
  }

  async function recordOf(row: LinkRow): Promise<ScreenLink> {
    const [record] = await recordsOf([row])
    if (!record) throw new Error('a link without its record')
    return record
  }
}

/** An account that equipment is shared with gives it to nobody else. */
export function refuseGuests({ shared }: Actor): void {
  if (shared) throw new Refusal('access denied')
}

/** What the rules of the rows say too, for a database that has none. */
const scopeOfLinks = (actor: Actor): stored.LinkScope => ({
  owner: tenantOf(actor),
  projectIds: actor.administrator ? null : actor.scope.projectIds,
})

const contentIn = (row: LinkRow) => ({
  ...{ name: row.name, groupId: row.group_id, projectIds: row.project_ids, shown: row.shown, mostSeats: row.most_seats },
  hardUntil: row.hard_until?.getTime() ?? null,
})
