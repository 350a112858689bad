import type { Scene } from '@linewarden/contract'
import { stopScene } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../app/net/api.ts'
import { callWithToast } from '../../../app/net/call-with-toast.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ordersOf, sentCount, whyNotRun } from './scene-facts.ts'
import { SceneIcon } from './scene-icon.tsx'
import { useSceneRights } from './use-scene-rights.ts'

/** Runs a scene: its words say how many orders go out; dashed with the reason where none can. */
export function RunButton({ scene, large = false, onRun }: { scene: Scene; large?: boolean; onRun: () => void }) {
  const { t } = useTranslation('scenes')
  const reason = whyNotRun(scene, useSceneRights())
  const orders = ordersOf(scene.Items)
  const count = sentCount(orders)
  const isSo = count === 0 && orders.blocked.length === 0
  const nothing = t('nothing', { already: orders.already.length, blocked: orders.blocked.length })
  const word = count > 0 ? t('runs', { count }) : isSo ? t('allSo') : nothing
  return (
    <ReasonedButton
      className={large ? 'btn large' : 'btn'}
      reason={reason !== null ? t(reason) : count > 0 ? null : word}
      onClick={onRun}
    >
      {count > 0 ? <SceneIcon name="run" /> : <Icon name={isSo ? 'check' : 'lock'} />}
      {word}
    </ReasonedButton>
  )
}

/** Stops a run at once: lines whose turn has not come are not operated. It asks nothing, for it makes things safer. */
export function StopButton({
  executionId,
  left = null,
  large = false,
}: {
  executionId: string
  left?: number | null
  large?: boolean
}) {
  const { t } = useTranslation('scenes')
  const { connected, shared, maySwitch } = useSceneRights()
  const [busy, setBusy] = useState(false)
  const why = !connected ? 'noConnection' : shared ? 'sharedOnly' : maySwitch ? null : 'noSwitching'
  const stop = async () => {
    if (busy) return
    setBusy(true)
    await callWithToast(api.call(stopScene, { body: { RunID: executionId } }))
    setBusy(false)
  }
  return (
    <ReasonedButton className={large ? 'btn large' : 'btn'} aria-busy={busy} reason={why && t(why)} onClick={() => void stop()}>
      <SceneIcon name="halt" />
      {left === null ? t('stopRest') : t('stopCount', { count: left })}
    </ReasonedButton>
  )
}
