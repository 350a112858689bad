import type { EventRecord } from '@linewarden/contract'
import { shelveEvents } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { Segments, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

const hours = ['1', '2', '4', '8'] as const

/** Keeps a finding silent for hours, for a reason; it stands in the list all the same, and comes back by itself. */
export function ShelveDialog({ event, onClose }: { event: EventRecord; onClose: () => void }) {
  const { t } = useTranslation(['warning', 'app'])
  const [length, setLength] = useState<(typeof hours)[number]>('2')
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const missing = reason.trim() === ''
  const send = async (): Promise<string | null> => {
    setAsked(true)
    if (missing) return ''
    const body = { EventIDs: [event.EventID], Minutes: Number(length) * 60, Reason: reason.trim() }
    try {
      const { Outcomes } = await change(shelveEvents, { body })
      const outcome = Outcomes[0]?.Outcome ?? 'gone'
      return outcome === 'shelved' ? null : t(`notShelved.${outcome}`)
    } catch (error) {
      return messageOf(error)
    }
  }
  return (
    <FormDialog title={t('shelveTitle')} submit={t('shelveSubmit')} onSubmit={send} onClose={onClose}>
      <p>{t('shelveWhat')}</p>
      <Segments
        label={t('shelveFor')}
        value={length}
        options={hours.map((value) => ({ value, label: t('app:hours', { count: Number(value) }) }))}
        onChange={setLength}
      />
      <TextField
        label={t('app:reason')}
        usual={[t('shelveReasons.planned'), t('shelveReasons.parts'), t('shelveReasons.known')]}
        value={reason}
        onChange={setReason}
        maxLength={200}
        required
        error={asked && missing ? t('app:reasonMissing') : null}
      />
    </FormDialog>
  )
}
