import type { EventRecord } from '@linewarden/contract'
import { standAlone } from '@linewarden/contract'
import { isUnacknowledged } from '@linewarden/rules/alarm'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { callWithToast } from '../../../app/net/call-with-toast.ts'
import { change } from '../../../app/net/change.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { useSession } from '../../../app/session/session.ts'
import { useMayEdit, useMayOpen } from '../../../app/session/use-may.ts'
import { orderOf, paths } from '../../../paths.ts'
import { useByNow } from '../../../ui/use-now.ts'
import { notifyRaisedAgain } from '../raised-again.ts'
import { acknowledgeAll, againstShelving, isOnShelf, unshelveAll } from './acts.ts'
import { useBriefResult } from './outcome-dialog.tsx'
import { ShelveDialog } from './shelve-dialog.tsx'

const reasons = { over: 'overNow', danger: 'dangerNever', administrators: 'byAdministrators' } as const

/** What can be done about one alarm. */
export function EventFoot({ event }: { event: EventRecord }) {
  const { t } = useTranslation(['alarmList', 'alarmMarks'])
  const mayEdit = useMayEdit()
  const administrator = useSession(({ user }) => user?.Roles.IsAdministrators === true)
  const onShelf = useByNow((now) => isOnShelf(event, now))
  const against = useByNow((now) => againstShelving(event, administrator, now) ?? '')
  const [busy, setBusy] = useState(false)
  const [shelving, setShelving] = useState(false)
  const isShownBriefly = useBriefResult()
  const mayOrder = useMayOpen(paths.workOrders)
  if (!mayEdit || event.State === null) return null
  const order = mayOrder && (
    <Link className="btn large" to={orderOf(event.EventID)}>
      {t('makeOrder')}
    </Link>
  )
  if (event.State === 'normal') return order ? <div className="event-foot">{order}</div> : null
  const run = async (act: () => Promise<unknown>) => {
    if (busy) return
    setBusy(true)
    await callWithToast(act())
    setBusy(false)
  }
  const acknowledge = async () => notifyRaisedAgain((await acknowledgeAll([event])).counts.get('raisedAgain') ?? 0)
  const children = event.Incident?.Children ?? 0
  const reason = against === 'over' || against === 'danger' || against === 'administrators' ? t(reasons[against]) : null
  return (
    <div className="event-foot">
      {isUnacknowledged(event.State) && (
        <button type="button" className="btn large primary" aria-busy={busy} onClick={() => void run(acknowledge)}>
          {children > 0 ? t('alarmMarks:acknowledgeWhole', { count: children + 1 }) : t('acknowledge')}
        </button>
      )}
      {onShelf ? (
        <button type="button" className="btn large" aria-busy={busy} onClick={() => void run(() => unshelveAll([event]))}>
          {t('unshelve')}
        </button>
      ) : (
        <ReasonedButton className="btn large" reason={reason} onClick={() => setShelving(true)}>
          {t('shelve')}
        </ReasonedButton>
      )}
      {order}
      {event.Suppressed === 'incident' && (
        <button
          type="button"
          className="btn large"
          aria-busy={busy}
          title={t('aloneHint')}
          onClick={() => void run(() => change(standAlone, { params: { EventID: event.EventID } }))}
        >
          {t('alone')}
        </button>
      )}
      {shelving && (
        <ShelveDialog events={[event]} onDone={(result) => isShownBriefly(result)} onClose={() => setShelving(false)} />
      )}
    </div>
  )
}
