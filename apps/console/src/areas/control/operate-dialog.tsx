import { md5Hex } from '@linewarden/client'
import { grantControl, operateLine } from '@linewarden/contract'
import type { FormEvent } from 'react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/api.ts'
import { newId } from '../../app/new-id.ts'
import { said } from '../../texts/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import type { PlacedLine } from '../monitor/equipment.ts'
import { problemOf } from './problem-of.ts'
import { putOrdered } from './queries.ts'

interface Props {
  readonly placed: PlacedLine
  readonly action: 'trip' | 'close' | 'silence' | 'selfTest'
  readonly needsPassword: boolean
  readonly onClose: () => void
}

/** Says what will physically happen, asks why and, if one is set, for the control password. One dialog is one intent: it has one id. */
export function OperateDialog({ placed: { device, line, family }, action, needsPassword, onClose }: Props) {
  const { t } = useTranslation('control')
  const commandId = useRef(newId())
  const [reason, setReason] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const name = line.LineName
  // A switched way is no breaker: it is called what its family calls it.
  const isWay = family?.icon === 'ways'
  const called = said(family?.actions.find(({ key }) => key === action)?.label ?? { zh: '', en: '' })
  const words = {
    trip: isWay
      ? { title: `${called} ${name}`, what: t('wayOffWhat', { name }), note: t('tripDeadline'), act: called }
      : { title: t('tripTitle', { name }), what: t('tripWhat', { name }), note: t('tripDeadline'), act: t('confirmTrip') },
    close: isWay
      ? { title: `${called} ${name}`, what: t('wayOnWhat', { name }), note: t('closeDeadline'), act: called }
      : { title: t('closeTitle', { name }), what: t('closeWhat', { name }), note: t('closeDeadline'), act: t('confirmClose') },
    silence: { title: t('silenceTitle', { name }), what: t('silenceWhat'), note: t('actionDeadline'), act: t('silence') },
    selfTest: { title: t('testTitle', { name }), what: t('testWhat'), note: t('actionDeadline'), act: t('detectorTest') },
  }[action]
  const { title } = words
  const reasons = {
    trip: t('reasonsTrip'),
    close: t('reasonsClose'),
    silence: t('reasonsSilence'),
    selfTest: t('reasonsTest'),
  }[action].split('|')

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return setProblem(t('reasonEmpty'))
    if (needsPassword && password === '') return setProblem(t('controlPasswordEmpty'))
    setBusy(true)
    setProblem(null)
    const params = { ControllerID: device.ControllerID, LineNo: line.LineNo }
    try {
      const Operation = `${action}:${device.ControllerID}/${line.LineNo}`
      const grant = needsPassword ? await api.call(grantControl, { body: { Password: md5Hex(password), Operation } }) : null
      const ordered = await api.call(operateLine, {
        params: { ...params, attr: action },
        body: { CommandID: commandId.current, Reason: reason.trim(), ...(grant && { Grant: grant.Grant }) },
      })
      putOrdered(ordered)
      onClose()
    } catch (error) {
      setProblem(problemOf(error))
      setPassword('')
      setBusy(false)
    }
  }

  return (
    <Dialog label={title} onClose={onClose}>
      <form onSubmit={submit}>
        <h2>{title}</h2>
        <div className="content">
          <p>{words.what}</p>
          <div className="label">
            <span>{t('reason')}</span>
            <div className="chips">
              {reasons.map((each) => (
                <button
                  type="button"
                  key={each}
                  className="btn small"
                  aria-pressed={reason === each}
                  onClick={() => setReason(each)}
                >
                  {each}
                </button>
              ))}
            </div>
            <span className="field">
              <input
                value={reason}
                onChange={(event) => setReason(event.target.value)}
                maxLength={200}
                aria-label={t('otherReason')}
                placeholder={t('otherReason')}
                autoFocus={!needsPassword}
              />
            </span>
          </div>
          {needsPassword && (
            <label className="label">
              <span>{t('controlPassword')}</span>
              <span className="field">
                <Icon name="lock" />
                <input
                  type="password"
                  value={password}
                  onChange={(event) => setPassword(event.target.value)}
                  autoComplete="off"
                  autoFocus
                />
              </span>
            </label>
          )}
          {problem && (
            <p className="problem" role="alert">
              <Mark kind="alarm" />
              {problem}
            </p>
          )}
          <p className="mute">{words.note}</p>
        </div>
        <div className="foot">
          <button type="button" className="btn" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="btn primary" disabled={busy}>
            {busy ? t('sending') : words.act}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
