import type { LineDetails, Reclosure } from '@linewarden/contract'
import { reclosure, reclosureOperation, setReclosure } from '@linewarden/contract'
import { maxReclosures, reclosureDelaysS, reclosurePolicy } from '@linewarden/rules/control'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { queryClient } from '../../app/net/query-client.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { Segments, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { useControlGrant } from './control-grant.tsx'
import { problemOf } from './problem-of.ts'
import { delayOf, isWrongDelay, reclosingFault } from './reclosing-form.ts'
import './safety.css'

const numbers = ['1', '2', '3'] as const

/** Setting automatic re-closing. The policy's verdict is shown before anybody saves; the server validates again. */
export function ReclosingDialog({
  lineRef: { device, line, family },
  settings,
  present,
  onClose,
}: {
  lineRef: LineRef
  settings: LineDetails['Settings']
  present: Reclosure
  onClose: () => void
}) {
  const { t } = useTranslation(['safety', 'app'])
  const control = useControlGrant()
  // As it was read for this form: it is read again behind it, and what somebody else has set must not be overwritten unseen.
  const [version] = useState(present.Version)
  const [enabled, setEnabled] = useState(present.Enabled)
  const [tries, setTries] = useState(Math.min(maxReclosures, Math.max(1, present.DelaysS.length || maxReclosures)))
  const [texts, setTexts] = useState<readonly string[]>(
    reclosureDelaysS.map((usual, index) => String(present.DelaysS[index] ?? usual)),
  )
  const delays = texts.slice(0, tries).map(delayOf)
  const setting = family?.settings.find(({ key }) => key === 'leakage.trip')
  const rules = reclosurePolicy(delays, {
    switches: family?.actions.some(({ key }) => key === 'close') === true,
    residualMa: setting ? (settings.find(({ Key }) => Key === setting.key)?.Reported ?? null) : 'absent',
  })
  const allowed = rules.every(({ met }) => met)

  const save = async () => {
    const fault = reclosingFault(enabled, delays, rules)
    if (fault) return t(fault)
    // What bypasses no protection needs no grant.
    if (enabled && !control.check()) return ''
    const { ControllerID } = device
    const { LineNo } = line
    try {
      const grant = enabled ? await control.take(reclosureOperation({ ControllerID, LineNo }, delays)) : {}
      const body = { ControllerID, LineNo, Enabled: enabled, DelaysS: delays, Version: version }
      const saved = await api.call(setReclosure, { body: { ...body, ...grant } })
      queryClient.setQueryData(keyOf(reclosure, { params: { ControllerID, LineNo } }), saved)
      return null
    } catch (error) {
      control.forget()
      return problemOf(error)
    }
  }
  return (
    <FormDialog title={t('reclosureTitle', { name: line.LineName })} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <p>{t('reclosureWhat')}</p>
      <label className="option">
        <input type="checkbox" checked={enabled} onChange={(event) => setEnabled(event.target.checked)} />
        {t('enable')}
      </label>
      <div className="label">
        <span>{t('numberOfTries')}</span>
        <Segments
          label={t('numberOfTries')}
          value={String(tries) as (typeof numbers)[number]}
          options={numbers.map((value) => ({ value, label: value }))}
          onChange={(value) => setTries(Number(value))}
        />
      </div>
      <div className="reclosing-delays">
        {delays.map((delay, index) => (
          <TextField
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what tells them apart
            key={index}
            label={t('delayOf', { number: index + 1 })}
            value={texts[index] ?? ''}
            unit="s"
            inputMode="numeric"
            error={isWrongDelay(delay) ? t('delayWrong') : null}
            onChange={(text) => setTexts(texts.with(index, text))}
          />
        ))}
      </div>
      <section className="verdict" aria-label={t('policy')} aria-live="polite">
        <p>
          <Icon name={allowed ? 'check' : 'hand'} />
          <b>{allowed ? t('policyOk') : t('policyBad')}</b>
          <span className="grow" />
          <small className="mute">{t('policySource')}</small>
        </p>
        <ul>
          {rules.map(({ key, met, what, why }) => (
            <li key={key} className={met ? 'met' : 'broken'}>
              <Icon name={met ? 'check' : 'lock'} />
              <span>
                {localised(what)}
                {why && <small>{localised(why)}</small>}
              </span>
            </li>
          ))}
        </ul>
      </section>
      {enabled && control.field}
    </FormDialog>
  )
}
