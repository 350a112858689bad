import type { OperationImpact, SceneItem } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StateWord } from '../../../plant/state-word.tsx'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { span } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { useByNow } from '../../../ui/use-now.ts'
import { ImpactNote } from '../../control/confirmation.tsx'
import { useControlGrant } from '../../control/control-grant.tsx'
import { problemOf } from '../../control/problem-of.ts'
import { meantWord } from './line-words.tsx'
import { blockReasonsOf } from './scene-facts.ts'
import './run-dialog.css'

/** What stands against a line moves by the second: what is older is no ground to close anything on. */
const permitFreshMs = 9_000

/** A line that a run operates; of a linkage with what it waits for. */
type RunItem = SceneItem & { readonly DelayS?: number }

/** What the platform says now of a run that a person is about to start. */
interface Permit {
  readonly Version: number
  readonly Items: readonly RunItem[]
  readonly Trips: OperationImpact | null
  readonly Closes: OperationImpact | null
  readonly Confirm: number | null
}

/** What the order of the run carries beside what it runs. */
interface RunOrder {
  readonly Version: number
  readonly Reason: string
  readonly Confirmed?: number
}

/** Asks before lines are operated together: what is sent, what it moves, what stands against it, and why it is done. */
export function RunForm({
  permit,
  at,
  title,
  submit,
  isReady,
  plan,
  becameAnother,
  onStart,
  onClose,
}: {
  permit: Permit
  /** When it was fetched, by this machine's clock. */
  at: number
  title: string
  submit: string
  isReady: boolean
  /** What will happen, in the order in which it does. */
  plan: ReactNode
  /** What is said when what runs was changed meanwhile. */
  becameAnother: string
  /** Sends the order; `take` exchanges the control password for a grant of it. */
  onStart: (order: RunOrder, take: (operation: string) => Promise<{ readonly Grant?: string }>) => Promise<void>
  onClose: () => void
}) {
  const { t } = useTranslation(['scenes', 'app'])
  const control = useControlGrant()
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const [typed, setTyped] = useState('')
  // What somebody has read, and means.
  const [version] = useState(permit.Version)
  const isFresh = useByNow(() => Date.now() - at < permitFreshMs)
  const isSame = permit.Version === version
  const isMissing = reason.trim() === ''
  const isUnconfirmed = permit.Confirm !== null && typed.trim() !== String(permit.Confirm)

  const run = async () => {
    setAsked(true)
    const complete = [!isMissing, !isUnconfirmed, control.check()].every(Boolean)
    if (!complete) return ''
    const Confirmed = permit.Confirm ?? undefined
    try {
      await onStart({ Version: version, Reason: reason.trim(), ...(Confirmed && { Confirmed }) }, control.take)
      return null
    } catch (error) {
      control.forget()
      return problemOf(error)
    }
  }

  return (
    <FormDialog title={title} submit={submit} ready={isSame && isFresh && isReady} onSubmit={run} onClose={onClose}>
      <div className="scene-run">
        {!isSame && (
          <p className="caution">
            <Mark kind="warning" />
            {becameAnother}
          </p>
        )}
        {!isFresh && <p className="mute">{t('permitOld')}</p>}
        {plan}
        {permit.Items.length > 0 && <RunLines items={permit.Items} />}
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

/** Each line as it stands and is to stand, with what stands against it. */
function RunLines({ items }: { items: readonly RunItem[] }) {
  const { t } = useTranslation(['scenes', 'app'])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <ul className="run-lines" aria-label={t('lines')} tabIndex={0}>
      {items.map((item) => (
        <li key={`${item.LineID} ${item.Action} ${item.DelayS}`}>
          <StateWord condition={item.Switch} />
          <span>
            <bdi>{item.LineName}</bdi> <LineTag lineId={item.LineID} />
            {item.Match !== 'inForce' && blockReasonsOf(item).length > 0 && (
              <small className="why">
                <Icon name="lock" />
                {blockReasonsOf(item)
                  .map(({ Text }) => localised(Text))
                  .join(t('app:semicolon'))}
              </small>
            )}
          </span>
          <small>
            {meantWord(item, t)}
            {item.DelayS ? ` · ${t('afterDelay', { time: span(item.DelayS * 1_000) })}` : ''}
          </small>
        </li>
      ))}
    </ul>
  )
}
