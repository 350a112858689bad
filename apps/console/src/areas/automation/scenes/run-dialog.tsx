import type { ScenePermit } from '@linewarden/contract'
import { scenePermit, sceneRunOperation, switchScene } from '@linewarden/contract'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../app/net/api.ts'
import { newId } from '../../../app/net/new-id.ts'
import { useCall } from '../../../app/net/use-call.ts'
import { WaitingDialog } from '../../../app/net/waiting-dialog.tsx'
import { RunForm } from './run-form.tsx'
import { ordersOf, sentCount } from './scene-facts.ts'

/** Asks before a scene runs: what it will send, what it moves, what stands against it, and why it is run. */
export function RunDialog({
  sceneId,
  name,
  onStarted,
  onClose,
}: {
  sceneId: number
  name: string
  onStarted: (executionId: string) => void
  onClose: () => void
}) {
  const { t } = useTranslation('scenes')
  // One dialog is one intent: sent again after an answer that was lost, it operates nothing twice.
  const executionId = useRef(newId()).current
  const query = useCall(scenePermit, { params: { SceneID: sceneId } }, { refetchInterval: 3_000 })
  const permit = query.data
  if (!permit) return <WaitingDialog title={t('runTitle', { name })} query={query} onClose={onClose} />
  const count = sentCount(ordersOf(permit.Items))
  return (
    <RunForm
      permit={permit}
      at={query.dataUpdatedAt}
      title={t('runTitle', { name: permit.Name })}
      submit={t('runIt', { count })}
      isReady={count > 0}
      plan={<RunPlan permit={permit} />}
      becameAnother={t('becameAnother')}
      onStart={async (order, take) => {
        const { SceneID, Items } = permit
        const grant = await take(sceneRunOperation(executionId, { SceneID, Version: order.Version }, Items))
        // What it shows is read again beside it: nobody waits for that to see their run.
        await api.call(switchScene, { body: { SceneID, RunID: executionId, ...order, ...grant } })
        onStarted(executionId)
      }}
      onClose={onClose}
    />
  )
}

/** What will happen, in the order in which it does. */
function RunPlan({ permit: { Items, IfRefused } }: { permit: ScenePermit }) {
  const { t } = useTranslation('scenes')
  const { trips, closes, already, blocked } = ordersOf(Items)
  return (
    <ul className="run-plan">
      {trips.length > 0 && <li>{t('willTrip', { count: trips.length })}</li>}
      {closes.length > 0 && <li>{t('willClose', { count: closes.length })}</li>}
      {already.length > 0 && <li className="mute">{t('willSkip', { count: already.length })}</li>}
      {blocked.length > 0 && <li>{t('willRefuse', { count: blocked.length })}</li>}
      {IfRefused === 'stopCloses' && closes.length > 0 && <li>{t('willStop')}</li>}
    </ul>
  )
}
