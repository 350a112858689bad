import type { Scene } from '@linewarden/contract'
import { deleteScene, sceneOperation, switchScene, updateScene } from '@linewarden/contract'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../app/net/api.ts'
import { change } from '../../../app/net/change.ts'
import { newId } from '../../../app/net/new-id.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { toast } from '../../../app/notify/toasts.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useControlGrant } from '../../control/control-grant.tsx'
import { whyNotChange } from './scene-facts.ts'
import { useSceneRights } from './use-scene-rights.ts'

export type SceneAct = 'edit' | 'enable' | 'disable' | 'takeOver' | 'remove'

/** What can be done with a scene beside running it. */
export function SceneActs({ scene, onAct }: { scene: Scene; onAct: (act: SceneAct) => void }) {
  const { t } = useTranslation('scenes')
  const why = whyNotChange(scene, useSceneRights())
  const acts: readonly SceneAct[] = [
    'edit',
    ...(scene.Orphan && scene.Enabled ? (['takeOver'] as const) : []),
    scene.Enabled ? 'disable' : 'enable',
    'remove',
  ]
  return acts.map((act) => (
    <ReasonedButton key={act} className="btn large" reason={why && t(why)} onClick={() => onAct(act)}>
      {t(act)}
    </ReasonedButton>
  ))
}

interface DialogProps {
  readonly scene: Scene
  readonly onClose: () => void
}

/** Lets it be run, or by nobody any more; or takes it over as it is. Whoever answers for it proves it once with the control password. */
export function SceneSwitchDialog({ scene, act, onClose }: DialogProps & { act: 'enable' | 'disable' | 'takeOver' }) {
  const { t } = useTranslation(['scenes', 'app'])
  const control = useControlGrant()
  const intent = useRef(newId())
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const isMissing = act !== 'takeOver' && reason.trim() === ''
  const proves = act !== 'disable'
  const submit = async () => {
    setAsked(true)
    const complete = [!isMissing, !proves || control.check()].every(Boolean)
    if (!complete) return ''
    try {
      const grant = proves ? await control.take(sceneOperation(scene)) : {}
      await (act === 'takeOver' ? takeOver(scene, grant) : switchIt(scene, act, intent.current, reason.trim(), grant))
      return null
    } catch (error) {
      control.forget()
      return messageOf(error)
    }
  }
  return (
    <FormDialog title={t(`titles.${act}`, { name: scene.Name })} submit={t(act)} onSubmit={submit} onClose={onClose}>
      <p>{t(`effects.${act}`)}</p>
      {act !== 'takeOver' && (
        <TextField
          label={t('app:reason')}
          required
          value={reason}
          onChange={setReason}
          maxLength={200}
          error={asked && isMissing ? t('app:reasonMissing') : null}
        />
      )}
      {proves && control.field}
    </FormDialog>
  )
}

type Grant = { readonly Grant?: string }

const takeOver = ({ SceneID, Version, Name, Icon, IfRefused, Enabled, Items }: Scene, grant: Grant) =>
  change(updateScene, { body: { SceneID, Version, Name, Icon, IfRefused, Enabled, Items: Items.map(itemOf), ...grant } })

const switchIt = ({ SceneID, Version }: Scene, mode: 'enable' | 'disable', intent: string, reason: string, grant: Grant) =>
  change(switchScene, { body: { SceneID, Version, RunID: intent, Mode: mode, Reason: reason, ...grant } })

const itemOf = ({ ControllerID, LineNo, Action, Order }: Scene['Items'][number]) => ({ ControllerID, LineNo, Action, Order })

/** Its log stays. What shows it is closed first: what is not there any more is not asked for again. */
export function RemoveDialog({ scene, onRemoving, onClose }: DialogProps & { onRemoving: () => void }) {
  const { t } = useTranslation('scenes')
  return (
    <ConfirmDialog
      title={t('removeTitle', { name: scene.Name })}
      what={t('removeWhat')}
      submit={t('remove')}
      onClose={onClose}
      onConfirm={async () => {
        try {
          onRemoving()
          await change(deleteScene, { body: { SceneID: scene.SceneID, Version: scene.Version } })
          toast('info', t('removed'))
          return null
        } catch (error) {
          return messageOf(error)
        }
      }}
    />
  )
}
