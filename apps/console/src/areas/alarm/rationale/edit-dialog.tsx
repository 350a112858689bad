import type { AlarmRationaleRecord, RationaleRecordTexts } from '@linewarden/contract'
import { listAlarmRationales, maxRationaleText, updateAlarmRationale } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../../app/net/api.ts'
import { change } from '../../../app/net/change.ts'
import { refreshNow } from '../../../app/net/query-client.ts'
import { TextArea, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { localised } from '../../../ui/i18n.ts'
import type { Part } from './parts.ts'
import { partNames, parts } from './parts.ts'

const languages = ['zh', 'en'] as const
const nothing = { zh: '', en: '' }
const blank: RationaleRecordTexts = {
  ...{ Cause: nothing, Consequence: nothing, Action: nothing, Time: nothing, Priority: nothing, Basis: nothing },
}

/** Writes what the sheet says of one alarm, each text in both languages. What is typed outlives that somebody else saved meanwhile. */
export function EditDialog({ row, onClose }: { row: AlarmRationaleRecord; onClose: () => void }) {
  const { t } = useTranslation('rationaleSheet')
  const [texts, setTexts] = useState(row.Texts ?? blank)
  const [reason, setReason] = useState('')
  /** The newest that the person knows of, and may replace. */
  const [readVersion, setReadVersion] = useState(row.Version)
  const [asked, setAsked] = useState(false)
  const isMissing = parts.some((part) => languages.some((language) => texts[part][language].trim() === ''))
  const save = async () => {
    setAsked(true)
    if (isMissing) return ''
    const { HouseID, Key } = row
    const Reason = reason.trim()
    try {
      const place = { ...(HouseID !== null && { HouseID }), Key, Version: readVersion }
      await change(updateAlarmRationale, { body: { ...place, Texts: texts, ...(Reason !== '' && { Reason }) } })
      return null
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'changed meanwhile') return messageOf(error)
      // What stands at this refusal is what the person is shown; whatever comes after it is refused again.
      const found = await api.call(listAlarmRationales, { query: HouseID === null ? {} : { HouseID } })
      setReadVersion((before) => found.items.find((each) => each.Key === Key)?.Version ?? before)
      await refreshNow({ shows: ['rationales'] })
      return t('changedMeanwhile')
    }
  }
  const set = (part: Part, language: 'zh' | 'en', text: string) =>
    setTexts((before) => ({ ...before, [part]: { ...before[part], [language]: text } }))
  return (
    <FormDialog wide title={t('editTitle', { name: localised(row.Label) })} submit={t('save')} onSubmit={save} onClose={onClose}>
      {parts.map((part) => {
        const isFixed = part === 'Priority' && row.PriorityFixed && row.Texts !== null
        return (
          <fieldset key={part} className="rationale-both">
            <legend className={isFixed ? undefined : 'hidden-visually'}>{t(partNames[part])}</legend>
            {isFixed ? (
              <p className="mute">
                {localised(texts[part])} <small>{t('fixed')}</small>
              </p>
            ) : (
              languages.map((language) => (
                <TextArea
                  key={language}
                  label={t('langOf', { part: t(partNames[part]), language: t(language) })}
                  rows={part === 'Time' ? 1 : 4}
                  maxLength={maxRationaleText}
                  required
                  value={texts[part][language]}
                  error={asked && texts[part][language].trim() === '' ? t('missing') : null}
                  onChange={(text) => set(part, language, text)}
                />
              ))
            )}
          </fieldset>
        )
      })}
      <TextField label={t('why')} value={reason} maxLength={200} onChange={setReason} />
    </FormDialog>
  )
}
