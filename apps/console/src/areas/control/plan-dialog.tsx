import type { DetectionPlan } from '@linewarden/contract'
import { detection, setDetection } from '@linewarden/contract'
import { selfTestEveryDays } from '@linewarden/rules/control'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { changeEach } from '../../app/net/change.ts'
import { toast } from '../../app/notify/toasts.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { problemOf } from './problem-of.ts'

/** How often lines are to be tested: one line's plan, or the same for many. */
export function PlanDialog({
  title,
  lines,
  present,
  onClose,
}: {
  title: string
  lines: readonly LineRef[]
  /** What is set now, of a single line; null: the usual is offered. */
  present: DetectionPlan | null
  onClose: () => void
}) {
  const { t } = useTranslation(['safety', 'app'])
  // As it was read for this form, whatever is read behind it.
  const [opened] = useState(present)
  const [required, setRequired] = useState(present?.Enabled ?? true)
  const [days, setDays] = useState(String(present?.EveryDays ?? selfTestEveryDays))
  const number = /^\d{1,2}$/.test(days.trim()) ? Number(days) : 0
  const wrong = number < 1 || number > selfTestEveryDays

  const save = async (): Promise<string | null> => {
    if (wrong) return ''
    const known = lines.length === 1 ? opened : null
    const failed = (await changeEach(setDetection, lines, (lineRef) => requestOf(lineRef, known))).map(({ error }) =>
      problemOf(error),
    )
    if (failed.length > 0)
      return lines.length === 1
        ? (failed[0] ?? '')
        : t('partly', { done: lines.length - failed.length, failed: failed.length, why: [...new Set(failed)].join(' ') })
    toast('info', t('savedPlan', { count: lines.length }))
    return null
  }
  const requestOf = async ({ gateway, line }: LineRef, known: DetectionPlan | null) => {
    const ids = { DeviceID: gateway.DeviceID, LineID: line.LineID }
    const { Version } = known ?? (await api.call(detection, { params: ids }))
    return { body: { ...ids, Enabled: required, EveryDays: number, Version } }
  }
  return (
    <FormDialog title={title} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <p>{t('planWhat')}</p>
      <label className="option">
        <input type="checkbox" checked={required} onChange={(event) => setRequired(event.target.checked)} />
        {t('required')}
      </label>
      <TextField
        label={t('everyDays')}
        value={days}
        unit={t('days')}
        inputMode="numeric"
        error={wrong ? t('daysRange') : null}
        onChange={setDays}
      />
    </FormDialog>
  )
}
