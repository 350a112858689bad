import type { LinkagePermit } from '@linewarden/contract'
import { linkagePermit, linkageRunOperation, runLinkage } from '@linewarden/contract'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../../app/net/change.ts'
import { newId } from '../../../app/net/new-id.ts'
import { useCall } from '../../../app/net/use-call.ts'
import { WaitingDialog } from '../../../app/net/waiting-dialog.tsx'
import { RunForm } from '../scenes/run-form.tsx'
import { ordersOf, sentCount } from '../scenes/scene-facts.ts'

/** Asks before a linkage does now what it would do at a rise of its conditions. */
export function RunDialog({
  linkageId,
  name,
  onStarted,
  onClose,
}: {
  linkageId: number
  name: string
  onStarted: (executionId: string) => void
  onClose: () => void
}) {
  const { t } = useTranslation('linkages')
  // One dialog is one intent: sent again after an answer that was lost, it operates nothing twice.
  const executionId = useRef(newId()).current
  const query = useCall(linkagePermit, { params: { LinkageID: linkageId } }, { refetchInterval: 3_000 })
  const permit = query.data
  const title = t('runTitle', { name: permit?.Name ?? name })
  if (!permit) return <WaitingDialog title={title} query={query} onClose={onClose} />
  const { LinkageID, Items, Raises, Orders, State } = permit
  return (
    <RunForm
      permit={permit}
      at={query.dataUpdatedAt}
      title={title}
      submit={t('runNow')}
      isReady={State === 'true' && (Raises.length + Orders.length > 0 || sentCount(ordersOf(Items)) > 0)}
      plan={<RunPlan permit={permit} />}
      becameAnother={t('becameAnother')}
      onStart={async (order, take) => {
        const grant = await take(linkageRunOperation(executionId, { LinkageID, Version: order.Version }, Items))
        await change(runLinkage, { body: { LinkageID, RunID: executionId, ...order, ...grant } })
        onStarted(executionId)
      }}
      onClose={onClose}
    />
  )
}

/** What is done at once and what later, in the order in which it is. */
function RunPlan({ permit: { Items, Raises, Orders, DisabledScenes, State } }: { permit: LinkagePermit }) {
  const { t } = useTranslation(['linkages', 'scenes', 'automation'])
  const { trips, closes, already, blocked } = ordersOf(Items.filter(({ DelayS }) => DelayS === 0))
  const later = Items.filter(({ DelayS }) => DelayS > 0)
  const names = (all: readonly string[]) => all.join(t('automation:nameBetween'))
  return (
    <>
      {State !== 'true' && <p className="caution">{t('notTrueNow')}</p>}
      <ul className="run-plan">
        {trips.length > 0 && <li>{t('scenes:willTrip', { count: trips.length })}</li>}
        {closes.length > 0 && <li>{t('scenes:willClose', { count: closes.length })}</li>}
        {later.length > 0 && <li>{t('willLater', { count: later.length })}</li>}
        {Raises.length > 0 && <li>{t('willRaise', { names: names(Raises) })}</li>}
        {Orders.length > 0 && <li>{t('willOrder', { names: names(Orders) })}</li>}
        {already.length > 0 && <li className="mute">{t('scenes:willSkip', { count: already.length })}</li>}
        {blocked.length > 0 && <li>{t('scenes:willRefuse', { count: blocked.length })}</li>}
        {DisabledScenes.length > 0 && <li>{t('willNotRun', { names: names(DisabledScenes) })}</li>}
      </ul>
    </>
  )
}
