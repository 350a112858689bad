import type { AlarmView, List } from '@linewarden/contract'
import { maxAlarmViews, Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { keepView, removeView, viewsOf } from '../../store/alarm/view.ts'
import type { AlarmDeps } from './deps.ts'

/** Views of the alarm list that a person keeps: they follow the person from screen to screen. */
export function createViews({ database, clock }: AlarmDeps) {
  return {
    async views({ accountId }: Actor): Promise<List<AlarmView>> {
      const rows = await viewsOf(database, accountId)
      const items = rows.map(({ view_id, name, address }) => ({ ViewID: view_id, Name: name, Address: address }))
      return { items, total: items.length }
    },

    async keepView({ accountId }: Actor, view: AlarmView): Promise<AlarmView> {
      const kept: AlarmView = { ViewID: view.ViewID.toLowerCase(), Name: view.Name.trim(), Address: view.Address }
      const row = {
        account_id: accountId,
        view_id: kept.ViewID,
        name: kept.Name,
        address: kept.Address,
        kept_at: new Date(clock()),
      }
      if (!(await keepView(database, row, maxAlarmViews))) throw new Refusal('too many views', { most: maxAlarmViews })
      return kept
    },

    removeView: ({ accountId }: Actor, viewId: string): Promise<void> => removeView(database, accountId, viewId),
  }
}
