import type { ScenePermit } from '@linewarden/contract'
import { scenePermit, sceneRunOperation, switchScene } from '@linewarden/contract'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../app/net/api.ts'
import { newId } from '../../../app/net/new-id.ts'
import { useCall } from '../../../app/net/use-call.ts'
import { WaitingDialog } from '../../../app/net/waiting-dialog.tsx'
import { StateWord } from '../../../plant/state-word.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { useByNow } from '../../../ui/use-now.ts'
import { ImpactNote } from '../../control/confirmation.tsx'
import { useControlGrant } from '../../control/control-grant.tsx'
import { problemOf } from '../../control/problem-of.ts'
import { meantWord } from './line-words.tsx'
import { blockReasonsOf, ordersOf, sentCount } from './scene-facts.ts'
import './run-dialog.css'

/** What stands against a line moves by the second: what is older is no ground to close anything on. */
const permitFreshMs = 9_000

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
  const executionId = useRef(newId())
  const query = useCall(scenePermit, { params: { SceneID: sceneId } }, { refetchInterval: 3_000 })
  if (!query.data) return <WaitingDialog title={t('runTitle', { name })} query={query} onClose={onClose} />
  return (
    <RunForm
      permit={query.data}
      at={query.dataUpdatedAt}
      executionId={executionId.current}
      onStarted={() => onStarted(executionId.current)}
      onClose={onClose}
    />
  )
}

function RunForm({
  permit,
  at,
  executionId,
  onStarted,
  onClose,
}: {
  permit: ScenePermit
  /** When it was fetched, by this machine's clock. */
  at: number
  executionId: string
  onStarted: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['scenes', 'app', 'control'])
  const control = useControlGrant()
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const [typed, setTyped] = useState('')
  // What somebody has read, and means.
  const [version] = useState(permit.Version)
  const isFresh = useByNow(() => Date.now() - at < permitFreshMs)
  const isSame = permit.Version === version
  const orders = ordersOf(permit.Items)
  const count = sentCount(orders)
  const isMissing = reason.trim() === ''
  const isUnconfirmed = permit.Confirm !== null && typed.trim() !== String(permit.Confirm)

  const run = async () => {
    setAsked(true)
    const complete = [!isMissing, !isUnconfirmed, control.check()].every(Boolean)
    if (!complete) return ''
    const { SceneID } = permit
    try {
      const grant = await control.take(sceneRunOperation(executionId, { SceneID, Version: version }, permit.Items))
      const Confirmed = permit.Confirm ?? undefined
      const body = {
        SceneID,
        RunID: executionId,
        Reason: reason.trim(),
        Version: version,
        ...(Confirmed && { Confirmed }),
        ...grant,
      }
      // What it shows is read again beside it: nobody waits for that to see their run.
      await api.call(switchScene, { body })
      onStarted()
      return null
    } catch (error) {
      control.forget()
      return problemOf(error)
    }
  }

  return (
    <FormDialog
      title={t('runTitle', { name: permit.Name })}
      submit={t('runIt', { count })}
      ready={isSame && isFresh && count > 0}
      onSubmit={run}
      onClose={onClose}
    >
      <div className="scene-run">
        {!isSame && (
          <p className="caution">
            <Mark kind="warning" />
            {t('becameAnother')}
          </p>
        )}
        {!isFresh && <p className="mute">{t('permitOld')}</p>}
        <RunPlan permit={permit} />
        <RunLines permit={permit} />
        {permit.Trips && <ImpactNote impact={permit.Trips} energises={false} />}
        {permit.Closes && <ImpactNote impact={permit.Closes} energises />}
        <TextField
          label={t('app:reason')}
          required
          value={reason}
          usual={[t('reasons.start'), t('reasons.end'), t('reasons.shift'), t('reasons.repair')]}
          onChange={setReason}
          maxLength={200}
          error={asked && isMissing ? t('app:reasonMissing') : null}
        />
        {permit.Confirm !== null && (
          <TextField
            label={t('confirmCount', { count: permit.Confirm })}
            inputMode="numeric"
            maxLength={7}
            value={typed}
            onChange={setTyped}
            required
            error={asked && isUnconfirmed ? t('confirmWrong', { count: permit.Confirm }) : null}
          />
        )}
        {control.field}
      </div>
    </FormDialog>
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

/** Each line as it stands and is to stand, with what stands against it. */
function RunLines({ permit }: { permit: ScenePermit }) {
  const { t } = useTranslation(['scenes', 'app'])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <ul className="run-lines" aria-label={t('lines')} tabIndex={0}>
      {permit.Items.map((item) => (
        <li key={item.LineID}>
          <StateWord condition={item.Switch} />
          <span>
            <bdi>{item.LineName}</bdi>
            {item.Match !== 'inForce' && blockReasonsOf(item).length > 0 && (
              <small className="why">
                <Icon name="lock" />
                {blockReasonsOf(item)
                  .map(({ Text }) => localised(Text))
                  .join(t('app:semicolon'))}
              </small>
            )}
          </span>
          <small>{meantWord(item, t)}</small>
        </li>
      ))}
    </ul>
  )
}
