import type { listOrderNotices, Reply, Request, readOrderNotices } from '@linewarden/contract'
import { about, queryWorkOrders } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import { Loop } from '../../lib/every.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import { eventRecord } from '../../store/alarm/event-record.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { claimDue } from '../../store/workorder/due.ts'
import { readNotices, unreadNotices } from '../../store/workorder/notice.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { NoticeLook } from './notice-look.ts'
import { createNoticeLook } from './notice-look.ts'
import type { OrderAccess } from './order-access.ts'

const everyMs = 1_000
/** So many in one transaction. */
const atOnce = 500
/** So long an order whose due row cannot be claimed is left alone: it keeps no other from its reminder. */
const leaveAloneMs = 60_000
const maxListed = 50

/** Reminds whoever is concerned of an order, once per order and due instant, and says what was done to it; docs/adr/0131. */
export function createNotices(deps: WorkOrderDeps, access: OrderAccess) {
  const { database, plant, hub, clock, log } = deps
  /** Orders that could not be claimed, until when. */
  const leftAlone = new Map<number, number>()
  const loop = new Loop(everyMs, sendDue, {
    log,
    failed: 'sending notices of work orders failed; it is tried again',
    unref: true,
  })
  return {
    start: () => loop.start(),
    close: () => loop.close(),
    /** Everything that is due now is sent when it resolves. */
    send: loop.tickAnew,
    async notices(
      actor: Actor,
      { Size = maxListed }: Request<typeof listOrderNotices>['query'],
    ): Promise<Reply<typeof listOrderNotices>> {
      const asked = { accountId: actor.accountId, seen: seenBy(actor, plant), size: Size }
      const { rows, total } = await withRowSecurity(database, actor.scope, (own) => unreadNotices(own, asked))
      return { items: rows.map((row) => eventRecord(row, plant)), total }
    },
    async read(actor: Actor, { OrderID }: Request<typeof readOrderNotices>['body']): Promise<Reply<typeof readOrderNotices>> {
      const row = await access.seen(actor, OrderID)
      const reader = { accountId: actor.accountId, name: access.nameOf(actor), orderId: OrderID, at: clock() }
      const read = await readNotices(database, reader, {
        ...access.auditOf(actor, 'workOrder.read', row.project_id),
        ...{ subject: about('workOrder', OrderID), target: row.number },
      })
      publish(read, false)
      return { Read: read.length }
    },
  }

  async function sendDue(): Promise<void> {
    const look = createNoticeLook(deps, access)
    for (const [orderId, until] of leftAlone) if (performance.now() > until) leftAlone.delete(orderId)
    for (let more = true; more; ) {
      const { sent, isMore } = await claimOrOneByOne(look)
      publish(sent, true)
      more = (await look.learn()) || isMore
    }
  }

  /** One row that the database does not take holds up no other: met in a batch, it is found one by one and left alone for a while. */
  async function claimOrOneByOne({
    decide,
  }: NoticeLook): Promise<{ readonly sent: readonly EventRow[]; readonly isMore: boolean }> {
    let asked: number | null = null
    const claim = (limit: number) => {
      const now = clock()
      return claimDue(database, {
        ...{ now, limit, except: [...leftAlone.keys()] },
        decide(due, order) {
          asked = order.order_id
          return decide(due, order, now)
        },
      })
    }
    try {
      const { sent, taken } = await claim(atOnce)
      return { sent, isMore: taken >= atOnce }
    } catch (error) {
      log.warn({ err: error }, 'what is due of work orders could not be claimed together; it is claimed one by one')
    }
    asked = null
    try {
      const { sent, taken } = await claim(1)
      return { sent, isMore: taken > 0 }
    } catch (error) {
      // The database is away: nothing is known against any of them.
      if (asked === null) throw error
      leftAlone.set(asked, performance.now() + leaveAloneMs)
      log.error({ err: error, order: asked }, 'what is due of a work order could not be claimed; it is tried again')
      return { sent: [], isMore: true }
    }
  }

  function publish(rows: readonly EventRow[], isNew: boolean): void {
    if (rows.length === 0) return
    hub.publish({
      live: rows.flatMap((row) => {
        if (row.for_account === null) return []
        const message = { t: 'event', event: eventRecord(row, plant), isNew } as const
        return { to: { account: row.for_account }, needs: queryWorkOrders, message }
      }),
    })
  }
}
