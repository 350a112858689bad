import type { Hazard } from '@linewarden/contract'
import { acceptHazard } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { maxRiskDays } from '@linewarden/rules/hazard'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { newId } from '../../app/net/new-id.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { TextArea } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { localised } from '../../ui/i18n.ts'
import { MomentField } from '../../ui/moment-field.tsx'
import { momentIn, momentText } from '../../ui/moment-text.ts'
import { useForm } from '../../ui/use-form.ts'
import { serverNow } from '../../ui/use-now.ts'

const usualDays = 30

/** Until which day, and why, somebody runs with a hazard. */
export function AcceptDialog({ hazard, onClose }: { hazard: Hazard; onClose: () => void }) {
  const { t } = useTranslation(['hazards', 'app'])
  const [id] = useState(newId)
  // As it was read when it was begun: what became of it since refuses this.
  const [version] = useState(hazard.Version)
  const form = useForm({ UntilDay: momentText('day', serverNow() + usualDays * dayMs), Reason: '' }, ({ UntilDay, Reason }) => ({
    UntilDay: isFit(UntilDay) ? null : t('dayWrong', { count: maxRiskDays }),
    Reason: Reason.trim() === '' ? t('app:reasonMissing') : null,
  }))
  const save = async () => {
    if (!form.check()) return ''
    const UntilDay = momentText('day', momentIn('day', form.values.UntilDay) ?? 0)
    const body = { HazardID: hazard.HazardID, Version: version, ActID: id, UntilDay, Reason: form.values.Reason.trim() }
    try {
      await change(acceptHazard, { body })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={t('acceptTitle')} submit={t('acceptSubmit')} onSubmit={save} onClose={onClose}>
      <p>
        <b>{localised(hazard.Label)}</b>
      </p>
      <p className="mute">{t('acceptExplain')}</p>
      <MomentField
        kind="day"
        label={t('untilDay')}
        hint={t('untilHint', { count: maxRiskDays })}
        required
        {...form.field('UntilDay')}
      />
      <TextArea label={t('app:reason')} hint={t('reasonHint')} maxLength={500} required {...form.field('Reason')} />
    </FormDialog>
  )
}

/** To the day: the server knows the clock of the project. */
function isFit(day: string): boolean {
  const at = momentIn('day', day)
  return at !== null && at >= serverNow() - 2 * dayMs && at <= serverNow() + (maxRiskDays + 1) * dayMs
}
