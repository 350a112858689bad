import type { Downloads } from '../../http/downloads.ts'
import { createCloseOut } from './close-out.ts'
import type { WorkOrderDeps } from './deps.ts'
import { createLinkageOrders } from './linkage-orders.ts'
import { createNotices } from './notices.ts'
import { createOrderAccess } from './order-access.ts'
import { createOrderActs } from './order-acts.ts'
import { createOrderExport } from './order-export.ts'
import { createOrderInsert } from './order-insert.ts'
import { createOrderList } from './order-list.ts'
import { createOrderPhotos } from './order-photos.ts'
import { createOrderRules } from './order-rules.ts'
import { createSeveral } from './order-several.ts'
import { createOrderTexts } from './order-texts.ts'
import { createRuleOrders } from './rule-orders.ts'

export type WorkOrders = ReturnType<typeof createWorkOrders>

/** Work orders, from whoever finds something to whoever accepts that it is gone. */
export function createWorkOrders(deps: WorkOrderDeps & { readonly downloads: Downloads }) {
  const access = createOrderAccess(deps)
  const closeOut = createCloseOut(deps, access)
  closeOut.start()
  const notices = createNotices(deps, access)
  notices.start()
  const byRules = createRuleOrders(deps, access)
  byRules.start()
  const ofLinkages = createLinkageOrders(deps, access)
  ofLinkages.start()
  return {
    ...createOrderList(deps, access),
    ...createOrderExport(deps, access),
    ...createOrderInsert(deps, access),
    ...createOrderTexts(deps, access),
    ...createOrderPhotos(deps, access),
    ...createOrderActs(deps, access, closeOut),
    ...createSeveral(deps, access, closeOut),
    ...createOrderRules(deps, access),
    /** One look at what rules make orders of. */
    lookByRules: byRules.look,
    /** One look at what firings of linkages asked for. */
    lookByLinkages: ofLinkages.look,
    listNotices: notices.notices,
    readNotices: notices.read,
    /** Sends every notice that is due. */
    sendNotices: notices.send,
    /** One look at what proves itself, or comes back. */
    look: closeOut.look,
    close: async () => {
      await Promise.all([closeOut.close(), notices.close(), byRules.close(), ofLinkages.close()])
    },
  }
}
