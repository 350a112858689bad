import type { EventRecord } from '@linewarden/contract'
import { minuteMs } from '@linewarden/equipment'
import { isDanger } from '@linewarden/rules/alarm'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../app/net/api.ts'
import { Segments, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { clockTime } from '../../../ui/format.ts'
import { useByNow } from '../../../ui/use-now.ts'
import type { Result } from './acts.ts'
import { shelveAll } from './acts.ts'

const choices = { m15: 15, m30: 30, m60: 60, m120: 120, m240: 240, m480: 480 } as const
type Choice = keyof typeof choices

/** For how long alarms stay silent, and why. */
export function ShelveDialog({
  events,
  onDone,
  onClose,
}: {
  events: readonly EventRecord[]
  onDone: (result: Result) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['alarmList', 'app'])
  const [choice, setChoice] = useState<Choice>('m60')
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const missing = reason.trim() === ''
  const skipped = events.filter(({ Key }) => isDanger(Key)).length
  const until = useByNow((now) => clockTime(now + choices[choice] * minuteMs, now))
  return (
    <FormDialog
      title={t('shelveTitle', { count: events.length - skipped })}
      submit={t('shelve').replace(/\s*…$/, '')}
      onClose={onClose}
      onSubmit={async () => {
        setAsked(true)
        if (missing) return ''
        try {
          onDone(await shelveAll(events, choices[choice], reason.trim()))
          return null
        } catch (error) {
          return messageOf(error)
        }
      }}
    >
      <p>{t('shelveHint')}</p>
      {skipped > 0 && <p className="caution">{t('skipped', { count: skipped })}</p>}
      <div className="form-field">
        <span className="mute">
          {t('minutes')} · {t('untilThen', { time: until })}
        </span>
        <Segments
          label={t('minutes')}
          value={choice}
          options={(Object.keys(choices) as Choice[]).map((value) => ({ value, label: t(`minutesOf.${value}`) }))}
          onChange={setChoice}
        />
      </div>
      <TextField
        label={t('app:reason')}
        usual={t('reasons').split('|')}
        value={reason}
        onChange={setReason}
        maxLength={200}
        required
        error={asked && missing ? t('app:reasonMissing') : null}
      />
    </FormDialog>
  )
}
